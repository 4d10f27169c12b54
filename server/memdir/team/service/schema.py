"""Tables of the service and their migrations: numbered steps, recorded in the table `schema_version`.

Steps are never edited after release; a change of the schema is a new step. Both engines run the same SQL except for the names
of a few types.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

metadata = sa.MetaData()

repositories = sa.Table(
    "repositories",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True),
    sa.Column("name", sa.Text),
    sa.Column("epoch", sa.Text),
    sa.Column("version", sa.BigInteger),
    sa.Column("created", sa.Text),
)
entries = sa.Table(
    "entries",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("version", sa.BigInteger),
    sa.Column("sha256", sa.Text),
    sa.Column("size", sa.BigInteger),
    sa.Column("removed", sa.Integer),
)
versions = sa.Table(
    "versions",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("version", sa.BigInteger, primary_key=True),
    sa.Column("sha256", sa.Text),
    sa.Column("size", sa.BigInteger),
    sa.Column("content", sa.LargeBinary),
    sa.Column("author", sa.Text),
    sa.Column("created", sa.Text),
    sa.Column("removed", sa.Integer),
)
members = sa.Table(
    "members",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("subject", sa.Text, primary_key=True),
    sa.Column("role", sa.Text),
)
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text),
    sa.Column("subject", sa.Text),
    sa.Column("scopes", sa.Text),
    sa.Column("label", sa.Text),
    sa.Column("created", sa.Text),
    sa.Column("expires", sa.Text),
    sa.Column("revoked", sa.Text),
)

Step = Sequence[str]

MIGRATIONS: tuple[Step, ...] = (
    (  # 1: repositories with their current entries, every version, members and tokens
        "CREATE TABLE repositories (id {serial}, name TEXT NOT NULL UNIQUE, epoch TEXT NOT NULL, version BIGINT NOT NULL, created TEXT NOT NULL)",
        "CREATE TABLE entries (repository_id BIGINT NOT NULL REFERENCES repositories(id), name TEXT NOT NULL, version BIGINT NOT NULL,"
        " sha256 TEXT NOT NULL, size BIGINT NOT NULL, removed INTEGER NOT NULL, PRIMARY KEY (repository_id, name))",
        "CREATE INDEX entries_by_version ON entries (repository_id, version)",
        "CREATE TABLE versions (repository_id BIGINT NOT NULL REFERENCES repositories(id), name TEXT NOT NULL, version BIGINT NOT NULL,"
        " sha256 TEXT NOT NULL, size BIGINT NOT NULL, content {blob}, author TEXT NOT NULL, created TEXT NOT NULL, removed INTEGER NOT NULL,"
        " PRIMARY KEY (repository_id, name, version))",
        "CREATE INDEX versions_by_version ON versions (repository_id, version)",
        "CREATE TABLE members (repository_id BIGINT NOT NULL REFERENCES repositories(id), subject TEXT NOT NULL, role TEXT NOT NULL,"
        " PRIMARY KEY (repository_id, subject))",
        "CREATE TABLE tokens (id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, subject TEXT NOT NULL, scopes TEXT NOT NULL, label TEXT NOT NULL,"
        " created TEXT NOT NULL, expires TEXT, revoked TEXT)",
    ),
)

_TYPES = {
    "sqlite": {"serial": "INTEGER PRIMARY KEY AUTOINCREMENT", "blob": "BLOB"},
    "postgresql": {"serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "blob": "BYTEA"},
}
_LOCK = 0x6D656D64  # advisory lock of this application in PostgreSQL ("memd")


def migrate(connection: sa.Connection, steps: Sequence[Step] = MIGRATIONS) -> int:
    """Bring the database to the newest schema inside the caller's (writing) transaction; gives the number of steps run.

    Several workers may start at once: PostgreSQL serialises them by an advisory lock, SQLite by its write transaction.
    RuntimeError when the database was made by a newer version.
    """
    dialect = connection.dialect.name
    if dialect == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    connection.execute(sa.text("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)"))
    current = int(connection.scalar(sa.text("SELECT COALESCE(MAX(version), 0) FROM schema_version")) or 0)
    if current > len(steps):
        raise RuntimeError(
            f"the database has schema {current}, this version knows {len(steps)}: update Memdir"
        )
    for number, step in enumerate(steps[current:], current + 1):
        for statement in step:
            connection.execute(sa.text(statement.format(**_TYPES[dialect])))
        connection.execute(sa.text("INSERT INTO schema_version VALUES (:v)"), {"v": number})
    return len(steps) - current
