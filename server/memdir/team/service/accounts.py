"""Who may do what: opaque tokens (hashed at rest), members of repositories, and the question of each request.

A token is 190 bits of randomness, so one round of SHA-256 is a safe form to keep; nobody can guess one and nobody can read one back.
"""

from __future__ import annotations

import hashlib
import secrets
import string
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from memdir.core.secrets.checks import base62
from memdir.team.protocol import REPOSITORY, TOKEN_PREFIX, Scope, Tag
from memdir.team.service.database import Database
from memdir.team.service.schema import members, repositories, tokens

ROLES = ("read", "write")
_ALPHABET = string.ascii_letters + string.digits


@dataclass(frozen=True, slots=True)
class Token:
    """What is known about a token; never its value. `state` is `active`, `expired` or `revoked`."""

    id: str
    subject: str
    scopes: tuple[str, ...]
    label: str
    created: str
    expires: str | None
    revoked: str | None

    def state(self, now: datetime) -> str:
        if self.revoked is not None:
            return "revoked"
        return (
            "expired"
            if self.expires is not None and datetime.fromisoformat(self.expires) <= now
            else "active"
        )


@dataclass(frozen=True, slots=True)
class Access:
    """What a subject has in one repository. `repository` is None when it is no member (or there is none)."""

    repository: int | None
    role: str | None
    tag: Tag | None


def new_token() -> str:
    """A fresh token: prefix, 40 random characters, six of checksum, so that scanners recognise a leaked one for sure."""
    body = "".join(secrets.choice(_ALPHABET) for _ in range(40))
    return TOKEN_PREFIX + body + base62(zlib.crc32(body.encode()), 6)


def token_hash(value: str) -> str:
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()


class Accounts:
    """Tokens and memberships of one database. Methods block."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def create_repository(self, name: str, now: datetime) -> int:
        """The id of the repository `name`, made if it is new. ValueError for a name outside the allowed form."""
        if not REPOSITORY.fullmatch(name):
            raise ValueError(name)
        with self._db.write() as connection:
            found = connection.scalar(sa.select(repositories.c.id).where(repositories.c.name == name))
            if found is None:
                connection.execute(
                    sa.insert(repositories).values(
                        name=name, epoch=secrets.token_hex(8), version=0, created=now.isoformat()
                    )
                )
                found = connection.scalar(sa.select(repositories.c.id).where(repositories.c.name == name))
        return int(found or 0)

    def begin_new_epochs(self) -> int:
        """After the database came back from a backup: clients must not trust what they remember. Gives the number of repositories."""
        with self._db.write() as connection:
            ids = list(connection.scalars(sa.select(repositories.c.id)))
            for number in ids:
                connection.execute(
                    sa.update(repositories)
                    .where(repositories.c.id == number)
                    .values(epoch=secrets.token_hex(8))
                )
        return len(ids)

    def repositories(self) -> list[str]:
        """Names of all repositories."""
        with self._db.read() as connection:
            return list(connection.scalars(sa.select(repositories.c.name).order_by(repositories.c.name)))

    def set_member(self, repository: int, subject: str, role: str | None) -> None:
        """Give `subject` a role (`read` or `write`) in a repository, or take it away (None)."""
        if role is not None and role not in ROLES:
            raise ValueError(role)
        with self._db.write() as connection:
            connection.execute(
                sa.delete(members).where(members.c.repository_id == repository, members.c.subject == subject)
            )
            if role is not None:
                connection.execute(
                    sa.insert(members).values(repository_id=repository, subject=subject, role=role)
                )

    def list_members(self, repository: int) -> list[tuple[str, str]]:
        """(subject, role) of a repository's members."""
        query = (
            sa.select(members.c.subject, members.c.role)
            .where(members.c.repository_id == repository)
            .order_by(members.c.subject)
        )
        with self._db.read() as connection:
            return [(r.subject, r.role) for r in connection.execute(query)]

    def create_token(
        self,
        subject: str,
        scopes: Sequence[Scope],
        *,
        label: str = "",
        expires: datetime | None = None,
        now: datetime,
    ) -> tuple[str, Token]:
        """(the value, shown this once; what is kept)."""
        value = new_token()
        token = Token(
            secrets.token_hex(4),
            subject,
            tuple(sorted(scopes)),
            label,
            now.isoformat(),
            expires.isoformat() if expires else None,
            None,
        )
        with self._db.write() as connection:
            connection.execute(
                sa.insert(tokens).values(
                    id=token.id, hash=token_hash(value), subject=subject, scopes=" ".join(token.scopes), label=label,
                    created=token.created, expires=token.expires, revoked=None,
                )
            )  # fmt: skip
        return value, token

    def list_tokens(self) -> list[Token]:
        """All tokens, the newest first."""
        with self._db.read() as connection:
            return [
                _token(r)
                for r in connection.execute(sa.select(tokens).order_by(tokens.c.created.desc(), tokens.c.id))
            ]

    def revoke(self, token_id: str, now: datetime) -> bool:
        """Revoke a token for good; False when there is no active one with this id."""
        with self._db.write() as connection:
            done = connection.execute(
                sa.update(tokens)
                .where(tokens.c.id == token_id, tokens.c.revoked.is_(None))
                .values(revoked=now.isoformat())
            )
        return done.rowcount == 1

    def find_token(self, value: str, repository: str) -> tuple[Token | None, Access]:
        """The token with this value and its access to `repository`, from one statement."""
        query = (
            sa.select(
                tokens,
                repositories.c.id.label("rid"),
                repositories.c.epoch,
                repositories.c.version,
                members.c.role,
            )
            .select_from(
                tokens.outerjoin(repositories, repositories.c.name == repository).outerjoin(
                    members,
                    sa.and_(
                        members.c.repository_id == repositories.c.id, members.c.subject == tokens.c.subject
                    ),
                )
            )
            .where(tokens.c.hash == token_hash(value))
        )
        with self._db.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None, Access(None, None, None)
        return _token(row), _access(row)

    def access(self, subject: str, repository: str) -> Access:
        """What `subject` (of a JWT) may do in `repository`."""
        query = (
            sa.select(
                repositories.c.id.label("rid"), repositories.c.epoch, repositories.c.version, members.c.role
            )
            .select_from(
                repositories.join(
                    members,
                    sa.and_(members.c.repository_id == repositories.c.id, members.c.subject == subject),
                )
            )
            .where(repositories.c.name == repository)
        )
        with self._db.read() as connection:
            row = connection.execute(query).one_or_none()
        return Access(None, None, None) if row is None else _access(row)


def _token(row: Any) -> Token:
    r = row._mapping
    return Token(
        r["id"],
        r["subject"],
        tuple(r["scopes"].split()),
        r["label"],
        r["created"],
        r["expires"],
        r["revoked"],
    )


def _access(row: Any) -> Access:
    r = row._mapping
    if r["rid"] is None or r["role"] is None:
        return Access(None, None, None)
    return Access(int(r["rid"]), r["role"], Tag(r["epoch"], int(r["version"])))
