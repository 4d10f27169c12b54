"""What no client should send, and what happens then: an answer, never silence, never an end."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.lsp.client import Client, ServerError
from tests.lsp.conftest import Place, Start, codes
from tests.lsp.profiles import PLAIN, VSCODE


async def refused(client: Client, method: str, params: Any = None) -> int:
    with pytest.raises(ServerError) as error:
        await client.request(method, params)
    return error.value.code


async def test_malformed_parameters_are_answered(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    client = await start(VSCODE)
    for method, params in (
        ("textDocument/hover", None),
        ("textDocument/hover", {"textDocument": 7}),
        ("textDocument/codeAction", {"textDocument": {"uri": "file:///x.md"}}),
        ("textDocument/diagnostic", []),
        ("textDocument/documentLink", {"textDocument": {}}),
        ("workspace/executeCommand", {"command": 5, "arguments": "x"}),
    ):
        assert await refused(client, method, params) == -32602, method
    assert await refused(client, "workspace/executeCommand", {"command": "no.such.command"}) == -32602
    assert await refused(client, "no/such/method", {}) == -32601
    for params in (None, {}, [], 3, {"folder": 9}, {"folder": None}):
        assert (await client.request("memdir/status", params))["folders"]
        assert "roots" in await client.request("memdir/tree", params)
    assert (await client.request("memdir/status", {"folder": "file:///nowhere"}))["folders"] == []
    assert (
        await client.request(
            "workspace/executeCommand", {"command": "memdir.server.applyFix", "arguments": ["x"]}
        )
        is False
    )
    assert client.process.returncode is None


async def test_broken_messages_are_answered(place: Place, start: Start) -> None:
    client = await start(PLAIN)
    for body, code in (
        (b"{not json", -32700),
        (b"[1, 2]", -32600),
        (b'{"id": 1, "method": "x"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "memdir/status"}', -32600),
        (b"[" * 100_000, -32700),
    ):
        before = len(client.told)
        client.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        await client.until(
            lambda n=before, c=code: any(m == "error" and e["code"] == c for m, e in client.told[n:])
        )
    client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": "file:///never/opened.md", "version": 2}, "contentChanges": [{"text": "x"}]},
    )
    client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///never/opened.md"}})
    client.notify("textDocument/didSave", {"textDocument": {"uri": "file:///never/opened.md"}})
    client.notify("textDocument/didOpen", {"textDocument": "what"})
    client.notify("$/cancelRequest", {"id": 12345})
    client.notify("no/such/notification", {})
    client.send({"id": 999, "result": None})
    client.send({"jsonrpc": "2.0"})
    assert (await client.request("memdir/status"))["folders"]


async def test_header_forms(place: Place, start: Start) -> None:
    client = await start(PLAIN)
    body = json.dumps({"jsonrpc": "2.0", "id": 77, "method": "memdir/status"}).encode()
    future = asyncio.get_running_loop().create_future()
    client._waiting[77] = future
    head = b"content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:%d\r\n\r\n" % len(body)
    for part in (head[:20], head[20:], body[:10], body[10:]):
        client.send_raw(part)
        await asyncio.sleep(0)
    assert "folders" in await asyncio.wait_for(future, 20)


async def test_before_and_after_the_session(place: Place) -> None:
    async with await Client.start() as client:
        assert await refused(client, "memdir/status") == -32002
        await client.initialize(place.repo)
        assert await client.request("shutdown") is None
        assert await refused(client, "memdir/status") == -32600
        client.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": "file:///x.md", "languageId": "x", "version": 1, "text": ""}},
        )
        client.notify("exit")
        assert await asyncio.wait_for(client.process.wait(), 20) == 0
        assert client.stderr == b""


async def test_exit_without_shutdown_and_a_client_that_vanishes(place: Place) -> None:
    async with await Client.start() as client:
        await client.initialize(place.repo)
        client.notify("exit")
        assert await asyncio.wait_for(client.process.wait(), 20) == 1
    async with await Client.start() as client:
        await client.initialize(place.repo)
        await client.request("memdir/status")
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert await asyncio.wait_for(client.process.wait(), 20) == 0
        assert client.stderr == b""


async def test_cancelled_requests_are_answered_as_such(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md")
    client = await start(VSCODE)
    uri = client.open(path)
    ids = [client.start_request("textDocument/diagnostic", {"textDocument": {"uri": uri}}) for _ in range(20)]
    for ident, _ in ids:
        client.notify("$/cancelRequest", {"id": ident})
    results = await asyncio.wait_for(asyncio.gather(*(f for _, f in ids), return_exceptions=True), 20)
    assert all(isinstance(r, dict) or (isinstance(r, ServerError) and r.code == -32800) for r in results)
    assert any(isinstance(r, ServerError) for r in results)
    assert (await client.pull(uri))["kind"] == "full"


async def test_a_client_that_refuses_everything(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md", type="feedbak")
    async with await Client.start(VSCODE) as client:
        client.refusals = {
            "workspace/configuration",
            "client/registerCapability",
            "workspace/applyEdit",
            "workspace/diagnostic/refresh",
        }
        await client.initialize(place.repo)
        uri = client.open(path)
        assert "type-unknown" in codes((await client.pull(uri))["items"])
        argument = {"uri": uri, "rule": "type-unknown", "position": {"line": 3, "character": 6}, "fix": 0}
        done = await client.request(
            "workspace/executeCommand", {"command": "memdir.server.applyFix", "arguments": [argument]}
        )
        assert done is False
        assert "feedbak" in path.read_text()


async def test_virtual_and_absent_folders(place: Place) -> None:
    async with await Client.start() as client:
        await client.initialize(
            workspaceFolders=[
                {"uri": "vscode-vfs://github/x/y", "name": "y"},
                {"uri": "file:///no/such/folder", "name": "n"},
            ]
        )
        status = await client.request("memdir/status")
        assert [f["exists"] for f in status["folders"]] == [False]
        assert status["folders"][0]["health"] == "none"
    async with await Client.start() as client:
        await client.initialize(workspaceFolders=None, rootUri=None, rootPath=str(place.repo))
        assert (await client.request("memdir/status"))["folders"][0]["owner"] == str(place.repo)
    async with await Client.start() as client:
        await client.initialize()
        assert (await client.request("memdir/status"))["folders"] == []
        assert (await client.request("memdir/tree"))["roots"] == []


async def test_hostile_texts_are_survived(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    client = await start(PLAIN)
    uri = client.open(place.memory / "feedback_x.md", "")
    for text in (
        "\ufeff---\nname: x\n---\n",
        "\x00\x00",
        "---\n" * 500,
        "[" * 20_000,
        "> " * 2_000,
        "\u2028\x0c\x85\r\r\n\n",
        "<!-- memdir: ignore",
        "`" * 3_000,
    ):
        client.change(uri, text)
        await client.request("memdir/status")  # what came before it has been read
    await client.until(lambda: uri in client.diagnostics)
    answer = await client.request("memdir/status")
    assert answer["folders"][0]["health"] != "error" or answer["folders"][0]["problems"]["error"]
    assert all("internal-error" not in codes(d) for d in client.diagnostics.values())
