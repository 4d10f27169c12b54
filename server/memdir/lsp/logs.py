"""Where the server's log goes: stderr always, the client's log for what a person should know. Never stdout."""

from __future__ import annotations

import logging
import sys
import time
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

LEVELS = ("debug", "info", "warning", "error")
_KINDS = {
    "DEBUG": types.MessageType.Debug,
    "INFO": types.MessageType.Info,
    "WARNING": types.MessageType.Warning,
}


def set_up(level: str) -> None:
    """Log to stderr from `level` on. pygls' own log below warnings holds whole messages, so it needs debug."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    if level != "debug":
        for name in ("pygls", "asyncio", "watchfiles"):
            logging.getLogger(name).setLevel(logging.ERROR)


class ClientLog(logging.Handler):
    """Sends our own records to the client: warnings always, everything while it traces."""

    def __init__(self, server: MemdirServer) -> None:
        super().__init__(logging.DEBUG)
        self._server = server

    def emit(self, record: logging.LogRecord) -> None:
        tracing = self._server.protocol.trace != types.TraceValue.Off
        if record.levelno < logging.WARNING and not tracing:
            return
        kind = _KINDS.get(record.levelname, types.MessageType.Error)
        self._server.say(kind, record.getMessage())


class Stopwatch:
    """Traces how long a request took, while the client asks for it (`$/setTrace`)."""

    def __init__(self, server: MemdirServer, method: str) -> None:
        self._server, self._method, self._start = server, method, time.perf_counter()

    def __call__(self, *_: object) -> None:
        if self._server.protocol.trace != types.TraceValue.Off:
            took = (time.perf_counter() - self._start) * 1000
            self._server.say(types.MessageType.Debug, f"{self._method}: {took:.1f} ms")
