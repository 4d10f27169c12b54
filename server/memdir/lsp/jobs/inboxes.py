"""How much waits in the inboxes, for the client's badge."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memdir.lsp.jobs.site import Site
from memdir.store.errors import StoreError

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


@dataclass(slots=True)
class Inboxes:
    """How much waits in the inboxes of the open folders. Other processes add to them, so `look` compares the files' times."""

    server: MemdirServer
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict)  # path -> (time, number of items)

    @property
    def count(self) -> int:
        """Items of all folders, as of the last look."""
        return sum(count for _, count in self._seen.values())

    async def look(self) -> None:
        """Look again, and tell the client when something changed."""
        sites = [
            Site(self.server, f) for f in self.server.session.folders.values() if f.memories and not f.adopted
        ]
        seen = await asyncio.to_thread(self._read, sites)
        if seen != self._seen:
            self._seen = seen
            self.server.jobs.announce()

    def changed(self) -> None:
        """An inbox was changed by us."""
        self._seen.clear()
        self.server.spawn(self.look())
        self.server.jobs.announce()

    def _read(self, sites: list[Site]) -> dict[str, tuple[int, int]]:
        from memdir.lsp.jobs.common import inbox_of

        seen = {}
        for site in sites:
            inbox = inbox_of(site)
            try:
                stamp = os.stat(inbox.path).st_mtime_ns
            except OSError:
                continue
            known = self._seen.get(inbox.path)
            if known is not None and known[0] == stamp:
                seen[inbox.path] = known
                continue
            try:
                seen[inbox.path] = (stamp, len(inbox.items()))
            except (StoreError, OSError):
                continue
        return seen
