"""Time passes: new commits in the repositories, new days."""

from __future__ import annotations

import asyncio
import logging
import os
from datetime import timedelta
from typing import TYPE_CHECKING

from memdir.lsp.folder import Folder

if TYPE_CHECKING:
    from memdir.lsp.session import Session

logger = logging.getLogger(__name__)

HISTORY_QUIET = 1.0  # seconds without a change of HEAD before git is asked again


class Passing:
    """Checks again what depends on a repository's history, or on the day."""

    def __init__(self, session: Session) -> None:
        self._session, self._server = session, session.server
        self._heads: dict[str, str] = {}

    async def load_history(self, folder: Folder) -> None:
        """Read the history of the folder's repository, then check what depends on it."""
        self._heads[folder.path] = head = await asyncio.to_thread(_head, folder.workspace.location.top)
        logger.debug("History of %s at %s", folder.path, head)
        await asyncio.to_thread(folder.project.load)
        for memory in folder.memories:
            if memory.folder is folder:
                self._session.recheck(memory, memory.history & set(memory.store.directory.documents))
        self._session.views.touched(None, disk=True)  # relative dates may count from another day now

    def history_touched(self, folder: Folder) -> None:
        """Look again when the checkout stands on another commit."""
        self._server.spawn(self._compare_head(folder))

    async def _compare_head(self, folder: Folder) -> None:
        head = await asyncio.to_thread(_head, folder.workspace.location.top)
        if head != self._heads.get(folder.path):
            folder.project.forget_files()
            await self.load_history(folder)

    async def midnights(self) -> None:
        """Ages are counted in calendar days: look again when a new one begins."""
        while True:
            now = self._session.world.clock()
            tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=5, microsecond=0)
            await asyncio.sleep(max((tomorrow - now).total_seconds(), 60))
            for memory in list(self._session.memories.values()):
                self._session.recheck_all(memory)
            self._session.views.touched(None, disk=True)


def _head(top: str) -> str:
    """The commit a checkout stands on, as far as small files say; '' when they don't."""
    from memdir.store.gitfiles import read_small

    git = os.path.join(top, ".git")
    head = (read_small(os.path.join(git, "HEAD")) or "").strip()
    if not head.startswith("ref:"):
        return head
    ref = head[4:].strip()
    return f"{ref} {(read_small(os.path.join(git, *ref.split('/'))) or '').strip()}"
