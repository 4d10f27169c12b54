"""Bearer tokens of OIDC issuers: discovery, keys with a cache, and claims checked without mercy.

The issuer's keys are fetched over HTTPS (or from this machine) only. They are kept for ten minutes; an unknown key id fetches them
again, at most once in thirty seconds, so that a caller with invented ids can't make us hammer the issuer.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from memdir.team.protocol import UNAUTHENTICATED, UNAVAILABLE
from memdir.team.service.config import Issuer
from memdir.team.service.errors import ServiceError

KEEP_SECONDS = 600.0
REFETCH_SECONDS = 30.0
_MAX_TOKEN = 16_384
_MAX_DOCUMENT = 512 * 1024

Fetch = Callable[[str], bytes]  # URL -> body; raises OSError or ValueError


def fetch(url: str) -> bytes:
    """GET a small document over HTTPS or loopback, without following redirects."""
    import httpx

    if not secure_url(url):
        raise ValueError("an issuer must be reached over https")
    try:
        with httpx.Client(timeout=5.0, follow_redirects=False) as client, client.stream("GET", url) as answer:
            if answer.status_code != 200:
                raise OSError(f"status {answer.status_code}")
            body = b""
            for part in answer.iter_bytes():
                body += part
                if len(body) > _MAX_DOCUMENT:
                    raise ValueError("the document is too large")
            return body
    except httpx.HTTPError as error:
        raise OSError(str(error)) from error


def secure_url(url: str) -> bool:
    """https, or http to this machine."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (
        parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost")
    )


class _Keys:
    """The key set of one issuer, fetched when needed."""

    def __init__(self, issuer: Issuer, get: Fetch, clock: Callable[[], float]) -> None:
        self._issuer, self._get, self._clock = issuer, get, clock
        self._lock = threading.Lock()
        self._set: KeySet | None = None
        self._fetched = float("-inf")

    def keys(self, kid: str | None) -> KeySet:
        with self._lock:
            now = self._clock()
            stale = now - self._fetched > KEEP_SECONDS
            unknown = self._set is None or (kid is not None and all(k.kid != kid for k in self._set.keys))
            if stale or (unknown and now - self._fetched > REFETCH_SECONDS):
                self._refresh(now)
            if self._set is None:
                raise ServiceError(
                    503, UNAVAILABLE, "The issuer's keys can't be fetched.", headers={"Retry-After": "5"}
                )
            return self._set

    def _refresh(self, now: float) -> None:
        self._fetched = now  # a failed fetch counts too: the issuer is not asked again at once
        try:
            base = self._issuer.url.rstrip("/")
            facts = json.loads(self._get(f"{base}/.well-known/openid-configuration"))
            if facts["issuer"].rstrip("/") != base or not secure_url(facts["jwks_uri"]):
                raise ValueError("the issuer's description is not its own")
            data = json.loads(self._get(facts["jwks_uri"]))
            # keys for signatures only: a symmetric key in a public set would let anybody sign
            keys = [
                k
                for k in data["keys"]
                if k.get("kty") in ("RSA", "EC", "OKP") and k.get("use", "sig") == "sig"
            ]
            self._set = KeySet.import_key_set({"keys": keys})
        except (OSError, ValueError, KeyError, TypeError, AttributeError, JoseError):
            return  # what was known stays in use; without anything known the caller hears 503


class Verifier:
    """Checks JWTs of the configured issuers."""

    def __init__(
        self,
        issuers: tuple[Issuer, ...],
        *,
        clock: Callable[[], float],
        wall: Callable[[], float],
        leeway: int,
        get: Fetch = fetch,
    ) -> None:
        self._issuers = {i.url.rstrip("/"): (i, _Keys(i, get, clock)) for i in issuers}
        self._wall = wall
        self._leeway = leeway

    def verify(self, token: str) -> tuple[str, frozenset[str] | None]:
        """(subject, scopes or None when the token names none). ServiceError 401 for anything doubtful, 503 without keys.

        The subject is `<issuer>#<claim>`, so that two issuers can't speak for each other.
        """
        header, unverified = _peek(token)
        found = self._issuers.get(str(unverified.get("iss", "")).rstrip("/"))
        if found is None:
            raise _refused("unknown issuer")
        issuer, keys = found
        if header.get("alg") not in issuer.algorithms or "crit" in header:
            raise _refused("algorithm not allowed")
        kid = header.get("kid")
        try:
            known = keys.keys(kid if isinstance(kid, str) else None)
            decoded = _decode(token, known, str(header["alg"]), kid)
            registry = jwt.JWTClaimsRegistry(
                now=int(self._wall()),
                leeway=self._leeway,
                iss={"essential": True, "value": unverified["iss"]},
                aud={"essential": True, "value": issuer.audience},
                exp={"essential": True},
            )
            registry.validate(decoded.claims)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise _refused(type(error).__name__) from error
        subject = decoded.claims.get(issuer.subject_claim)
        if not isinstance(subject, str) or not subject:
            raise _refused("no subject")
        return f"{issuer.url.rstrip('/')}#{subject}", _scopes(decoded.claims)


_TYPES = {
    "RS": "RSA",
    "PS": "RSA",
    "ES": "EC",
    "Ed": "OKP",
}  # first letters of an algorithm -> type of its keys


def _decode(token: str, keys: KeySet, algorithm: str, kid: object) -> jwt.Token:
    """The token, verified with the key it names; one that names none is tried with each key that fits the algorithm."""
    fitting = [
        k for k in keys.keys if k.key_type == _TYPES.get(algorithm[:2]) and (kid is None or k.kid == kid)
    ]
    failure: JoseError | ValueError = ValueError("no key fits")
    for key in fitting[:16]:
        try:
            return jwt.decode(token, key, algorithms=[algorithm])
        except (JoseError, ValueError) as error:
            failure = error
    raise failure


def _peek(token: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Header and claims before anything is verified; used to choose issuer and key, never to decide."""
    import base64
    import binascii

    parts = token.split(".")
    if len(parts) != 3 or len(token) > _MAX_TOKEN:
        raise _refused("malformed")
    try:
        header, claims = (json.loads(base64.urlsafe_b64decode(p + "=" * (-len(p) % 4))) for p in parts[:2])
    except (binascii.Error, ValueError, RecursionError):
        raise _refused("malformed") from None
    if not isinstance(header, dict) or not isinstance(claims, dict):
        raise _refused("malformed")
    return header, claims


def _scopes(claims: Mapping[str, Any]) -> frozenset[str] | None:
    """`memdir:read` and `memdir:write` of the claims `scope` or `scp`; None when neither claim names one of ours."""
    raw = claims.get("scope", claims.get("scp"))
    names = raw.split() if isinstance(raw, str) else raw if isinstance(raw, list) else []
    ours = {n.removeprefix("memdir:") for n in names if isinstance(n, str) and n.startswith("memdir:")}
    return frozenset(ours) if ours else None


def _refused(why: str) -> ServiceError:
    return ServiceError(
        401,
        UNAUTHENTICATED,
        f"The token is not accepted ({why}).",
        headers={"WWW-Authenticate": 'Bearer error="invalid_token"'},
    )
