"""Services for tests: SQLite always, PostgreSQL where its server is installed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memdir.team.service.config import ServiceConfig
from tests.team.machines import Machine
from tests.team.served import POSTGRES, Service, postgres, running


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    if POSTGRES is None:
        if os.environ.get("CI"):
            pytest.fail("no PostgreSQL server on this machine; install Debian's package postgresql")
        pytest.skip("no PostgreSQL server on this machine")
    with postgres() as url:
        yield url


@pytest.fixture
def fresh_postgres(postgres_url: str) -> str:
    """A database of its own for one test."""
    import psycopg

    name = f"t{os.urandom(6).hex()}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres_url.rpartition("/")[0] + "/" + name


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("fresh_postgres"))
    return str(tmp_path / "team.db")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """On SQLite, without rate limit."""
    with running(ServiceConfig(str(tmp_path / "team.db"), rate=1e6, burst=1_000_000)) as served:
        yield served


@pytest.fixture
def any_service(database_url: str) -> Iterator[Service]:
    """On either engine."""
    with running(ServiceConfig(database_url, rate=1e6, burst=1_000_000)) as served:
        yield served


@pytest.fixture
def machine(service: Service, tmp_path: Path) -> Iterator[Callable[..., Machine]]:
    """Makes machines of teammates of `service`."""
    made: list[Machine] = []

    def make(name: str, **options: object) -> Machine:
        options.setdefault("seed", len(made))
        made.append(Machine(tmp_path / name, service.url, service.token(name), **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for m in made:
        m.close()
