"""Bytes in and out: message framing over stdio or one loopback connection.

Not pygls' own loop: that one hops to a thread for every header line, never answers what it cannot read, and blocks
all work while a slow client lets a pipe fill up.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import stat
import sys
import threading
from typing import IO, Protocol

logger = logging.getLogger(__name__)

MAX_MESSAGE = 64 << 20  # bytes; a request larger than this is no request
_LIMIT = 1 << 16


class Receiver(Protocol):
    """What the loop feeds."""

    def receive(self, body: bytes) -> None:
        """Handle one message body. Must not raise for bad messages."""
        ...


class BlockingWriter:
    """Writes to a blocking stream."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:  # an unbuffered stream may take a part only
            rest = rest[self._stream.write(rest) :]

    async def close(self) -> None:
        """Nothing is buffered here."""


class PipeWriter:
    """Writes without blocking; what the pipe can't take yet is kept and sent when it can."""

    def __init__(self, transport: asyncio.WriteTransport, closed: asyncio.Future[None]) -> None:
        self._transport = transport
        self._closed = closed

    def write(self, data: bytes) -> None:
        if self._transport.is_closing():
            raise BrokenPipeError("the client has closed the connection")
        self._transport.write(data)

    async def close(self) -> None:
        """Wait until everything written has left (at most two seconds: a client that is gone reads nothing)."""
        self._transport.close()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._closed), 2)


class _WritePipe(asyncio.BaseProtocol):
    def __init__(self, closed: asyncio.Future[None]) -> None:
        self._closed = closed

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._closed.done():
            self._closed.set_result(None)


async def messages(reader: asyncio.StreamReader, receiver: Receiver) -> None:
    """Read framed messages until the stream ends and give each body to `receiver`.

    Raises ValueError for a stream that is not framed as the protocol says: nothing after that can be trusted.
    """
    while True:
        length = -1
        while True:
            line = await reader.readline()
            if not line:
                return
            name, colon, value = line.partition(b":")
            if not line.strip():
                if length >= 0:
                    break
            elif colon and name.strip().lower() == b"content-length":
                length = int(value)
                if not 0 <= length <= MAX_MESSAGE:
                    raise ValueError(f"a message of {length} bytes is out of range")
        try:
            body = await reader.readexactly(length)
        except asyncio.IncompleteReadError:
            return
        receiver.receive(body)


async def open_stdio(
    stdin: IO[bytes], stdout: IO[bytes]
) -> tuple[asyncio.StreamReader, PipeWriter | BlockingWriter]:
    """Reader and writer over the standard streams, polled where the platform can."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(_LIMIT, loop=loop)
    writer: PipeWriter | BlockingWriter = BlockingWriter(stdout)
    if _pollable(stdin):
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader, loop=loop), stdin)
    else:  # Windows, or a file: a thread that nobody waits for at the end, since it may sit in a read for ever
        threading.Thread(target=_pump, args=(stdin, reader, loop), name="stdin", daemon=True).start()
    if _pollable(stdout):
        closed: asyncio.Future[None] = loop.create_future()
        transport, _ = await loop.connect_write_pipe(lambda: _WritePipe(closed), stdout)
        writer = PipeWriter(transport, closed)
    return reader, writer


def _pump(stream: IO[bytes], reader: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    with contextlib.suppress(RuntimeError):  # the loop has ended
        while data := os.read(stream.fileno(), _LIMIT):
            loop.call_soon_threadsafe(reader.feed_data, data)
        loop.call_soon_threadsafe(reader.feed_eof)


def _pollable(stream: IO[bytes]) -> bool:
    if sys.platform == "win32":
        return False
    mode = os.fstat(stream.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def is_loopback(host: str) -> bool:
    """True when every address that `host` means is of this machine only. Raises OSError for names unknown."""
    found = {str(info[4][0]) for info in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    return bool(found) and all(a == "::1" or a.startswith("127.") for a in found)
