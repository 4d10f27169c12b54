"""Load figures of the team service against a plain static file server; cost of a synchronisation as the directory grows.

`python -m tests.bench.team_load [--seconds 2] [--connections 16] [--json]`. Everything runs on this machine's loopback address, every loop is
bounded in time and count, and the processes started are ended. The baseline serves one file of the size of a 304's
counterpart through Starlette's StaticFiles on uvicorn: the same server without anything of ours.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from memdir.team.client import TeamClient
from memdir.team.engine import TeamSync
from memdir.team.protocol import Tag
from memdir.team.service.accounts import Accounts
from memdir.team.service.database import Database
from tests.team.served import NOW, POSTGRES, postgres, wait_for

MOST_REQUESTS = 60_000
SIZES = (10, 100, 1000, 3000)

_STATIC = """
import sys, uvicorn
from starlette.staticfiles import StaticFiles
uvicorn.run(StaticFiles(directory=sys.argv[1]), host="127.0.0.1", port=int(sys.argv[2]), log_level="error", access_log=False, lifespan="off")
"""


@dataclass
class Figure:
    """Requests per second and latency in milliseconds."""

    name: str
    per_second: float
    p50: float
    p99: float
    errors: int


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(stack: ExitStack, command: list[str], port: int) -> None:
    """A server process that ends with `stack`; returns when it accepts connections."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    stack.callback(process.wait)
    stack.callback(process.terminate)

    def up() -> bool:
        assert process.poll() is None, command
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    wait_for(up, 30)


async def hammer(
    port: int, requests: list[Callable[[bytes], bytes]], seconds: float, expect: int
) -> tuple[list[float], int]:
    """Keep-alive connections, one per entry of `requests`; each entry makes the next request from the last answer's head."""
    times: list[float] = []
    errors = 0
    end = time.perf_counter() + seconds

    async def one(make: Callable[[bytes], bytes]) -> None:
        nonlocal errors
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = b""
        while time.perf_counter() < end and len(times) < MOST_REQUESTS:
            started = time.perf_counter()
            writer.write(make(head))
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                (
                    int(line[15:])
                    for line in head.lower().split(b"\r\n")
                    if line.startswith(b"content-length:")
                ),
                0,
            )
            if length and b" 304 " not in head[:15]:
                await reader.readexactly(length)
            times.append(time.perf_counter() - started)
            errors += f" {expect} ".encode() not in head[:16]
        writer.close()

    await asyncio.gather(*(one(make) for make in requests))
    return times, errors


def measure(
    name: str, port: int, requests: list[Callable[[bytes], bytes]], seconds: float, expect: int
) -> Figure:
    started = time.perf_counter()
    times, errors = asyncio.run(hammer(port, requests, seconds, expect))
    spent = time.perf_counter() - started
    times.sort()
    return Figure(
        name,
        len(times) / spent,
        statistics.median(times) * 1000,
        times[int(len(times) * 0.99)] * 1000,
        errors,
    )


def etag_of(head: bytes) -> str | None:
    return next(
        (line[5:].strip().decode() for line in head.split(b"\r\n") if line.lower().startswith(b"etag:")), None
    )


def getter(path: str, token: str = "", condition: str = "") -> Callable[[bytes], bytes]:
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: 127.0.0.1",
        *([f"Authorization: Bearer {token}"] if token else []),
        *([f"If-None-Match: {condition}"] if condition else []),
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    return lambda _: request


def putter(repo: str, token: str, tag: Tag) -> Callable[[bytes], bytes]:
    state = {"etag": tag.etag, "n": 0}

    def make(head: bytes) -> bytes:
        state["etag"] = etag_of(head) or state["etag"]
        state["n"] = int(state["n"]) + 1
        body = json.dumps(
            {
                "entries": {
                    "project_load.md": {"content": f"---\nname: load\n---\nround {state['n']} " + "x" * 1000}
                }
            }
        ).encode()
        lines = [
            f"PUT /v1/repos/{repo}/memory HTTP/1.1",
            "Host: 127.0.0.1",
            f"Authorization: Bearer {token}",
            f"If-Match: {state['etag']}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body

    return make


def static_figures(folder: Path, seconds: float, connections: int) -> list[Figure]:
    (folder / "memory.json").write_bytes(b"x" * 2000)
    port = free_port()
    with ExitStack() as stack:
        start(stack, [sys.executable, "-c", _STATIC, str(folder), str(port)], port)
        seen: list[bytes] = []
        asyncio.run(hammer(port, [lambda head: seen.append(head) or getter("/memory.json")(b"")], 0.2, 200))
        etag = etag_of(seen[-1]) or ""
        return [
            measure(
                "static file, conditional GET",
                port,
                [getter("/memory.json", condition=etag)] * connections,
                seconds,
                304,
            ),
            measure("static file, GET", port, [getter("/memory.json")] * connections, seconds, 200),
        ]


def service_figures(
    engine: str, database: str, folder: Path, seconds: float, connections: int
) -> tuple[list[Figure], list[dict[str, object]]]:
    port = free_port()
    with ExitStack() as stack:
        command = [
            sys.executable,
            "-m",
            "memdir.cli.main",
            "team",
            "serve",
            "--database",
            database,
            "--port",
            str(port),
            "--rate",
            "1000000",
            "--burst",
            "1000000",
        ]
        start(stack, command, port)
        db = Database(database)
        stack.callback(db.close)
        accounts = Accounts(db)
        repos = [f"bench/r{i}" for i in range(connections)]
        for repo in repos:
            accounts.set_member(accounts.create_repository(repo, NOW), "ann", "write")
        token, _ = accounts.create_token("ann", ("read", "write"), now=NOW)
        tags = {repo: accounts.access("ann", repo).tag or Tag("0" * 16, 0) for repo in repos}
        puts = measure(
            f"{engine}, PUT of 1 KB", port, [putter(r, token, tags[r]) for r in repos], seconds, 200
        )
        tag = accounts.access("ann", repos[0]).tag or tags[repos[0]]
        path = f"/v1/repos/{repos[0]}/memory"
        gets = measure(
            f"{engine}, conditional GET", port, [getter(path, token, tag.etag)] * connections, seconds, 304
        )
        full = measure(f"{engine}, GET of 1 KB", port, [getter(path, token)] * connections, seconds, 200)
        return [gets, full, puts], [
            growth(size, f"http://127.0.0.1:{port}", accounts, folder / f"{engine}-{size}") for size in SIZES
        ]


def growth(size: int, url: str, accounts: Accounts, base: Path) -> dict[str, object]:
    """Milliseconds of a synchronisation with `size` files: the first, an unchanged one, one after one edit, and the reader's."""
    repo = f"bench/grow{size}-{os.urandom(3).hex()}"
    accounts.set_member(accounts.create_repository(repo, NOW), "ann", "write")
    token, _ = accounts.create_token("ann", ("read", "write"), now=NOW)
    team = {}
    for name in ("writer", "reader"):
        root = base / name / "team"
        root.mkdir(parents=True)
        team[name] = TeamSync(
            TeamClient(url, repo, token), str(root), str(base / name / "state"), now=lambda: NOW
        )
    for i in range(size):
        (base / "writer" / "team" / f"project_{i}.md").write_text(
            f"---\nname: fact {i}\ndescription: What was decided about {i}\ntype: project\n---\n"
            + "word " * 150
        )
    old = time.time_ns() - 10**10
    for i in range(size):
        os.utime(base / "writer" / "team" / f"project_{i}.md", ns=(old, old))
    row: dict[str, object] = {
        "files": size,
        "first_push": _timed(team["writer"]),
        "first_pull": _timed(team["reader"]),
    }
    row["unchanged"] = statistics.median(_timed(team["writer"]) for _ in range(7))
    edits, pulls = [], []
    for i in range(5):
        (base / "writer" / "team" / "project_0.md").write_text(
            f"---\nname: fact 0\ndescription: What was decided about 0\ntype: project\n---\nedit {i}"
        )
        edits.append(_timed(team["writer"]))
        pulls.append(_timed(team["reader"]))
    return row | {"one_edit_pushed": statistics.median(edits), "one_edit_pulled": statistics.median(pulls)}


def _timed(team: TeamSync) -> float:
    started = time.perf_counter()
    report = team.sync(force=True)
    assert report.outcome == "ok", report.message
    return round((time.perf_counter() - started) * 1000, 1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    seconds, connections = min(args.seconds, 20.0), min(args.connections, 64)
    with tempfile.TemporaryDirectory(prefix="memdir-load-") as name, ExitStack() as stack:
        folder = Path(name)
        (folder / "static").mkdir()
        figures = static_figures(folder / "static", seconds, connections)
        rows = {}
        engines = [("SQLite", str(folder / "team.db"))]
        if POSTGRES:
            engines.append(("PostgreSQL", stack.enter_context(postgres())))
        for engine, url in engines:
            more, rows[engine] = service_figures(engine, url, folder, seconds, connections)
            figures += more
    if args.json:
        print(json.dumps({"figures": [vars(f) for f in figures], "growth": rows}, indent=1))
        return
    conditional, plain = figures[0].per_second, figures[1].per_second
    print(f"{'':34}{'req/s':>9}{'ratio':>8}{'p50 ms':>9}{'p99 ms':>9}{'errors':>8}")
    for f in figures:
        base = conditional if "conditional" in f.name else plain
        print(
            f"{f.name:34}{f.per_second:>9.0f}{f.per_second / base:>8.2f}{f.p50:>9.1f}{f.p99:>9.1f}{f.errors:>8}"
        )
    for engine, table in rows.items():
        print(f"\n{engine}: milliseconds of a synchronisation\n" + "".join(f"{k:>17}" for k in table[0]))
        for row in table:
            print("".join(f"{row[k]:>17}" for k in row))


if __name__ == "__main__":
    main()
