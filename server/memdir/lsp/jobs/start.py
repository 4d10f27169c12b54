"""What begins by itself once the first diagnostics are out: recovery, identities, misplaced agent memory, team loops."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.lsp.jobs.site import Site
from memdir.store.errors import StoreError

if TYPE_CHECKING:
    from memdir.lsp.folder import Folder
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)

QUIET = 1.0  # seconds without a further change of agent memory before a repository is walked again


class Background:
    """Follows folders and files from `begin` on."""

    def __init__(self, server: MemdirServer) -> None:
        self._server = server
        self._start = time.time_ns()
        self._known: set[str] = set()  # owners whose identity was written down

    async def begin(self) -> None:
        """Runs beside everything else; comes back when all that is open has been looked at."""
        session = self._server.session
        session.on_folder.append(self._folder_changed)
        session.on_disk.append(self._disk_changed)
        await session.scheduler.idle()
        await self._recover()
        for folder in list(session.folders.values()):
            await self._look(folder)
        from memdir.lsp.jobs.turns import Turns

        self._server.spawn(Turns(self._server, self._start).run())

    async def _recover(self) -> None:
        from memdir.store.recovery import recover
        from memdir.store.state import state_dir

        world = self._server.world
        where = state_dir(world.environ, home=world.home)
        try:
            found = await asyncio.to_thread(recover, where, now=world.clock())
        except (StoreError, OSError) as error:
            logger.warning("Interrupted changes can't be sorted out: %s", error)
            return
        for each in found:
            if each.failed is not None or each.kept:
                self._server.show_message(each.message, types.MessageType.Warning)
            else:
                self._server.log_message(each.message)
            self._server.session.disk_changed([t.path for t in each.entry.touched])

    def _folder_changed(self, folder: Folder | None) -> None:
        """A folder was opened or its settings changed; None: one has gone."""
        server = self._server
        if folder is not None:
            server.spawn(self._look(folder))
        elif server.jobs.has_teams:
            server.jobs.teams.keep(f for f in server.session.folders.values() if f.memories)

    def _disk_changed(self, paths: frozenset[str]) -> None:
        if self._server.jobs.has_teams:
            self._server.jobs.teams.changed(paths)
        if any(f"{os.sep}agent-memory" in path for path in paths):
            for folder in self._server.session.folders.values():
                later = self._server.session.scheduler.later
                later(("misplaced", folder.path), partial(self._walk, folder), QUIET)

    async def _look(self, folder: Folder) -> None:
        if not folder.memories or folder.adopted:
            return
        await self._find_misplaced(folder)
        if folder.workspace.settings.team.transport != "off" or self._server.jobs.has_teams:
            await self._server.jobs.teams.follow(Site(self._server, folder))
        owner = folder.workspace.location.owner
        if owner not in self._known:
            self._known.add(owner)
            await asyncio.to_thread(_remember, owner, folder)

    def _walk(self, folder: Folder) -> None:
        self._server.spawn(self._find_misplaced(folder))

    async def _find_misplaced(self, folder: Folder) -> None:
        """Agent memory below sub-directories, as problems beside those of settings files."""
        from memdir.store.misplaced import misplaced_problems

        location = folder.workspace.location
        if not location.is_repository:
            return
        try:
            found = tuple(await asyncio.to_thread(misplaced_problems, location.top))
        except (StoreError, OSError) as error:
            logger.debug("Agent memory of %s can't be looked at: %s", location.top, error)
            return
        if found != folder.misplaced:
            folder.misplaced = found
            self._server.lifecycle.show_problems()


def _remember(owner: str, folder: Folder) -> None:
    """Write down what the repository is known by, for the day it moves. Runs git."""
    from memdir.core.doctor import Repo
    from memdir.store.identity import read_identity, remember

    environment = folder.workspace.environment
    environ = environment.environ if environment is not None else None
    try:
        remember(folder.workspace.state_dir, [Repo(owner, read_identity(owner, environ))])
    except (StoreError, OSError) as error:
        logger.warning("%s", error)
