"""Watching the repository's sessions: what follows a finished turn (extraction, notes, a consolidation that is due), and inboxes
that other processes fill."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from memdir.agent.client import has_key
from memdir.lsp.jobs.site import Site
from memdir.lsp.jobs.workspaces import own_workspace
from memdir.store.jobs import job_off
from memdir.store.transcripts import read_end
from memdir.store.transcripts_find import Session, find_sessions

if TYPE_CHECKING:
    from memdir.agent.after_turn import AfterTurn
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)

LOOK_SECONDS = 3.0  # between two looks at folders: a few system calls each
QUIET_SECONDS = 4.0  # a session that was not written to for so long, and whose last word is the agent's, has finished a turn
_TAIL = 256 * 1024  # bytes at the end of a session in which its last message surely begins


class Turns:
    """Runs until cancelled. Sessions are read only while a model may be asked: without a key nothing runs by itself.

    start: nanoseconds; what was said before is no news.
    """

    def __init__(self, server: MemdirServer, start: int) -> None:
        self._server, self._start = server, start
        self._since: dict[str, int] = {}  # owner -> sessions written to after this are news (ns)
        self._pending: dict[str, tuple[Session, Site]] = {}
        self._said: set[str] = set()
        self._work: asyncio.Task[None] | None = None

    async def run(self) -> None:
        while True:
            await self._server.jobs.inboxes.look()
            if has_key(self._server.world.environ):
                await self._look()
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        for site in self._sites():
            owner = site.folder.workspace.location.owner
            since = self._since.get(owner, self._start)
            found = await asyncio.to_thread(find_sessions, site.folder.workspace.location, since_ns=since)
            for session in found:
                self._pending[session.path] = (session, site)
            self._since[owner] = max([since, *(s.mtime_ns for s in found)])
        quiet = time.time_ns() - int(QUIET_SECONDS * 1e9)
        for path, (session, site) in list(self._pending.items()):
            if session.mtime_ns < quiet and (self._work is None or self._work.done()):
                del self._pending[path]
                if await asyncio.to_thread(turn_finished, path):
                    self._work = self._server.spawn(self._after(site, path))

    def _sites(self) -> Iterable[Site]:
        owners = set()
        for folder in list(self._server.session.folders.values()):
            location = folder.workspace.location
            if folder.adopted or not folder.memories or location.owner in owners:
                continue
            owners.add(location.owner)
            settings = folder.workspace.settings
            wanted = (
                settings.extract.auto != "off" or settings.consolidate.auto != "off" or settings.notes.enabled
            )
            if wanted and job_off(location) is None:
                yield Site(self._server, folder)

    async def _after(self, site: Site, path: str) -> None:
        side, workspace = self._server.jobs.side, own_workspace(site)

        async def work() -> AfterTurn:
            from memdir.agent.after_turn import after_turn  # on the side loop: it takes a moment

            return await after_turn(
                workspace,
                path,
                state_dir=site.state_dir,
                clock=self._server.world.clock,
                client=side.client,
            )

        done = await side.run(work)
        if done.extraction.applied or done.consolidation.applied:
            self._server.session.rescan(site.memory)
        if done.notes.status == "updated":
            self._server.jobs.announce()  # whoever shows the notes looks again
        failed = [
            m
            for m, bad in (
                (done.extraction.why, done.extraction.status == "failed"),
                (done.notes.why, done.notes.status == "failed"),
                (done.consolidation.why, done.consolidation.failed),
            )
            if bad and m is not None
        ]
        for message in failed:
            text = site.text(message)
            if text not in self._said:  # once: the next turn may fail for the same reason
                self._said.add(text)
                self._server.log_message(message)
        await self._server.jobs.inboxes.look()


def turn_finished(path: str) -> bool:
    """The last word of the main conversation is the agent's, and it asks for no tool. Reads the end of the file."""
    last = None
    try:
        for record in read_end(path, _TAIL):
            if record.role in ("user", "assistant") and not record.sidechain:
                last = record
    except OSError:
        return False
    return last is not None and last.role == "assistant" and not last.tool_uses
