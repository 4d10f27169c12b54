"""`memdir serve`: arguments, the loopback connection, logs."""

from __future__ import annotations

import asyncio
import io
import re
import sys
from pathlib import Path

import pytest

from memdir.cli.env import CliEnv
from memdir.cli.main import run
from tests.lsp.client import Client
from tests.lsp.conftest import Place
from tests.lsp.profiles import VSCODE


@pytest.mark.parametrize(
    "value", ["0.0.0.0:2087", "8.8.8.8:1", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:99999", "[::]:2087"]
)
def test_addresses_of_others_are_refused(value: str, tmp_path: Path) -> None:
    env = CliEnv({"LC_ALL": "C"}, str(tmp_path), io.StringIO(), io.StringIO(), io.StringIO())
    assert run(["serve", "--tcp", value], env) == 2
    assert "127.0.0.1" in env.stderr.getvalue()  # type: ignore[attr-defined]


async def test_one_client_over_tcp(place: Place) -> None:
    place.topic("feedback_a.md")
    root = Path(__file__).parents[2] / "server"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "memdir.cli.main", "serve", "--tcp", "127.0.0.1:0",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, cwd=root,
    )  # fmt: skip
    assert process.stderr is not None and process.stdout is not None
    line = (await asyncio.wait_for(process.stderr.readline(), 30)).decode()
    port = int(re.search(r":(\d+)\.", line)[1])  # type: ignore[index]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
    writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    header = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
    length = int(re.search(rb"Content-Length: (\d+)", header)[1])  # type: ignore[index]
    assert b'"capabilities"' in await reader.readexactly(length)
    second, closing = await asyncio.open_connection("127.0.0.1", port)
    assert await asyncio.wait_for(second.read(), 30) == b""  # nobody else gets in
    closing.close()
    writer.close()
    assert await asyncio.wait_for(process.wait(), 30) == 0
    assert await process.stdout.read() == b""


async def test_logs_go_to_stderr_and_traces_to_the_client(place: Place) -> None:
    place.topic("feedback_a.md")
    async with await Client.start(VSCODE, args=("--log-level", "info")) as client:
        await client.initialize(place.repo)
        await client.until(lambda: b"Read 1 files" in client.stderr)
        assert b"Sending data" not in client.stderr
        client.notify("$/setTrace", {"value": "verbose"})
        await client.request("memdir/status")
        told = await client.until(lambda: [p["message"] for m, p in client.told if m == "window/logMessage"])
        assert re.fullmatch(r"memdir/status: \d+\.\d ms", told[0])
        client.notify("$/setTrace", {"value": "off"})
        before = len(client.told)
        await client.request("memdir/types")
        assert [m for m, _ in client.told[before:] if m == "window/logMessage"] == []
