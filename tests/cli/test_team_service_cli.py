"""`memdir team serve` and its accounts: the service as a process."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import httpx

from memdir.cli import main
from memdir.cli.env import CliEnv
from tests.team.served import NOW, wait_for


def run_admin(base: Path, *argv: str) -> tuple[int, str]:
    out = io.StringIO()
    env = CliEnv(
        environ={"HOME": str(base)}, cwd=str(base), stdout=out, stderr=io.StringIO(), now=lambda: NOW
    )
    return main.run(["team", *argv], env), out.getvalue()


def test_accounts(tmp_path: Path) -> None:
    db = ["--database", str(tmp_path / "t.db")]
    code, out = run_admin(
        tmp_path, "token", "create", "--subject", "ann", "--repository", "a/b", "--label", "laptop", *db
    )
    assert code == 0 and out.startswith("mdt_")
    code, listed = run_admin(tmp_path, "token", "list", "--json", *db)
    (row,) = json.loads(listed)
    assert row["state"] == "active" and row["label"] == "laptop" and out.strip() not in listed
    assert json.loads(run_admin(tmp_path, "member", "list", "a/b", "--json", *db)[1]) == {"ann": "write"}
    assert run_admin(tmp_path, "member", "add", "a/b", "https://i.example#bob", "--role", "read", *db)[0] == 0
    assert (
        run_admin(tmp_path, "member", "list", "a/b", *db)[1] == "write  ann\nread   https://i.example#bob\n"
    )
    assert run_admin(tmp_path, "member", "remove", "a/b", "ann", *db)[0] == 0
    assert run_admin(tmp_path, "token", "revoke", row["id"], *db)[0] == 0
    assert run_admin(tmp_path, "token", "revoke", row["id"], *db)[0] == 1
    assert "revoked" in run_admin(tmp_path, "token", "list", *db)[1]
    assert run_admin(tmp_path, "restored", *db) == (
        0,
        "1 repositories begin a new epoch; clients compare everything at their next pull.\n",
    )
    for wrong in (
        ["token", "create"],
        ["token", "create", "--subject", "a", "--scopes", "admin"],
        ["token", "create", "--subject", "a", "--expires", "soon"],
        ["token", "revoke"],
        ["token", "create", "--subject", "a", "--repository", "A B"],
        ["member", "add", "a/b"],
        ["member", "add", "../x", "ann"],
    ):
        assert run_admin(tmp_path, *wrong, *db)[0] == 2, wrong
    assert run_admin(tmp_path, "token", "list", "--database", str(tmp_path))[0] == 2


def test_serve_refuses_what_is_unsafe(tmp_path: Path) -> None:
    for wrong in (
        ["--host", "0.0.0.0"],
        ["--issuer", "https://i.example"],
        ["--issuer", "http://i.example", "--audience", "a"],
        ["--algorithm", "HS256"],
        ["--tls-cert", "x"],
        ["--rate", "0"],
        ["--database", str(tmp_path)],
    ):
        assert (
            run_admin(
                tmp_path,
                "serve",
                *(wrong if "--database" in wrong else [*wrong, "--database", str(tmp_path / "t.db")]),
            )[0]
            == 2
        ), wrong


def test_the_service_as_a_process(tmp_path: Path) -> None:
    import socket

    db = str(tmp_path / "t.db")
    token = run_admin(
        tmp_path,
        "token",
        "create",
        "--subject",
        "ann",
        "--repository",
        "a/b",
        "--expires",
        "never",
        "--database",
        db,
    )[1].strip()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "memdir.cli.main", "team", "serve", "--database", db, "--port", str(port)],
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    try:

        def up() -> bool:
            assert process.poll() is None, process.stderr and process.stderr.read()
            try:
                return httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False).status_code == 200
            except httpx.ConnectError:
                return False

        wait_for(up)
        answer = httpx.get(
            f"http://127.0.0.1:{port}/v1/repos/a/b",
            headers={"Authorization": f"Bearer {token}"},
            trust_env=False,
        )
        assert answer.status_code == 200 and answer.json()["rights"] == ["read", "write"]
    finally:
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)
    assert process.returncode in (0, -signal.SIGTERM)
    lines = [json.loads(line) for line in log.splitlines()]
    assert {"event", "status", "route", "subject"} <= set(lines[-1]) and lines[-1]["subject"] == "ann"
