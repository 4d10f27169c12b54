"""Running the server over stdio or one TCP connection of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from memdir.lsp.transport import messages, open_stdio

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)


def run_stdio(server: MemdirServer) -> int:
    """Serve standard input and output until the client leaves; gives the exit code."""

    # The protocol gets descriptors of its own; whatever else is printed lands on stderr and can't break the stream.
    stdin, stdout = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)

    async def main() -> None:
        reader, writer = await open_stdio(stdin, stdout)
        server.protocol.set_writer(writer)  # type: ignore[arg-type]  # pygls awaits whatever is awaitable
        await _serve(server, reader)

    return _run(main)


def run_tcp(server: MemdirServer, host: str, port: int, announce: Callable[[str, int], None]) -> int:
    """Serve the first connection to `host`:`port`; `announce` hears the address once it is open (port 0: any)."""

    async def main() -> None:
        done = asyncio.Event()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if server.protocol.writer is not None:
                writer.close()  # one server, one client: a second one would see the first one's answers
                return
            server.protocol.set_writer(_Stream(writer))  # type: ignore[arg-type]  # as above
            try:
                await _serve(server, reader)
            finally:
                done.set()

        listener = await asyncio.start_server(connected, host, port)
        where = listener.sockets[0].getsockname()
        announce(where[0], where[1])
        async with listener:
            await done.wait()

    return _run(main)


class _Stream:
    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


async def _serve(server: MemdirServer, reader: asyncio.StreamReader) -> None:
    try:
        await messages(reader, server.protocol)
    except (ValueError, ConnectionError) as error:
        logger.error("The connection can't be read any more: %s", error)
    finally:
        server.stop()


def _run(main: Callable[[], object]) -> int:
    try:
        asyncio.run(main())  # type: ignore[arg-type]  # both mains are coroutine functions
    except KeyboardInterrupt:
        return 130
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    return 0
