"""Team memory of the open folders: the transport of each team directory, kept running in the watcher's rhythm."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memdir.core.i18n import Message, msg
from memdir.lsp.jobs.site import Site
from memdir.store.config import user_config_path
from memdir.team.loop import TeamLoop
from memdir.team.report import Report
from memdir.team.setup import Off, Transport, open_team, team_root

if TYPE_CHECKING:
    from memdir.lsp.folder import Folder
    from memdir.lsp.server import MemdirServer
    from memdir.team.report import Status

logger = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Run:
    """A transport that runs by itself. `key` is what it was made from; `attention`: files that wait for a person."""

    key: object
    transport: Transport
    loop: TeamLoop
    task: asyncio.Task[None] | None = None
    attention: int = 0
    said: str = ""


@dataclass(slots=True)
class Teams:
    """Runs by team directory. `tokens`: from the editor's secret store, by address of the service."""

    server: MemdirServer
    tokens: dict[str, str] = field(default_factory=dict)
    _runs: dict[str, Run] = field(default_factory=dict)
    _broken: set[str] = field(
        default_factory=set
    )  # team directories that are wanted, but something is missing
    _busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def follow(self, site: Site) -> Transport | Off:
        """The transport of a folder, started if it was not, restarted when what it depends on has changed."""
        folder = site.folder
        location, settings = folder.workspace.location, folder.workspace.settings
        root = team_root(location)
        key = (location, settings.team, self.tokens.get(settings.team.url.rstrip("/")))
        async with self._busy:
            run = self._runs.get(root)
            if run is not None and run.key == key:
                return run.transport
            self._end(root)
            found = await asyncio.to_thread(self._open, site)
            if isinstance(found, Off):
                off = _trusted(site, found)
                self._tell(root, broken=off.broken)
                return off
            self._tell(root, broken=False)
            loop = TeamLoop(
                found,
                lambda report: self._heard(site, root, report),
                interval=float(settings.team.interval_seconds),
            )
            run = self._runs[root] = Run(key, found, loop)
            run.task = self.server.spawn(loop.run())
            return found

    def _open(self, site: Site) -> Transport | Off:
        workspace = site.folder.workspace
        environ = self.server.world.environ
        return open_team(
            workspace.location,
            workspace.settings,
            environ=environ,
            state_dir=site.state_dir,
            config_dir=os.path.dirname(user_config_path(environ, self.server.world.home)),
            now=self.server.world.clock,
            token=self.tokens.get(workspace.settings.team.url.rstrip("/")),
        )

    def _tell(self, root: str, *, broken: bool) -> None:
        (self._broken.add if broken else self._broken.discard)(root)
        self.server.jobs.announce()

    def changed(self, paths: Iterable[str]) -> None:
        """Files changed on disk."""
        for root, run in self._runs.items():
            if any(path.startswith(root + os.sep) for path in paths):
                run.loop.changed()

    def keep(self, folders: Iterable[Folder]) -> None:
        """Stop what belongs to none of these folders."""
        wanted = {team_root(f.workspace.location) for f in folders}
        for root in [r for r in self._runs if r not in wanted]:
            self._end(root)
        self._broken &= wanted
        self.server.jobs.announce()

    def run_of(self, site: Site) -> Run | None:
        """What runs for a folder."""
        return self._runs.get(team_root(site.folder.workspace.location))

    @property
    def sharing(self) -> int:
        """Team directories that are shared, or would be if nothing was missing."""
        return len({*self._runs, *self._broken})

    @property
    def attention(self) -> int:
        """Files of all folders that wait for a person."""
        return sum(run.attention for run in self._runs.values())

    def noted(self, site: Site, status: Status) -> None:
        """Remember how much waits, and tell the client when that changed."""
        run = self.run_of(site)
        count = len(status.conflicts) + len(status.held) + len(status.blocked)
        if run is not None and run.attention != count:
            run.attention = count
            self.server.jobs.announce()

    def _heard(self, site: Site, root: str, report: Report) -> None:
        run = self._runs.get(root)
        if run is None:
            return
        if report.outcome == "failed" and report.message is not None:
            text = site.text(report.message)
            if text != run.said:  # once per reason, however often it is tried
                run.said = text
                self.server.log_message(msg("Team memory: {reason}", reason=report.message))
        elif report.outcome == "ok":
            run.said = ""
        self.server.spawn(self._count(site, run))
        self.server.jobs.announce()

    async def _count(self, site: Site, run: Run) -> None:
        status = await asyncio.to_thread(run.transport.status)
        self.noted(site, status)

    def _end(self, root: str) -> None:
        run = self._runs.pop(root, None)
        if run is not None and run.task is not None:
            run.task.cancel()


def _trusted(site: Site, off: Off) -> Off:
    """`off`, or the reason behind it: the project's own file may not set team memory up unless it is trusted."""
    withheld = site.folder.workspace.configuration.withheld
    if not any(key.startswith("team") for key in withheld):
        return off
    why: Message = msg(
        "The project's file sets team memory up, but this workspace is not trusted; trust it to share memories."
    )
    return Off(why, broken=True)
