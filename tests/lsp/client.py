"""A small language client over real stdio: strict about the protocol, with the abilities of real editors.

It answers what the server asks, collects what it is told, and fails a test when the server breaks the rules (an edit
that the client did not say it understands, an unknown request, something on stdout that is no message).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.lsp.edits import apply_edits, to_path
from tests.lsp.profiles import VSCODE, Json

DEADLINE = 60.0


class ServerError(Exception):
    """The server answered with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: int = error["code"]
        self.data: Any = error.get("data")


class Client:
    """One server process. `diagnostics` holds what the server pushed, by URI; `told` every notification."""

    def __init__(self, process: asyncio.subprocess.Process, capabilities: Json) -> None:
        self.process = process
        self.capabilities = capabilities
        self.settings: Json = {}
        self.diagnostics: dict[str, list[Json]] = {}
        self.published: list[tuple[str, int | None, int]] = []
        self.told: list[tuple[str, Any]] = []
        self.asked: list[tuple[str, Any]] = []
        self.edits: list[Json] = []
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.refusals: set[str] = set()
        self.silent: set[str] = set()  # questions that get no answer
        self.choices: list[str] = []  # titles that the person picks in the next questions
        self.stderr = b""
        self.server: Json = {}
        self.encoding = "utf-16"
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._serial = 0
        self._changed = asyncio.Event()
        self._fault: Exception | None = None
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._drain())]

    @classmethod
    async def start(
        cls, capabilities: Json = VSCODE, *, args: tuple[str, ...] = (), env: dict[str, str] | None = None
    ) -> Client:
        """Start a server process; nothing is said to it yet."""
        root = Path(__file__).parents[2]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "memdir.cli.main", "serve", *args,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(root / "server"), **(env or {})}, limit=1 << 24,
        )  # fmt: skip
        return cls(process, deepcopy(capabilities))

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._fault is not None:
            raise self._fault

    # wire

    async def _drain(self) -> None:
        assert self.process.stderr is not None
        while chunk := await self.process.stderr.read(65536):
            self.stderr += chunk

    async def _read(self) -> None:
        assert self.process.stdout is not None
        stream = self.process.stdout
        try:
            while line := await stream.readline():
                assert line.lower().startswith(b"content-"), f"not a header on stdout: {line!r}"
                length = 0
                while line.strip():
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                    line = await stream.readline()
                self._receive(json.loads(await stream.readexactly(length)))
        except Exception as error:
            self._fault = error
        finally:
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(
                        self._fault or ConnectionError("the server has gone: " + self.stderr.decode()[-2000:])
                    )
            self._changed.set()

    def _receive(self, message: Json) -> None:
        assert message["jsonrpc"] == "2.0"
        if "method" not in message:
            future = self._waiting.pop(message["id"], None) if message["id"] is not None else None
            if future is not None and not future.done():
                if "error" in message:
                    future.set_exception(ServerError(message["error"]))
                else:
                    assert "result" in message, message
                    future.set_result(message["result"])
            elif "error" in message:
                self.told.append(("error", message["error"]))
        elif "id" in message:
            self.asked.append((message["method"], message.get("params")))
            self._answer(message)
        else:
            self._notified(message["method"], message.get("params"))
        self._changed.set()

    def _notified(self, method: str, params: Any) -> None:
        self.told.append((method, params))
        if method == "textDocument/publishDiagnostics":
            uri, version = params["uri"], params.get("version")
            if version is not None and uri in self.versions:
                assert version <= self.versions[uri]
            self.diagnostics[uri] = params["diagnostics"]
            self.published.append((uri, version, len(params["diagnostics"])))

    def _answer(self, message: Json) -> None:
        method, params = message["method"], message.get("params")
        result: Any = None
        if method in self.silent:
            return
        if method in self.refusals:
            self.send({"id": message["id"], "error": {"code": -32603, "message": "refused"}})
            return
        if method == "workspace/configuration":
            assert self.has("workspace.configuration")
            result = [self.settings if item.get("section") == "memdir" else None for item in params["items"]]
        elif method == "workspace/applyEdit":
            self.apply(params["edit"])
            self.edits.append(params["edit"])
            result = {"applied": True}
        elif method == "window/showDocument":
            result = {"success": True}
        elif method == "window/showMessageRequest":
            titles = [action["title"] for action in params.get("actions") or []]
            result = next(({"title": t} for t in titles if self.choices and t == self.choices[0]), None)
            del self.choices[:1]
        elif method.endswith("/refresh"):
            kind = method.split("/")[1]
            name = {"diagnostic": "diagnostics"}.get(kind, kind)
            assert self.has(f"workspace.{name}.refreshSupport"), f"{method} was not offered"
        else:
            assert method in ("client/registerCapability", "window/workDoneProgress/create"), (
                f"unknown request {method}"
            )
        self.send({"id": message["id"], "result": result})

    def has(self, path: str) -> bool:
        """The client announced this ability."""
        value: Any = self.capabilities
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return value is not None and value is not False

    def send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def send_raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    # calls

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params} if params is not None else {"method": method})

    def start_request(self, method: str, params: Any = None) -> tuple[int, asyncio.Future[Any]]:
        """Send a request; gives its id and the future of its result."""
        self._serial += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[self._serial] = future
        self.send({"id": self._serial, "method": method} | ({"params": params} if params is not None else {}))
        return self._serial, future

    async def request(self, method: str, params: Any = None) -> Any:
        _, future = self.start_request(method, params)
        return await asyncio.wait_for(future, DEADLINE)

    async def until(self, condition: Callable[[], Any], what: str = "", timeout: float = DEADLINE) -> Any:
        """Wait until `condition` holds; it is asked after every message, and now and then (files appear in silence)."""
        end = asyncio.get_running_loop().time() + timeout
        while True:
            self._changed.clear()
            if found := condition():
                return found
            if self._fault is not None:
                raise self._fault
            left = end - asyncio.get_running_loop().time()
            try:
                await asyncio.wait_for(self._changed.wait(), min(left, 0.1))
            except TimeoutError:
                if left > 0.1:
                    continue
                raise AssertionError(
                    f"nothing in {timeout} s: {what or condition}\n{self.stderr.decode()[-3000:]}\n{self.told[-5:]}"
                ) from None

    async def initialize(self, *folders: Path, options: Any = None, locale: str = "en", **extra: Any) -> Json:
        """initialize and initialized; `folders` are the workspace folders."""
        params = {
            "processId": os.getpid(),
            "rootUri": folders[0].as_uri() if folders else None,
            "capabilities": self.capabilities,
            "locale": locale,
            "workspaceFolders": [{"uri": f.as_uri(), "name": f.name} for f in folders] or None,
            **({"initializationOptions": options} if options is not None else {}),
            **extra,
        }
        self.server = await self.request("initialize", params)
        self.encoding = self.server["capabilities"].get("positionEncoding", "utf-16")
        self.notify("initialized", {})
        return self.server

    async def shutdown(self) -> int:
        """Leave politely; gives the exit code."""
        await self.request("shutdown")
        self.notify("exit")
        return await asyncio.wait_for(self.process.wait(), DEADLINE)

    # texts

    def open(self, path: Path, text: str | None = None, language: str = "markdown") -> str:
        uri = path.as_uri()
        self.texts[uri] = path.read_text("utf-8", "surrogateescape") if text is None else text
        self.versions[uri] = 1
        item = {"uri": uri, "languageId": language, "version": 1, "text": self.texts[uri]}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, text: str) -> None:
        self.texts[uri] = text
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def close(self, uri: str) -> None:
        del self.texts[uri]
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    async def run(self, command: str, **argument: Any) -> Any:
        """Carry out a command of the server with one object as its argument."""
        return await self.request("workspace/executeCommand", self.call(command, **argument))

    @staticmethod
    def call(command: str, **argument: Any) -> Json:
        return {"command": f"memdir.server.{command}", "arguments": [argument]}

    async def pull(self, uri: str, previous: str | None = None) -> Json:
        params: Json = {"textDocument": {"uri": uri}}
        if previous is not None:
            params["previousResultId"] = previous
        return dict(await self.request("textDocument/diagnostic", params))

    async def actions(
        self, uri: str, where: Json, diagnostics: list[Json] | None = None, only: list[str] | None = None
    ) -> list[Json]:
        context: Json = {"diagnostics": diagnostics or []} | ({"only": only} if only else {})
        found = await self.request(
            "textDocument/codeAction", {"textDocument": {"uri": uri}, "range": where, "context": context}
        )
        return list(found or [])

    # edits

    def apply(self, edit: Json) -> None:
        """Carry out a workspace edit on texts and files, refusing what this client never said it can do."""
        if "changes" in edit:
            for uri, edits in edit["changes"].items():
                self._edit(uri, edits)
        for operation in edit.get("documentChanges", []):
            assert self.has("workspace.workspaceEdit.documentChanges")
            kind = operation.get("kind")
            if "annotationId" in operation:
                assert operation["annotationId"] in edit["changeAnnotations"]
            if kind is None:
                document = operation["textDocument"]
                if document["version"] is not None:
                    assert document["version"] == self.versions[document["uri"]], "edit for another version"
                for each in operation["edits"]:
                    if "annotationId" in each:
                        assert self.has("workspace.workspaceEdit.changeAnnotationSupport")
                        assert each["annotationId"] in edit["changeAnnotations"]
                self._edit(document["uri"], operation["edits"])
                continue
            assert kind in self.capabilities["workspace"]["workspaceEdit"]["resourceOperations"]
            if kind == "create":
                target = to_path(operation["uri"])
                assert not target.exists()
                target.parent.mkdir(parents=True, exist_ok=True)
                target.touch()
            elif kind == "rename":
                old, new = to_path(operation["oldUri"]), to_path(operation["newUri"])
                assert not new.exists()
                new.parent.mkdir(parents=True, exist_ok=True)
                old.rename(new)
                if operation["oldUri"] in self.texts:
                    text = self.texts[operation["oldUri"]]
                    self.close(operation["oldUri"])
                    self.open(new, text)
            else:
                to_path(operation["uri"]).unlink()

    def _edit(self, uri: str, edits: list[Json]) -> None:
        if uri in self.texts:
            self.change(uri, apply_edits(self.texts[uri], edits, self.encoding))
        else:
            path = to_path(uri)
            path.write_bytes(apply_edits(path.read_bytes().decode(), edits, self.encoding).encode())
