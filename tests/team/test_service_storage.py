"""The service's database: writers at once, migrations, a database that is away."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memdir.team.protocol import Limits
from memdir.team.service.accounts import Accounts
from memdir.team.service.database import Database
from memdir.team.service.errors import ServiceError
from memdir.team.service.schema import MIGRATIONS, migrate
from memdir.team.service.storage import Storage
from tests.team.served import NOW, REPO, Service


def test_many_writers_lose_nothing(any_service: Service) -> None:
    storage = Storage(any_service.database, Limits())
    repository = Accounts(any_service.database).create_repository(REPO, NOW)
    start, _ = storage.checksums(repository)
    won: list[tuple[int, str]] = []
    lock = threading.Lock()

    def writer(name: str) -> None:
        done = 0
        while done < 25:
            tag, _ = storage.checksums(repository)
            try:
                written = storage.write(
                    repository, {"same.md": f"{name} {done}".encode()}, base=tag, author=name, now=NOW
                )
            except ServiceError as error:
                assert error.status == 412
                continue
            with lock:
                won.append((written.tag.version, f"{name} {done}"))
            done += 1

    threads = [threading.Thread(target=writer, args=(f"w{i}",)) for i in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(v for v, _ in won) == list(range(start.version + 1, start.version + 151))
    for version, text in won:
        assert storage.version(repository, "same.md", version).content == text.encode()


def test_migrations_run_once_and_in_order(database_url: str) -> None:
    first = Database(database_url)
    assert first.migrated == len(MIGRATIONS)
    with first.write() as connection:
        assert migrate(connection) == 0
        extended = (*MIGRATIONS, ("CREATE TABLE extra (id {serial}, data {blob})",))
        assert migrate(connection, extended) == 1
    first.close()
    with pytest.raises(RuntimeError, match="update Memdir"):
        Database(database_url)


def test_workers_that_start_together_migrate_once(database_url: str) -> None:
    results: list[int] = []
    databases: list[Database] = []

    def start() -> None:
        databases.append(Database(database_url))
        results.append(databases[-1].migrated)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(results) == [0, 0, 0, len(MIGRATIONS)]
    for d in databases:
        d.close()


def test_a_database_that_is_away_is_a_503(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "t.db"))
    storage = Storage(database, Limits())
    database.engine.dispose()
    (tmp_path / "t.db").unlink()
    for extra in ("t.db-wal", "t.db-shm"):
        (tmp_path / extra).unlink(missing_ok=True)
    (tmp_path / "t.db").mkdir()
    with pytest.raises(ServiceError) as caught:
        storage.ping()
    assert caught.value.status == 503 and caught.value.headers["Retry-After"]
