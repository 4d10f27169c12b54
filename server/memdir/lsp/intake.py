"""From the disk into the session: listing directories, reading files, and what changes tell of both."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memdir.core.similarity import prepare_steps
from memdir.lsp.memory import Memory
from memdir.lsp.startup import keep_from_collector
from memdir.store.logs import observe_logs
from memdir.store.snapshot import scan

if TYPE_CHECKING:
    from memdir.lsp.session import Session

logger = logging.getLogger(__name__)

TOGETHER = 256  # files after which what was read of them is kept from the collector
MANY = 64  # changed files from which listing the directory is cheaper than asking for each


class Intake:
    """Listings run in threads, everything else on the loop in small steps."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def rescan(self, memory: Memory) -> None:
        """Bring a memory directory in step with the disk."""
        if memory.scanning:
            memory.scan_again = True  # what changed meanwhile must not be read twice at the same time
            return
        memory.scanning = True
        self._session.server.spawn(self._rescan(memory))

    async def _rescan(self, memory: Memory) -> None:
        try:
            found = await asyncio.to_thread(scan, memory.root)
        except BaseException:
            memory.scanning = False
            raise
        if self._session.memories.get(memory.root) is memory:
            first = not memory.loaded
            steps = self._take_in(memory, self._scanned(memory, memory.absorb(found)))
            self._session.scheduler.background(_uncollected(steps) if first else steps, first=first)

    def _scanned(self, memory: Memory, steps: Iterator[frozenset[str]]) -> Iterator[frozenset[str]]:
        try:
            yield from steps
        finally:
            memory.scanning = False
            if memory.scan_again and self._session.memories.get(memory.root) is memory:
                memory.scan_again = False
                self.rescan(memory)

    def _take_in(self, memory: Memory, steps: Iterator[frozenset[str]]) -> Iterator[None]:
        first = not memory.loaded
        changed: set[str] = set()
        for step in steps:
            changed |= step
            if first:
                for rel in step:
                    self._session.release(memory, rel)
            yield
        if changed or first:
            self._session.views.touched(memory, disk=True)
        if first:
            changed = set(memory.store.directory.documents)
            logger.info("Read %d files of %s", len(changed), memory.root)
            yield from self._session.recheck_steps(
                memory, [rel for rel in changed if self._session.is_open(memory, rel)]
            )
            # Near duplicates are part of every other file's findings: sketch them before, so that each is checked once.
            yield from prepare_steps(memory.store.directory)
        yield from self._session.recheck_steps(memory, self._session.open_first(memory, changed))
        logs = [rel for rel in changed if "logs/" in rel]
        if logs:
            state = memory.folder.workspace.state_dir
            self._session.server.spawn(asyncio.to_thread(observe_logs, memory.root, logs, state_dir=state))

    def disk_changed(self, paths: frozenset[str]) -> None:
        """Files or folders were added, changed or removed on disk."""
        for hear in self._session.on_disk:
            hear(paths)
        by_memory: dict[str, set[str]] = {}
        rest: list[str] = []
        for path in paths:
            holders = [
                m for m in self._session.memories.values() if path == m.root or m.root.startswith(path + "/")
            ]
            place = self._session.find(path)
            if place is not None:
                by_memory.setdefault(place[0].root, set()).add(place[1])
            elif not holders:
                inside = next((m for m in self._session.memories.values() if m.store.rel_of(path)), None)
                holders = [inside] if inside else []
                rest.append(path)
            for memory in holders:  # a folder came or went: only a listing tells what that means
                by_memory.setdefault(memory.root, set()).add("")
        for root, rels in by_memory.items():
            memory = self._session.memories[root]
            if "" in rels or len(rels) > MANY or not memory.loaded:
                self.rescan(memory)
            else:
                steps = (memory.store.refresh_file(rel) for rel in sorted(rels))
                self._session.scheduler.background(self._take_in(memory, steps), first=True)
        for path in rest:
            self._session.lifecycle.file_touched(path)


def _uncollected(steps: Iterator[None]) -> Iterator[None]:
    """The same steps; what they leave lives on, so the collector is kept from walking over all of it again and again."""
    for number, _ in enumerate(steps, 1):
        if number % TOGETHER == 0:
            keep_from_collector()
        yield
    keep_from_collector()
