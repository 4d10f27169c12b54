"""The watcher's rhythm: pull at the start and at intervals, push after a quiet second, stay away after failures.

The editor's server runs one loop per team directory and calls `changed()` when a file in it changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from memdir.core.i18n import msg
from memdir.store.errors import StoreError
from memdir.team.report import Report
from memdir.team.setup import Transport

QUIET_SECONDS = 1.0


class TeamLoop:
    """Runs one transport until cancelled. `report` hears every run, in the event loop's thread."""

    def __init__(
        self,
        transport: Transport,
        report: Callable[[Report], None],
        *,
        interval: float = 300.0,
        quiet: float = QUIET_SECONDS,
    ) -> None:
        self._transport, self._report = transport, report
        self._interval, self._quiet = interval, quiet
        self._event = asyncio.Event()
        self._force = False

    def changed(self) -> None:
        """A file of the team directory changed."""
        self._event.set()

    def now(self) -> None:
        """A person asks: run at once, also after a permanent failure."""
        self._force = True
        self._event.set()

    async def run(self) -> None:
        """Until cancelled. A run in a thread can't be interrupted; it ends by its own deadlines."""
        pause = 0.0
        while True:
            await self._wait(pause)
            force, self._force = self._force, False
            self._event.clear()
            # our own writes wake us once more; that run finds nothing to do and costs one conditional request
            outcome = await asyncio.to_thread(self._once, force)
            self._report(outcome)
            pause = (
                min(self._interval, max(outcome.wait, self._quiet))
                if outcome.outcome == "waiting"
                else self._interval
            )

    def _once(self, force: bool) -> Report:
        try:
            return self._transport.sync(force=force)
        except StoreError as error:  # another process holds the lock, the state directory is unusable
            return Report("waiting", error.message, self._quiet * 10)
        except OSError as error:
            return Report(
                "waiting",
                msg("Team memory can't be synchronised now ({error}).", error=error.strerror or str(error)),
                self._quiet * 10,
            )

    async def _wait(self, pause: float) -> None:
        """Until `pause` is over, or a change was followed by a quiet moment."""
        if pause <= 0 or self._force:
            return
        try:
            await asyncio.wait_for(self._event.wait(), pause)
        except TimeoutError:
            return
        while not self._force:
            self._event.clear()
            try:
                await asyncio.wait_for(self._event.wait(), self._quiet)
            except TimeoutError:
                return
