"""A real service on a loopback port, in a thread of the test process, and a database for it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx
import uvicorn

from memdir.team.protocol import Scope
from memdir.team.service.accounts import Accounts
from memdir.team.service.app import create_app
from memdir.team.service.config import ServiceConfig
from memdir.team.service.database import Database

NOW = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)
OWNER = "github.com/acme"
REPO = OWNER + "/app"


@dataclass
class Service:
    """A running service; `token(...)` makes members."""

    url: str
    database: Database
    accounts: Accounts

    def token(
        self,
        subject: str,
        *scopes: Scope,
        role: str = "write",
        repo: str = REPO,
        expires: datetime | None = None,
    ) -> str:
        repository = self.accounts.create_repository(repo, NOW)
        self.accounts.set_member(repository, subject, role)
        return self.accounts.create_token(subject, scopes or ("read", "write"), expires=expires, now=NOW)[0]

    def client(self, token: str | None) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(
            base_url=f"{self.url}/v1/repos/{OWNER}/", headers=headers, trust_env=False, timeout=20
        )


@contextlib.contextmanager
def running(config: ServiceConfig, **options: object) -> Iterator[Service]:
    """Serve `config` until the block ends; `options` go to `create_app`."""
    database = Database(config.database)
    app = create_app(config, database=database, **options)  # type: ignore[arg-type]  # a test's own options
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        port = listener.getsockname()[1]
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="error", access_log=False, proxy_headers=False, lifespan="off")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        wait_for(lambda: server.started)
        try:
            yield Service(f"http://127.0.0.1:{port}", database, Accounts(database))
        finally:
            server.should_exit = True
            thread.join(10)
            database.close()


def wait_for(condition, seconds: float = 60.0, every: float = 0.005) -> None:  # type: ignore[no-untyped-def]  # any callable
    """Poll `every` so many seconds until `condition()` holds; AssertionError after the deadline."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(every)


def _binary(name: str) -> str | None:
    found = shutil.which(name)
    if found:
        return found
    places = (
        sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        if Path("/usr/lib/postgresql").is_dir()
        else []
    )
    return str(places[-1]) if places else None


POSTGRES = _binary("postgres")


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """URL of a database in a fresh cluster, run as an unprivileged user (postgres refuses root), gone afterwards."""
    initdb, server = _binary("initdb"), POSTGRES
    assert initdb and server
    base = tempfile.mkdtemp(prefix="memdir-pg-")
    drop: dict[str, object] = {}
    if os.geteuid() == 0:
        import pwd

        user = pwd.getpwnam("postgres" if _has_user("postgres") else "nobody")
        os.chown(base, user.pw_uid, user.pw_gid)
        drop = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    environ = {**os.environ, "LC_ALL": "C", "HOME": base}
    data = os.path.join(base, "data")
    subprocess.run(
        [initdb, "-D", data, "-U", "memdir", "-A", "trust", "--no-sync", "-E", "UTF8"],
        check=True, capture_output=True, cwd=base, env=environ, **drop,
    )  # type: ignore[call-overload]  # fmt: skip
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [server, "-D", data, "-p", str(port), "-k", base, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=200"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=base, env=environ, **drop,
    )  # type: ignore[call-overload]  # fmt: skip
    url = f"postgresql://memdir@127.0.0.1:{port}/postgres"
    try:
        import psycopg

        def ready() -> bool:
            assert process.poll() is None, "postgres ended"
            try:
                psycopg.connect(url, connect_timeout=2).close()
            except psycopg.OperationalError:
                return False
            return True

        wait_for(ready, 60)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
        shutil.rmtree(base, ignore_errors=True)


def _has_user(name: str) -> bool:
    import pwd

    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
