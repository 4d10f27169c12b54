"""When work is done: what a person waits for at once, everything else in slices between messages.

All state lives on the event loop, so nothing needs a lock and a result can never belong to an older text. Long work is
an iterator of small steps; it runs at most SLICE seconds at a time, and each keystroke goes first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Hashable, Iterator

logger = logging.getLogger(__name__)

SLICE = 0.002  # seconds of background work between two looks at the client (a quarter of a 120 Hz frame)
# Turns of the loop between two slices. A message takes several: its bytes arrive, the reader wakes, the work it asked for
# is due, an answer is written. With one turn between slices each of these would wait for a slice of its own.
HOPS = 6
QUIET = 0.03  # seconds without a further change before other files are checked again
PATIENCE = 0.3  # seconds after which they are checked even while somebody types on


class Scheduler:
    """Runs work on the loop that is current when the first piece arrives. `clock` gives seconds, monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._urgent: dict[Hashable, Callable[[], None]] = {}
        self._armed = False
        self._jobs: list[Iterator[object]] = []
        self._worker: asyncio.Task[None] | None = None
        self._timers: dict[Hashable, tuple[float, asyncio.TimerHandle]] = {}
        self._idle = asyncio.Event()
        self._idle.set()

    def soon(self, key: Hashable, work: Callable[[], None]) -> None:
        """Run `work` as soon as the messages that have arrived are read; a later one for the same key replaces it."""
        self._urgent.pop(key, None)
        self._urgent[key] = work
        if not self._armed:
            self._armed = True
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Run what `soon` collected, now."""
        self._armed = False
        while self._urgent:
            key = next(iter(self._urgent))
            self._guarded(self._urgent.pop(key))

    def settle(self, key: Hashable) -> None:
        """Run the work collected for `key`, now, if there is any."""
        work = self._urgent.pop(key, None)
        if work is not None:
            self._guarded(work)

    def later(self, key: Hashable, work: Callable[[], None], delay: float = QUIET) -> None:
        """Run `work` once when `key` has been quiet for `delay` seconds, or after PATIENCE at the latest."""
        now = self._clock()
        first, timer = self._timers.get(key, (now, None))
        if timer is not None:
            timer.cancel()
        wait = max(min(delay, first + max(PATIENCE, delay) - now), 0)
        self._timers[key] = (first, asyncio.get_running_loop().call_later(wait, self._due, key, work))

    def _due(self, key: Hashable, work: Callable[[], None]) -> None:
        self._timers.pop(key, None)
        self._guarded(work)

    def background(self, steps: Iterator[object], *, first: bool = False) -> None:
        """Run `steps` to its end in slices; `first` before everything that waits already."""
        self._jobs.insert(0, steps) if first else self._jobs.append(steps)
        self._idle.clear()
        if self._worker is None or self._worker.done():
            self._worker = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while self._jobs:
            end = self._clock() + SLICE
            while self._jobs and self._clock() < end:
                job = self._jobs[0]
                try:
                    next(job)
                except StopIteration:
                    self._drop(job)
                except Exception:
                    logger.exception("Background work failed")
                    self._drop(job)
            for _ in range(HOPS):
                await asyncio.sleep(0)
        self._idle.set()

    def _drop(self, job: Iterator[object]) -> None:
        if job in self._jobs:
            self._jobs.remove(job)

    async def idle(self) -> None:
        """Wait until no background work is left."""
        await self._idle.wait()

    @property
    def busy(self) -> bool:
        return bool(self._jobs)

    def stop(self) -> None:
        """Drop everything."""
        for _, timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._urgent.clear()
        self._jobs.clear()
        if self._worker is not None:
            self._worker.cancel()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:
            logger.exception("Scheduled work failed")
