"""What the jobs of one connection keep between two commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir.lsp import ext_jobs
from memdir.lsp.jobs.side import Side

if TYPE_CHECKING:
    from memdir.lsp.jobs.inboxes import Inboxes
    from memdir.lsp.jobs.recall import Recallers
    from memdir.lsp.jobs.review import Reviews
    from memdir.lsp.jobs.teams import Teams
    from memdir.lsp.server import MemdirServer

QUIET = 0.05  # seconds: several changes, one message


class Jobs:
    """Each part is made when it is first needed."""

    def __init__(self, server: MemdirServer) -> None:
        self._server = server
        self.side = Side(server.world.environ)
        self._recallers: Recallers | None = None
        self._reviews: Reviews | None = None
        self._teams: Teams | None = None
        self._inboxes: Inboxes | None = None

    @property
    def recallers(self) -> Recallers:
        """Memories ready to be asked for, by memory directory."""
        if self._recallers is None:
            from memdir.lsp.jobs.recall import Recallers

            self._recallers = Recallers()
        return self._recallers

    @property
    def reviews(self) -> Reviews:
        """Proposals that wait for a person."""
        if self._reviews is None:
            from memdir.lsp.jobs.review import Reviews

            self._reviews = Reviews(self._server)
        return self._reviews

    @property
    def teams(self) -> Teams:
        """Team memory of each folder."""
        if self._teams is None:
            from memdir.lsp.jobs.teams import Teams

            self._teams = Teams(self._server)
        return self._teams

    @property
    def inboxes(self) -> Inboxes:
        """What background jobs propose."""
        if self._inboxes is None:
            from memdir.lsp.jobs.inboxes import Inboxes

            self._inboxes = Inboxes(self._server)
        return self._inboxes

    @property
    def has_teams(self) -> bool:
        """Team memory of some folder was asked for already."""
        return self._teams is not None

    def announce(self) -> None:
        """What waits for a person may have changed: tell the client, once for several changes."""
        self._server.session.scheduler.later("jobs", self._tell, QUIET)

    def _tell(self) -> None:
        found: ext_jobs.JobsChanged = {
            "reviews": len(self._reviews) if self._reviews is not None else 0,
            "inbox": self._inboxes.count if self._inboxes is not None else 0,
            "team": self._teams.attention if self._teams is not None else 0,
            "sharing": self._teams.sharing if self._teams is not None else 0,
        }
        self._server.protocol.tell(ext_jobs.JOBS_CHANGED, found)

    def stop(self) -> None:
        """The connection ends."""
        self.side.stop()
