"""From the Authorization header to what the caller may do in one repository."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memdir.team.protocol import FORBIDDEN, TOKEN_PREFIX, UNAUTHENTICATED, Scope, Tag
from memdir.team.service.accounts import Access, Accounts
from memdir.team.service.errors import ServiceError
from memdir.team.service.oidc import Verifier


@dataclass(frozen=True, slots=True)
class Caller:
    """An accepted request: who, in which repository (its id and present state), with which rights."""

    subject: str
    repository: int
    tag: Tag
    rights: frozenset[str]

    def require(self, scope: Scope) -> None:
        """ServiceError 403 unless the caller has this right here."""
        if scope not in self.rights:
            raise ServiceError(
                403, FORBIDDEN, f"This needs the right to {scope} in this repository.", needs=scope
            )


class Authenticator:
    """Judges bearer tokens: opaque ones of this service, JWTs of the configured issuers."""

    def __init__(self, accounts: Accounts, verifier: Verifier, now: Callable[[], datetime]) -> None:
        self._accounts, self._verifier, self._now = accounts, verifier, now

    def caller(self, authorization: str | None, repository: str) -> Caller:
        """ServiceError 401 without a good token, 403 when its holder has no part in `repository`. Blocks."""
        scheme, _, value = (authorization or "").partition(" ")
        value = value.strip()
        if scheme.lower() != "bearer" or not value or not value.isascii():
            raise ServiceError(
                401,
                UNAUTHENTICATED,
                "A bearer token is needed.",
                headers={"WWW-Authenticate": 'Bearer realm="memdir"'},
            )
        if value.startswith(TOKEN_PREFIX):
            subject, scopes, access = self._opaque(value, repository)
        else:
            subject, granted = self._verifier.verify(value)
            scopes = frozenset(("read", "write")) if granted is None else granted
            access = self._accounts.access(subject, repository)
        if access.repository is None or access.role is None or access.tag is None:
            # the same answer whether the repository exists or not: names are nobody else's business
            raise ServiceError(403, FORBIDDEN, "You are no member of this repository.")
        allowed = frozenset(("read", "write")) if access.role == "write" else frozenset(("read",))
        rights = scopes & allowed
        return Caller(
            subject, access.repository, access.tag, rights | {"read"} if "write" in rights else rights
        )

    def _opaque(self, value: str, repository: str) -> tuple[str, frozenset[str], Access]:
        token, access = self._accounts.find_token(value, repository)
        state = "unknown" if token is None else token.state(self._now())
        if token is None or state != "active":
            raise ServiceError(
                401,
                UNAUTHENTICATED,
                f"The token is {state}.",
                headers={"WWW-Authenticate": 'Bearer error="invalid_token"'},
            )
        return token.subject, frozenset(token.scopes), access
