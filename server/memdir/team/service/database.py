"""Opening the database: SQLite in write-ahead mode, or PostgreSQL; transactions that read and transactions that write."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, OperationalError

from memdir.team.protocol import UNAVAILABLE
from memdir.team.service.errors import ServiceError
from memdir.team.service.schema import migrate

BUSY_SECONDS = 15  # how long a writer waits for another one in SQLite


class Database:
    """An engine with the two kinds of transaction the service needs.

    url: `sqlite:///path`, a plain path, or `postgresql://…` (psycopg is used). Raises what SQLAlchemy raises when it
    can't be opened.
    """

    def __init__(self, url: str, *, pool: int = 8) -> None:
        self.engine = _engine(url, pool)
        self.dialect = self.engine.dialect.name
        # SQLite has one writer at a time and lets the others poll; queueing here is fair and wakes at once
        self._turn: AbstractContextManager[object] = (
            threading.Lock() if self.dialect == "sqlite" else nullcontext()
        )
        self._writing = self.engine.execution_options(memdir_write=True)
        with self.write() as connection:
            self.migrated = migrate(connection)

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A reading transaction; what one statement gives is one state of the data."""
        with _translated(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A writing transaction: committed at the end of the block, undone by any exception."""
        with self._turn, _translated(), self._writing.begin() as connection:
            yield connection

    def close(self) -> None:
        """Give back all connections."""
        self.engine.dispose()


def normalise(url: str) -> str:
    """The SQLAlchemy URL for what a person wrote."""
    if "://" not in url:
        return f"sqlite:///{url}"
    scheme, rest = url.split("://", 1)
    return f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else url


def _engine(url: str, pool: int) -> sa.Engine:
    target = normalise(url)
    if target.startswith("sqlite"):
        engine = sa.create_engine(
            target,
            pool_size=pool,
            max_overflow=32,
            connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
        )
        event.listen(engine, "connect", _sqlite_connect)
        event.listen(engine, "begin", _sqlite_begin)
        return engine
    return sa.create_engine(target, pool_size=pool, max_overflow=32, pool_pre_ping=True, pool_recycle=1800)


def _sqlite_connect(connection: Any, _: object) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves, see below
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={BUSY_SECONDS * 1000}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _sqlite_begin(connection: sa.Connection) -> None:
    # A writer takes its lock at once: a reading transaction that turns into a writing one could only fail.
    writing = connection.get_execution_options().get("memdir_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


@contextmanager
def _translated() -> Iterator[None]:
    """A database that is away or too busy is a 503, which clients wait out."""
    try:
        yield
    except (OperationalError, DBAPIError) as error:
        if isinstance(error, OperationalError) or error.connection_invalidated:
            raise ServiceError(
                503, UNAVAILABLE, "The database is not available; try again.", headers={"Retry-After": "2"}
            ) from error
        raise
