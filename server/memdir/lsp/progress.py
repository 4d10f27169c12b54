"""Progress that a person sees while something takes long, and can cancel."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.core.i18n import Message, render

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)


class Progress:
    """Reports to the client, or to nobody when it shows none."""

    def __init__(self, server: MemdirServer, token: str | int | None) -> None:
        self._server, self._token = server, token
        self._locale = server.client.locale

    def report(self, message: Message, percent: int | None = None) -> None:
        """Say what is being done; `percent` from 0 to 100."""
        if self._token is not None:
            value = types.WorkDoneProgressReport(message=render(message, self._locale), percentage=percent)
            self._server.work_done_progress.report(self._token, value)


@asynccontextmanager
async def progress(
    server: MemdirServer, title: Message, token: str | int | None = None, *, cancellable: bool = False
) -> AsyncIterator[Progress]:
    """Show progress while the block runs. `token` is the client's own; without one a new one is made.

    Cancelling in the editor cancels the task that entered the block.
    """
    locale = server.client.locale
    if token is None and server.client.progress:
        fresh = f"memdir-{uuid.uuid4().hex}"  # a token cannot be used twice
        try:
            await asyncio.wait_for(server.work_done_progress.create_async(fresh), 5)
            token = fresh
        except (RuntimeError, TimeoutError) as error:
            logger.debug("The client shows no progress: %s", error)
    shown = Progress(server, token)
    if token is None:
        yield shown
        return
    begin = types.WorkDoneProgressBegin(title=render(title, locale), cancellable=cancellable)
    server.work_done_progress.begin(token, begin)
    task = asyncio.current_task()
    future = server.work_done_progress.tokens.get(token)
    loop = asyncio.get_running_loop()
    if future is not None and task is not None and cancellable:
        future.add_done_callback(lambda f: f.cancelled() and loop.call_soon(task.cancel))
    try:
        yield shown
    finally:
        server.work_done_progress.end(token, types.WorkDoneProgressEnd())
        server.work_done_progress.tokens.pop(token, None)
