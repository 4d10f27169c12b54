"""Noticing that memory changes on disk, also when its directory appears later or is deleted and made again.

One watcher (one thread) looks at plain directories, not at trees: those of the memories, their parents, and for what
does not exist yet the nearest ancestor that does. The parents hold the agent's sessions, whose constant writing is
filtered out before it costs anything. watchfiles is imported when the first watch starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchfiles import Change

logger = logging.getLogger(__name__)

DEBOUNCE, STEP = (
    50,
    25,
)  # milliseconds: 42 ms median from write to report; a step of 10 idles at three times the CPU
POLL = 1000  # milliseconds between looks where the system can't watch
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
    `run` works until it is cancelled. A watcher goes on until its successor has begun, so that nothing falls in between.
    """

    report: Callable[[frozenset[str]], None]
    _wanted: Wanted = Wanted()
    _directories: dict[str, int] = field(default_factory=dict)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def watch(self, trees: Iterable[str], files: Iterable[str] = ()) -> None:
        """Watch these from now on, instead of what was watched before."""
        wanted = Wanted(frozenset(trees), frozenset(files))
        if wanted != self._wanted:
            self._wanted = wanted
            self._wake.set()

    async def run(self) -> None:
        """Keep a watcher over the right directories."""
        running: _Running | None = None
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                directories = await asyncio.to_thread(directories_for, self._wanted)
                if directories == self._directories and running is not None and not running.task.done():
                    continue
                self._directories = directories
                successor = _Running(self, directories)
                await successor.started.wait()
                if running is not None:
                    running.stop.set()
                running = successor
                self._wake.set()  # a folder made while the watch was set up is in no event: list them once more
                # What was written before the watch began is in no event, and the one before may have had some that it
                # did not tell any more: everything is looked at again. Folders come and go rarely.
                everything = self._wanted.trees | self._wanted.files
                if everything:
                    self.report(everything)
        finally:
            if running is not None:
                running.stop.set()
                running.task.cancel()

    async def _watch(self, directories: dict[str, int], started: asyncio.Event, stop: asyncio.Event) -> None:
        polling: bool | None = None
        while directories and not stop.is_set():
            try:
                await self._follow(directories, started, stop, polling)
                return
            except FileNotFoundError:  # a directory went between listing and watching
                self._directories = {}
                self._wake.set()
                return
            except (OSError, RuntimeError) as error:
                if polling:
                    logger.warning("Memory can't be watched: %s", error)
                    return
                logger.warning("Changes can't be watched (%s); looking every second instead", error)
                polling = True

    async def _follow(
        self, directories: dict[str, int], started: asyncio.Event, stop: asyncio.Event, polling: bool | None
    ) -> None:
        watchfiles = await asyncio.to_thread(importlib.import_module, "watchfiles")
        changes: AsyncGenerator[set[tuple[Change, str]], None] = watchfiles.awatch(
            *sorted(directories),
            watch_filter=self._relevant,
            debounce=DEBOUNCE,
            step=STEP,
            stop_event=stop,
            recursive=False,
            force_polling=polling,
            poll_delay_ms=POLL,
            ignore_permission_denied=True,
        )
        try:
            first = asyncio.ensure_future(anext(changes))
            await asyncio.sleep(0)  # the watch is set up in the first step, before its first wait
            if not first.done():
                started.set()
            self._seen(frozenset(path for _, path in await first))
            async for found in changes:
                self._seen(frozenset(path for _, path in found))
        except StopAsyncIteration:
            return
        finally:
            await changes.aclose()

    def _seen(self, paths: frozenset[str]) -> None:
        if not paths.isdisjoint(self._directories):
            # A watched directory came or went. One that was made anew may have its old inode number, which file systems
            # give out again at once, so comparing numbers would keep the watch of the dead one.
            self._directories = {}
            self._wake.set()
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


class _Running:
    """One watcher at work. `started` is set once events can't be missed any more, or when there will be none."""

    def __init__(self, watcher: Watcher, directories: dict[str, int]) -> None:
        self.started, self.stop = asyncio.Event(), asyncio.Event()
        self.task = asyncio.create_task(watcher._watch(directories, self.started, self.stop))
        self.task.add_done_callback(lambda _: self.started.set())


def _within(path: str, tree: str) -> bool:
    return path == tree or path.startswith(tree.rstrip(os.sep) + os.sep)


def directories_for(wanted: Wanted) -> dict[str, int]:
    """The existing directories whose direct entries must be watched, with their inodes: one that was made anew under its
    old name needs a new watch."""
    found: set[str] = set()
    for tree in wanted.trees:
        found.add(nearest(os.path.dirname(tree)))
        if os.path.isdir(tree):
            found.update(_folders(tree, 0))
    found.update(nearest(os.path.dirname(path)) for path in wanted.files)
    inodes: dict[str, int] = {}
    for path in found - {""}:
        with contextlib.suppress(OSError):
            inodes[path] = os.stat(path).st_ino
    return inodes


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
