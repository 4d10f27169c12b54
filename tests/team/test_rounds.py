"""Nothing is lost: many rounds of concurrent edits, and processes killed at random points.

Every text that somebody wrote must afterwards be in a file, in the service's history, or in a journal.
"""

from __future__ import annotations

import ast
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from memdir.team.client import TeamClient
from memdir.team.errors import TeamError
from memdir.team.service.accounts import Accounts
from memdir.team.service.database import Database
from tests.team.machines import Machine
from tests.team.served import NOW, REPO, Service, wait_for

KEYS = ["same.md", "also_same.md", "a.md", "b.md", "c.md", "MEMORY.md"]


def text_of(key: str, name: str, number: int) -> str:
    if key == "MEMORY.md":
        return f"# Team\n- [{name} {number}]({name}.md) — round {number}\nfree text of {name} {number}\n"
    return f"---\nname: {key}\ndescription: What {name} wrote about {key}\ntype: project\n---\nround {number} of {name}\n"


def history(client: TeamClient) -> set[str]:
    """Every text the service ever took."""
    found: set[str] = set()
    for key in KEYS:
        before = None
        while rows := client.history(key, before=before, limit=200):
            found |= {(client.version(key, r.version).content or b"").decode() for r in rows if not r.removed}
            before = rows[-1].version
    return found


def lost(written: set[str], machines: list[Machine]) -> set[str]:
    kept = history(machines[0].http)
    for machine in machines:
        kept |= machine.journal_texts() | set(machine.files().values())
    return written - kept


@pytest.mark.parametrize(("people", "rounds"), [(3, 15), pytest.param(5, 60, marks=pytest.mark.crash)])
def test_rounds_of_concurrent_edits(any_service: Service, tmp_path: Path, people: int, rounds: int) -> None:
    """The same and different keys at once, on both engines; the long form has 300 rounds."""
    names = [f"p{i}" for i in range(people)]
    machines = [
        Machine(tmp_path / n, any_service.url, any_service.token(n), seed=i) for i, n in enumerate(names)
    ]
    for machine in machines:
        machine.team._wait = lambda s: time.sleep(min(s, 0.02))
    written: set[str] = set()
    conflicts, failures = [0], list[str]()

    def live(machine: Machine, name: str, seed: int) -> None:
        rng = random.Random(seed)
        for number in range(rounds):
            key = rng.choice(KEYS)
            text = text_of(key, name, number)
            machine.write(key, text)
            written.add(text)
            while True:  # whoever finds no gap tries again before writing over what nobody has seen yet
                report = machine.team.sync(force=True)
                conflicts[0] += len(report.conflicts) + len(report.merged)
                if report.outcome == "ok":
                    break
                if "too fast" not in str(report.message):
                    failures.append(f"{report.outcome} {report.message}")
                    break

    threads = [
        threading.Thread(target=live, args=(m, n, i))
        for i, (m, n) in enumerate(zip(machines, names, strict=True))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert not lost(written, machines) and len(written) == rounds * len(names)
    print(f"{len(written)} edits, {conflicts[0]} conflicts")
    assert conflicts[0] > 2  # the rounds did meet
    for _ in range(3):
        for machine in machines:
            machine.sync()
    assert all(m.files() == machines[0].files() for m in machines)
    for machine in machines:
        machine.close()


def _victim(base: str, url: str, token: str, seed: int, log: str) -> None:
    """A person's process until it is killed: write, note that it was written, synchronise."""
    machine = Machine(Path(base), url, token, seed=seed)
    machine.team._wait = lambda s: time.sleep(min(s, 0.05))
    rng = random.Random(seed)
    _until_seen(machine)  # what the life before wrote must not be written over before anybody saw it
    with open(log, "ab", buffering=0) as notes:
        for number in range(100_000):
            key = rng.choice(KEYS)
            text = text_of(key, f"{os.path.basename(base)}-{seed}", number)
            target = machine.root / key
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = target.with_suffix(".tmp")
            temporary.write_text(text)
            os.replace(temporary, target)  # as an editor saves
            notes.write((repr(text) + "\n").encode())
            _until_seen(machine)


def _until_seen(machine: Machine) -> None:
    """Synchronise until the service has what is here; a run that finds no gap between other writers is repeated."""
    while True:
        report = machine.team.sync(force=True)
        if report.outcome == "ok" and not report.missed:
            return
        with open(os.path.join(os.path.dirname(machine.state), "repeated.log"), "a") as notes:
            notes.write(f"{report.outcome} {report.message} {report.missed}\n")


@pytest.mark.crash
def test_clients_killed_at_random_points(any_service: Service, tmp_path: Path) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.team.test_rounds"])
    tokens = {n: any_service.token(n) for n in ("ann", "bob")}
    rng = random.Random(5)
    for life in range(12):
        victims = [
            context.Process(
                target=_victim,
                args=(
                    str(tmp_path / n),
                    any_service.url,
                    tokens[n],
                    life * 2 + i,
                    str(tmp_path / f"{n}.log"),
                ),
            )
            for i, n in enumerate(tokens)
        ]
        sizes = [_size(tmp_path / f"{n}.log") for n in tokens]
        for victim in victims:
            victim.start()
        for name, size in zip(tokens, sizes, strict=True):
            _grows(tmp_path / f"{name}.log", size)
        threading.Event().wait(rng.uniform(0.02, 0.4))
        for victim in victims:
            os.kill(victim.pid or 0, signal.SIGKILL)
            victim.join()
    machines = [Machine(tmp_path / n, any_service.url, t) for n, t in tokens.items()]
    for _ in range(3):
        for machine in machines:
            machine.sync()
    written = {
        ast.literal_eval(line) for n in tokens for line in (tmp_path / f"{n}.log").read_text().splitlines()
    }
    print(f"{len(written)} edits in 24 lives")
    assert len(written) >= 24
    assert not lost(written, machines)
    assert machines[0].files() == machines[1].files()
    for machine in machines:
        machine.close()


def _grows(path: Path, size: int) -> None:
    wait_for(lambda: _size(path) > size, 60)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


class Process:
    """`memdir team serve` as a process that can be killed and started again on the same port and database."""

    def __init__(self, database: str, cwd: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.command = [
            sys.executable,
            "-m",
            "memdir.cli.main",
            "team",
            "serve",
            "--database",
            database,
            "--port",
            str(self.port),
            "--rate",
            "1000000",
            "--burst",
            "1000000",
        ]
        self.cwd = cwd
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, cwd=self.cwd, stderr=subprocess.DEVNULL)
        wait_for(self.healthy, 60)

    def healthy(self) -> bool:
        assert self.process is not None and self.process.poll() is None, "the service ended"
        try:
            return httpx.get(self.url + "/healthz", trust_env=False).status_code == 200
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def _more(found: list[tuple[int, str]], count: int) -> None:
    wait_for(lambda: len(found) > count, 60)


@pytest.fixture
def served_process(database_url: str, tmp_path: Path) -> Iterator[Process]:
    process = Process(database_url, tmp_path)
    process.start()
    yield process
    process.kill()


@pytest.mark.crash
def test_service_killed_at_random_points(served_process: Process, database_url: str, tmp_path: Path) -> None:
    """What the service acknowledged is in its history, whatever moment it died at; clients carry on by themselves."""
    database = Database(database_url)
    accounts = Accounts(database)
    repository = accounts.create_repository(REPO, NOW)
    accounts.set_member(repository, "ann", "write")
    token, _ = accounts.create_token("ann", ("read", "write"), now=NOW)
    acknowledged: list[tuple[int, str]] = []
    stop = threading.Event()

    def writer(name: str) -> None:
        client = TeamClient(served_process.url, REPO, token, timeouts=(1.0, 2.0, 5.0))
        number = 0
        while not stop.is_set():
            try:
                tag, _ = client.checksums()
                text = f"{name} {number}"
                done = client.put({"same.md": text}, tag)
                acknowledged.append((done.tag.version, text))
                number += 1
            except TeamError as error:
                assert error.passing, error
                stop.wait(0.01)
        client.close()

    machine = Machine(tmp_path / "ann", served_process.url, token, timeouts=(1.0, 2.0, 5.0))
    machine.write("a.md", text_of("a.md", "ann", 0))
    threads = [threading.Thread(target=writer, args=(f"w{i}",)) for i in range(2)]
    for thread in threads:
        thread.start()
    rng = random.Random(11)
    for _ in range(5):
        seen = len(acknowledged)
        _more(acknowledged, seen + 3)
        stop.wait(rng.uniform(0.01, 0.2))
        served_process.kill()
        assert machine.team.sync(force=True).outcome == "waiting"
        served_process.start()
    stop.set()
    for thread in threads:
        thread.join()
    assert machine.sync().pushed == ["a.md"]
    versions = [v for v, _ in acknowledged]
    assert len(set(versions)) == len(versions)
    for version, text in acknowledged:
        assert machine.http.version("same.md", version).content == text.encode()
    print(f"{len(acknowledged)} acknowledged writes over 5 kills")
    machine.close()
    database.close()
