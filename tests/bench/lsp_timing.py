"""Times a language server over stdio as an editor sees it: start, first diagnostics, keystrokes, a burst, memory, idle.

Standard library only and one thread, so that the client's own share stays small.
"""

from __future__ import annotations

import json
import os
import re
import select
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CAPABILITIES = {
    "workspace": {"configuration": True, "workspaceFolders": True},
    "textDocument": {"synchronization": {"didSave": True}, "publishDiagnostics": {"versionSupport": True}},
    "general": {"positionEncodings": ["utf-16"]},
}
_LENGTH = re.compile(rb"Content-Length: *(\d+)", re.I)


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds from the start of the process, from the edit, or (`disk`) from another program's write of a closed file;
    MiB; percent of a core. `busy`: median of edits while the directory is still being checked."""

    initialize: float
    first_diagnostic: float
    busy: float
    edit_median: float
    edit_p95: float
    burst: float
    disk: float | None
    peak: float
    idle_cpu: float


class Client:
    """A connection to one fresh server process."""

    def __init__(self, command: Sequence[str], root: str, env: Mapping[str, str]) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
            bufsize=0,
            env=dict(env),
        )
        assert self.process.stdin and self.process.stdout
        self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        self._buffer, self._id = b"", 0

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
        data = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        while data:
            data = data[os.write(self._in, data) :]

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any, timeout: float = 60) -> Any:
        self._id += 1
        wanted = self._id
        self.send({"id": wanted, "method": method, "params": params})
        return self.until(lambda m: m.get("id") == wanted and "method" not in m, timeout)

    def until(self, wanted: Callable[[dict[str, Any]], bool], timeout: float) -> dict[str, Any] | None:
        end = time.perf_counter() + timeout
        while (message := self._read(end - time.perf_counter())) is not None:
            if "method" in message and "id" in message:
                items = (
                    message.get("params", {}).get("items")
                    if message["method"] == "workspace/configuration"
                    else None
                )
                self.send({"id": message["id"], "result": [None] * len(items) if items is not None else None})
            if wanted(message):
                return message
        return None

    def _read(self, timeout: float) -> dict[str, Any] | None:
        end = time.perf_counter() + timeout
        while True:
            head = self._buffer.find(b"\r\n\r\n")
            if head >= 0:
                match = _LENGTH.search(self._buffer[:head])
                assert match
                size = head + 4 + int(match[1])
                if len(self._buffer) >= size:
                    body, self._buffer = self._buffer[head + 4 : size], self._buffer[size:]
                    message: dict[str, Any] = json.loads(body)
                    return message
            left = end - time.perf_counter()
            if left <= 0 or not select.select([self._out], [], [], left)[0]:
                return None
            data = os.read(self._out, 1 << 20)
            if not data:
                raise EOFError(f"the server ended with {self.process.poll()}")
            self._buffer += data

    def since_start(self) -> float:
        return (time.perf_counter() - self.started) * 1000

    def stop(self) -> None:
        self.request("shutdown", None, 5)
        self.notify("exit", None)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _tree(pid: int) -> list[int]:
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        for task in Path(f"/proc/{found[-1]}/task").glob("*/children"):
            todo += [int(p) for p in task.read_text().split()]
    return found


def _cpu(pid: int) -> float:
    ticks = 0
    for p in _tree(pid):
        fields = Path(f"/proc/{p}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> float:
    total = 0
    for p in _tree(pid):
        match = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{p}/status").read_text())
        total += int(match[1]) if match else 0
    return total / 1024


def time_server(
    command: Sequence[str],
    root: str,
    file: str,
    env: Mapping[str, str],
    *,
    starts: int = 5,
    other: str | None = None,
    edits: int = 100,
    idle: float = 10,
) -> Timing:
    """Medians over `starts` fresh processes; edits, burst, changes of `other` on the disk and idle in the last one."""
    initialize, first = [], []
    for n in range(starts):
        last = n == starts - 1
        client = Client(command, root, env)
        uri, text = Path(file).as_uri(), Path(file).read_text(encoding="utf-8")
        folder = Path(root).as_uri()
        params = {
            "processId": os.getpid(),
            "rootUri": folder,
            "workspaceFolders": [{"uri": folder, "name": "w"}],
            "capabilities": CAPABILITIES,
        }
        assert client.request("initialize", params), "no answer to initialize"
        initialize.append(client.since_start())
        client.notify("initialized", {})
        client.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "markdown", "version": 1, "text": text}},
        )
        assert _published(client, uri, 1), "no diagnostics"
        first.append(client.since_start())
        if last:
            busy, _, _ = _edits(client, uri, text, 30, version=1)
            _settle(client)
            timing = _edits(client, uri, text, edits, version=1000)
            disk = _disk(client, Path(other)) if other is not None else None
            _settle(client)
            before, clock = _cpu(client.process.pid), time.perf_counter()
            client.until(lambda m: False, idle)
            percent = (_cpu(client.process.pid) - before) / (time.perf_counter() - clock) * 100
            peak = _peak(client.process.pid)
        client.stop()
    return Timing(statistics.median(initialize), statistics.median(first), busy, *timing, disk, peak, percent)


def _published(client: Client, uri: str, version: int) -> bool:
    def wanted(m: dict[str, Any]) -> bool:
        params = m.get("params") or {}
        return (
            m.get("method") == "textDocument/publishDiagnostics"
            and params["uri"] == uri
            and params.get("version") in (None, version)
        )

    return client.until(wanted, 30) is not None


def _disk(client: Client, path: Path, changes: int = 15) -> float:
    """Median ms from a write to the diagnostics that follow from it; the file is left as it was."""
    whole, times = path.read_bytes(), []
    text = whole.decode("utf-8")
    match = re.search(r"^type: .*$", text, re.M)
    assert match, "the file has no type line to change"
    for n in range(changes):
        start = time.perf_counter()
        path.write_text(text if n % 2 else f"{text[: match.end()]}x{text[match.end() :]}", encoding="utf-8")
        assert _published(client, path.as_uri(), 0), f"no diagnostics for change {n}"
        times.append((time.perf_counter() - start) * 1000)
        client.until(lambda m: False, 0.11 + 0.007 * n)  # in no step with the watcher
    path.write_bytes(whole)
    return statistics.median(times)


def _settle(client: Client) -> None:
    """Wait until the server has nothing more to do."""
    before = _cpu(client.process.pid)
    for _ in range(120):
        client.until(lambda m: False, 1.0)
        now = _cpu(client.process.pid)
        if now - before < 0.05:
            return
        before = now
    raise AssertionError("the server is still busy after two minutes")


def _edits(client: Client, uri: str, text: str, edits: int, *, version: int) -> tuple[float, float, float]:
    """(median, p95) of single keystrokes that change the findings, and 20 keystrokes at once, in ms."""
    match = re.search(r"^type: .*$", text, re.M)
    assert match, "the file has no type line to edit"
    at, times = match.end(), []
    for n in range(edits):
        version += 1
        body = text[:at] + ("x" if n % 2 == 0 else "") + text[at:]
        start = time.perf_counter()
        client.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": body}]},
        )
        assert _published(client, uri, version), f"no diagnostics for edit {n}"
        times.append((time.perf_counter() - start) * 1000)
        client.until(lambda m: False, 0.02)
    start = time.perf_counter()
    for n in range(20):
        version += 1
        client.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"text": text[:at] + "y" * (n + 1) + text[at:]}],
            },
        )
    assert _published(client, uri, version), "no diagnostics after a burst"
    burst = (time.perf_counter() - start) * 1000
    times.sort()
    return statistics.median(times), times[int(len(times) * 0.95)], burst
