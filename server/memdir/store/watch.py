"""Noticing that memory changes on disk, also when its directory appears later or is deleted and made again.

One watcher (one thread) looks at plain directories, not at trees: those of the memories, their parents, and for what
does not exist yet the nearest ancestor that does. The parents hold the agent's sessions, whose constant writing is
filtered out before it costs anything. watchfiles is imported when the first watch starts.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchfiles import Change

logger = logging.getLogger(__name__)

DEBOUNCE, STEP = 50, 10  # milliseconds: 32 ms median from write to report
POLL = 1000  # milliseconds between looks where the system can't watch
HANDOVER = 0.25  # seconds an old watcher goes on beside its successor, so that nothing falls in between
MAX_DEPTH = 8  # as deep as memory is read (`store.snapshot`)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to watch: directories with everything below them, and single files. Absolute; neither needs to exist."""

    trees: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()


@dataclass(slots=True)
class Watcher:
    """Calls `report` on the event loop with paths that came, changed or went.

    A reported tree (or a directory in it or above it) means: list it again. `watch` changes what is watched at any time;
    `run` works until it is cancelled.
    """

    report: Callable[[frozenset[str]], None]
    _wanted: Wanted = Wanted()
    _directories: frozenset[str] = frozenset()
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _ready: asyncio.Event = field(default_factory=asyncio.Event)

    def watch(self, trees: Iterable[str], files: Iterable[str] = ()) -> None:
        """Watch these from now on, instead of what was watched before."""
        wanted = Wanted(frozenset(trees), frozenset(files))
        if wanted != self._wanted:
            self._wanted = wanted
            self._wake.set()

    async def ready(self) -> None:
        """Wait until a first watcher has been started."""
        await self._ready.wait()

    async def run(self) -> None:
        """Keep a watcher over the right directories."""
        running: tuple[asyncio.Event, asyncio.Task[None]] | None = None
        retired: set[asyncio.Task[None]] = set()
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                wanted = self._wanted
                directories = await asyncio.to_thread(directories_for, wanted)
                if directories == self._directories and running is not None and not running[1].done():
                    continue
                fresh = directories - self._directories
                first, self._directories = not self._directories, directories
                stop = asyncio.Event()
                task = asyncio.create_task(self._watch(directories, stop))
                if running is not None:
                    old = asyncio.create_task(_retire(*running))
                    retired.add(old)
                    old.add_done_callback(retired.discard)
                running = (stop, task)
                if not first:  # what was written before the new watch began is in no event
                    again = asyncio.create_task(self._look_again(fresh))
                    retired.add(again)
                    again.add_done_callback(retired.discard)
        finally:
            if running is not None:
                running[0].set()
                running[1].cancel()
            for task in retired:
                task.cancel()

    async def _look_again(self, fresh: frozenset[str]) -> None:
        trees = frozenset(t for t in self._wanted.trees if any(_within(d, t) for d in fresh))
        if trees:
            await asyncio.sleep(HANDOVER)
            self.report(trees)

    async def _watch(self, directories: frozenset[str], stop: asyncio.Event) -> None:
        from watchfiles import awatch

        polling: bool | None = None
        while directories and not stop.is_set():
            self._ready.set()
            try:
                async for changes in awatch(
                    *sorted(directories),
                    watch_filter=self._relevant,
                    debounce=DEBOUNCE,
                    step=STEP,
                    stop_event=stop,
                    recursive=False,
                    force_polling=polling,
                    poll_delay_ms=POLL,
                    ignore_permission_denied=True,
                ):
                    self._seen(frozenset(path for _, path in changes))
                return
            except FileNotFoundError:  # a directory went between listing and watching
                self._wake.set()
                return
            except (OSError, RuntimeError) as error:
                if polling:
                    logger.warning("Memory can't be watched: %s", error)
                    return
                logger.warning("Changes can't be watched (%s); looking every second instead", error)
                polling = True

    def _seen(self, paths: frozenset[str]) -> None:
        if any(not p.endswith(".md") and p not in self._wanted.files for p in paths):
            self._wake.set()
        self.report(paths)

    def _relevant(self, change: Change, path: str) -> bool:
        wanted = self._wanted
        if path in wanted.files or path in self._directories:
            return True
        for tree in wanted.trees:
            if _within(path, tree):
                name = path[len(tree) :].rsplit(os.sep, 1)[-1]
                return path == tree or name.endswith(".md") or ("." not in name) or os.path.isdir(path)
        return any(_within(t, path) for t in (*wanted.trees, *wanted.files))


async def _retire(stop: asyncio.Event, task: asyncio.Task[None]) -> None:
    await asyncio.sleep(HANDOVER)
    stop.set()
    await asyncio.wait([task])


def _within(path: str, tree: str) -> bool:
    return path == tree or path.startswith(tree.rstrip(os.sep) + os.sep)


def directories_for(wanted: Wanted) -> frozenset[str]:
    """The existing directories whose direct entries must be watched."""
    found: set[str] = set()
    for tree in wanted.trees:
        found.add(nearest(os.path.dirname(tree)))
        if os.path.isdir(tree):
            found.update(_folders(tree, 0))
    found.update(nearest(os.path.dirname(path)) for path in wanted.files)
    return frozenset(found - {""})


def nearest(path: str) -> str:
    """The deepest ancestor of `path` (or itself) that is a directory; '' when there is none."""
    while not os.path.isdir(path):
        parent = os.path.dirname(path)
        if parent == path:
            return ""
        path = parent
    return path


def _folders(tree: str, depth: int) -> list[str]:
    found = [tree]
    try:
        with os.scandir(tree) as entries:
            below = [
                e.path for e in entries if not e.name.startswith(".") and e.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return found
    for path in below if depth < MAX_DEPTH else ():
        found += _folders(path, depth + 1)
    return found
