"""What clients show beside the text: when to tell them that tree, status, lenses or hints are out of date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir.lsp import ext
from memdir.lsp.status import status

if TYPE_CHECKING:
    from memdir.lsp.memory import Memory
    from memdir.lsp.session import Session

QUIET = 0.05  # seconds: several changes, one message
LOADING = 0.5  # seconds between messages while a directory is still being read


class Views:
    """Collects changes and announces them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._status: ext.StatusResult | None = None
        self._disk = False

    def touched(self, memory: Memory | None, *, disk: bool = False) -> None:
        """Something that tree or status show has changed; `disk`: lenses and hints did too, and their own files did not
        (editors ask again by themselves after a change of the text)."""
        self._disk |= disk
        loading = memory is not None and not memory.loaded
        self._session.scheduler.later("views", self._announce, LOADING if loading else QUIET)

    def _announce(self) -> None:
        server = self._session.server
        server.protocol.tell(ext.TREE_CHANGED, {})
        now = status(self._session)
        if now != self._status:
            self._status = now
            server.protocol.tell(ext.STATUS_CHANGED, now)
        if self._disk:
            self._disk = False
            server.refresh.lenses()
            server.refresh.hints()
