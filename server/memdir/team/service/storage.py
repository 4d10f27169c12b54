"""Memories at rest: current entries, every version, and the one place where writers are put in order.

A write names the state it was made against. `_advance` moves the repository's version in one statement that also checks that
state, so of many writers at once exactly one wins and the others hear 412; the winner's row lock holds them back until its
entries are written. Nothing is ever overwritten in `versions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from memdir.core.model import content_hash
from memdir.team.guard import Names, PathTraversalError
from memdir.team.protocol import FILE_TOO_LARGE, INVALID_KEY, NOT_FOUND, STALE, TOO_MANY_ENTRIES, Limits, Tag
from memdir.team.service.database import Database
from memdir.team.service.errors import ServiceError
from memdir.team.service.schema import entries, repositories, versions
from memdir.team.service.stored import Page, Stored, Written


class _NothingToDo(Exception):  # noqa: N818  (no error: it undoes the transaction that moved the version)
    pass


class Storage:
    """Memories of all repositories in one database. Methods block; the application runs them in threads."""

    def __init__(self, database: Database, limits: Limits) -> None:
        self._db = database
        self._limits = limits

    def ping(self) -> None:
        """One statement that any working database answers. ServiceError 503."""
        with self._db.read() as connection:
            connection.execute(sa.select(sa.literal(1)))

    def checksums(self, repository: int) -> tuple[Tag, dict[str, str]]:
        """The present state and the hash of every current entry, from one statement."""
        tag, rows = self._facts(repository)
        return tag, {r.key: r.sha256 for r in rows if not r.removed}

    def changes(self, repository: int, since: Tag | None) -> tuple[Page, bool]:
        """(page of what changed after `since`, whether it starts from nothing because `since` is unknown here)."""
        tag, rows = self._facts(repository, since.version if since else 0)
        full = since is None or since.epoch != tag.epoch or since.version > tag.version
        if full and since is not None and since.version:
            tag, rows = self._facts(repository)
        wanted = sorted((r for r in rows if not (full and r.removed)), key=lambda r: r.version)
        taken: list[Stored] = []
        size = 0
        for row in wanted:
            if taken and size + row.size > self._limits.page and row.version != taken[-1].version:
                return Page(
                    Tag(tag.epoch, taken[-1].version), self._with_contents(repository, taken), True
                ), full
            taken.append(row)
            size += row.size
        return Page(tag, self._with_contents(repository, taken), False), full

    def pick(self, repository: int, keys: Sequence[str]) -> Page:
        """Current entries with the given keys (those that exist), within the size of a page."""
        tag, rows = self._facts(repository)
        wanted, size, taken = set(keys), 0, list[Stored]()
        for row in rows:
            if row.key in wanted and not row.removed:
                if taken and size + row.size > self._limits.page:
                    return Page(tag, self._with_contents(repository, taken), True)
                taken.append(row)
                size += row.size
        return Page(tag, self._with_contents(repository, taken), False)

    def write(
        self, repository: int, contents: Mapping[str, bytes], *, base: Tag, author: str, now: datetime
    ) -> Written:
        """Upsert `contents` on top of the state `base`. ServiceError 412, 413 or 422; nothing is written then."""
        too_large = sorted(k for k, c in contents.items() if len(c) > self._limits.file)
        if too_large:
            raise ServiceError(
                413, FILE_TOO_LARGE, "A file is too large.", limit=self._limits.file, keys=too_large
            )
        hashes = {key: content_hash(content) for key, content in contents.items()}
        with suppress(_NothingToDo), self._db.write() as connection:
            tag = self._advance(connection, repository, base)
            known = _current(connection, repository, list(contents))
            changed = [
                k for k in contents if k not in known or known[k].removed or known[k].sha256 != hashes[k]
            ]
            if not changed:
                raise _NothingToDo
            fresh = [k for k in changed if k not in known or known[k].removed]
            if fresh:
                self._check_names(connection, repository, fresh)
            for key in changed:
                facts = {
                    "repository_id": repository,
                    "name": key,
                    "version": tag.version,
                    "sha256": hashes[key],
                    "size": len(contents[key]),
                    "removed": 0,
                }
                self._upsert(connection, facts)
                connection.execute(
                    sa.insert(versions).values(
                        **facts, content=contents[key], author=author, created=now.isoformat()
                    )
                )
            return Written(tag, tuple(changed), tuple(k for k in contents if k not in set(changed)))
        return Written(base, (), tuple(contents))

    def remove(
        self, repository: int, hashes: Mapping[str, str], *, base: Tag, author: str, now: datetime
    ) -> Written:
        """Remove entries whose hash is still the given one; others are left (they changed: somebody wants them)."""
        with suppress(_NothingToDo), self._db.write() as connection:
            tag = self._advance(connection, repository, base)
            known = _current(connection, repository, list(hashes))
            gone = [
                k for k, h in hashes.items() if k in known and not known[k].removed and known[k].sha256 == h
            ]
            if not gone:
                raise _NothingToDo
            for key in gone:
                facts = {
                    "repository_id": repository,
                    "name": key,
                    "version": tag.version,
                    "sha256": "",
                    "size": 0,
                    "removed": 1,
                }
                self._upsert(connection, facts)
                connection.execute(
                    sa.insert(versions).values(**facts, content=None, author=author, created=now.isoformat())
                )
            return Written(tag, tuple(gone), tuple(k for k in hashes if k not in set(gone)))
        return Written(base, (), tuple(hashes))

    def history(self, repository: int, key: str | None, before: int | None, limit: int) -> list[Stored]:
        """The `limit` newest versions (before one) of one key or of all, without contents; a version is never cut in two."""
        wanted = [versions.c.repository_id == repository]
        if key is not None:
            wanted.append(versions.c.name == key)
        if before is not None:
            wanted.append(versions.c.version < before)
        numbers = (
            sa.select(versions.c.version)
            .where(*wanted)
            .distinct()
            .order_by(versions.c.version.desc())
            .limit(limit)
        )
        query = (
            sa.select(*(c for c in versions.c if c.name != "content"))
            .where(*wanted, versions.c.version.in_(numbers.scalar_subquery()))
            .order_by(versions.c.version.desc(), versions.c.name)
        )
        with self._db.read() as connection:
            return [
                Stored(r.name, r.version, r.sha256, r.size, bool(r.removed), None, r.author, r.created)
                for r in connection.execute(query)
            ]

    def version(self, repository: int, key: str, version: int) -> Stored:
        """One version with its content. ServiceError 404."""
        query = sa.select(versions).where(
            versions.c.repository_id == repository, versions.c.name == key, versions.c.version == version
        )
        with self._db.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise ServiceError(404, NOT_FOUND, "There is no such version.")
        return Stored(
            row.name,
            row.version,
            row.sha256,
            row.size,
            bool(row.removed),
            row.content,
            row.author,
            row.created,
        )

    def _advance(self, connection: sa.Connection, repository: int, base: Tag) -> Tag:
        moved = connection.execute(
            sa.update(repositories)
            .where(
                repositories.c.id == repository,
                repositories.c.version == base.version,
                repositories.c.epoch == base.epoch,
            )
            .values(version=repositories.c.version + 1)
        )
        if moved.rowcount != 1:
            row = connection.execute(
                sa.select(repositories.c.epoch, repositories.c.version).where(repositories.c.id == repository)
            ).one()
            current = Tag(row.epoch, row.version)
            raise ServiceError(
                412,
                STALE,
                "The repository changed meanwhile.",
                headers={"ETag": current.etag},
                etag=str(current),
            )
        return Tag(base.epoch, base.version + 1)

    def _check_names(self, connection: sa.Connection, repository: int, fresh: list[str]) -> None:
        query = sa.select(entries.c.name).where(entries.c.repository_id == repository, entries.c.removed == 0)
        alive = list(connection.scalars(query))
        names = Names(alive)
        bad: dict[str, str] = {}
        for key in fresh:
            try:
                names.add(key)
            except PathTraversalError as error:
                bad[key] = str(error)
        if bad:
            raise ServiceError(422, INVALID_KEY, "A name can't be used.", keys=bad)
        if len(alive) + len(fresh) > self._limits.entries:
            raise ServiceError(413, TOO_MANY_ENTRIES, "The repository is full.", limit=self._limits.entries)

    def _upsert(self, connection: sa.Connection, facts: Mapping[str, object]) -> None:
        insert = postgresql.insert if self._db.dialect == "postgresql" else sqlite.insert
        statement = insert(entries).values(**facts)
        changed = {c: statement.excluded[c] for c in ("version", "sha256", "size", "removed")}
        connection.execute(
            statement.on_conflict_do_update(index_elements=["repository_id", "name"], set_=changed)
        )

    def _facts(self, repository: int, after: int = 0) -> tuple[Tag, list[Stored]]:
        """The state and the entries changed after version `after`, from one statement, so that they belong together."""
        query = (
            sa.select(repositories.c.epoch, repositories.c.version.label("now"), entries)
            .select_from(
                repositories.outerjoin(
                    entries, sa.and_(entries.c.repository_id == repositories.c.id, entries.c.version > after)
                )
            )
            .where(repositories.c.id == repository)
        )
        with self._db.read() as connection:
            rows = connection.execute(query).all()
        if not rows:
            raise ServiceError(404, NOT_FOUND, "There is no such repository.")
        tag = Tag(rows[0].epoch, rows[0].now)
        return tag, [
            Stored(r.name, r.version, r.sha256, r.size, bool(r.removed)) for r in rows if r.name is not None
        ]

    def _with_contents(self, repository: int, rows: Sequence[Stored]) -> tuple[Stored, ...]:
        """Versions never change, so reading them after the facts gives what the facts said."""
        wanted = [(r.key, r.version) for r in rows if not r.removed]
        found: dict[tuple[str, int], tuple[bytes, str, str]] = {}
        with self._db.read() as connection:
            for start in range(0, len(wanted), 200):
                query = sa.select(
                    versions.c.name,
                    versions.c.version,
                    versions.c.content,
                    versions.c.author,
                    versions.c.created,
                ).where(
                    versions.c.repository_id == repository,
                    sa.tuple_(versions.c.name, versions.c.version).in_(wanted[start : start + 200]),
                )
                for r in connection.execute(query):
                    found[r.name, r.version] = (r.content, r.author, r.created)
        return tuple(
            r if r.removed else Stored(r.key, r.version, r.sha256, r.size, False, *found[r.key, r.version])
            for r in rows
        )


def _current(connection: sa.Connection, repository: int, keys: list[str]) -> dict[str, Stored]:
    """Entries with these keys, removed ones included."""
    found: dict[str, Stored] = {}
    for start in range(0, len(keys), 500):
        query = sa.select(entries).where(
            entries.c.repository_id == repository, entries.c.name.in_(keys[start : start + 500])
        )
        for r in connection.execute(query):
            found[r.name] = Stored(r.name, r.version, r.sha256, r.size, bool(r.removed))
    return found
