"""A second event loop in a thread of its own: the model's jobs run there, so that the reader's loop only waits.

One client of the model service belongs to it; loading the SDK, comparing ten thousand memories or waiting for an answer
never holds up a keystroke. Made when the first such job comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from memdir.agent.client import AnthropicClient

T = TypeVar("T")
_GOODBYE = 2.0  # seconds to let connections be closed
_CLEAN_UP = 10.0  # seconds that cancelled work has to put things back


class Side:
    """`run` carries out a coroutine there; cancelling the caller cancels it. `environ` has the key, if there is one."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: AnthropicClient | None = None

    @property
    def client(self) -> AnthropicClient:
        """The client of the model service; use it inside `run` only. Without a key its calls fail with that reason."""
        if self._client is None:
            from memdir.agent.client import AnthropicClient

            self._client = AnthropicClient(self._environ)
        return self._client

    async def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of `work()`, made and run on the side loop. A cancelled caller goes on when the work has cleaned up."""
        here, ended, begun = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

        async def begin() -> T:
            begun.set()
            try:
                return await work()
            finally:
                here.call_soon_threadsafe(ended.set)

        there = asyncio.run_coroutine_threadsafe(begin(), self._start())
        try:
            return await asyncio.wrap_future(there)
        except asyncio.CancelledError:
            if begun.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(ended.wait(), _CLEAN_UP)
            raise

    def _start(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=_live, args=(self._loop,), name="memdir-jobs", daemon=True).start()
        return self._loop

    def stop(self) -> None:
        """Cancel everything and end the thread, without waiting for it."""
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(lambda: loop.create_task(self._leave(loop)))

    async def _leave(self, loop: asyncio.AbstractEventLoop) -> None:
        others = [t for t in asyncio.all_tasks(loop) if t is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._client is not None:
            with contextlib.suppress(Exception):  # a connection that is gone already needs no closing
                await asyncio.wait_for(self._client.aclose(), _GOODBYE)
        loop.stop()


def _live(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()
    loop.close()
