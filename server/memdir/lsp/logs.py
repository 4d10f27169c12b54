"""Where the server's log goes: stderr always, the client's log for what a person should know. Never stdout."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
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
    handler.setLevel(level.upper())
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
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        tracing = self._server.protocol.trace != types.TraceValue.Off
        if record.levelno < logging.WARNING and not tracing:
            return
        kind = _KINDS.get(record.levelname, types.MessageType.Error)
        if threading.get_ident() == self._thread:
            self._server.say(kind, record.getMessage())
        elif not self._loop.is_closed():  # messages are written by one thread only
            self._loop.call_soon_threadsafe(self._server.say, kind, record.getMessage())


def follow_trace(value: types.TraceValue | str) -> None:
    """Make all our records while the client traces; stderr keeps its own level."""
    off = value == types.TraceValue.Off
    logging.getLogger("memdir").setLevel(logging.NOTSET if off else logging.DEBUG)
