"""After a memory was deleted in the editor: an offer to take out what pointed to it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.core.document import Document
from memdir.core.forget import pointer_edits
from memdir.core.i18n import msg, render
from memdir.core.model import ChangeSet, Edit, EditFile
from memdir.lsp.carry_out import carry_out

if TYPE_CHECKING:
    from memdir.lsp.session import Session

logger = logging.getLogger(__name__)


class Pruning:
    """What points to a file is looked up before it goes (afterwards its name is forgotten), and offered once it is gone."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._going: dict[str, tuple[Document, tuple[EditFile, ...]]] = {}

    def remember(self, paths: Iterable[str]) -> None:
        """These files are about to be deleted, or were a moment ago."""
        for path in paths:
            if path in self._going:
                continue
            place = self._session.find(path)
            document = place[0].get(place[1]) if place is not None else None
            if place is not None and document is not None and document.kind == "topic":
                self._going[path] = (document, pointer_edits(place[0].store.directory, document))

    async def offer(self, paths: Iterable[str]) -> None:
        """The files are gone: ask whether entries and links to them shall go, too."""
        gone = [found for path in sorted(paths) if (found := self._going.pop(path, None)) is not None]
        changes = _together(e for _, edits in gone for e in edits if e.path not in {d.path for d, _ in gone})
        count = sum(len(c.edits) for c in changes)
        if not count:
            return
        session, client = self._session, self._session.client
        names = ", ".join(d.title for d, _ in gone[:3]) + (" …" if len(gone) > 3 else "")
        question = (
            msg("One place still points to {names}. Take it out?", names=names)
            if count == 1
            else msg("{count} places still point to {names}. Take them out?", count=count, names=names)
        )
        yes = render(msg("Take out"), client.locale)
        request = types.ShowMessageRequestParams(
            type=types.MessageType.Info,
            message=render(question, client.locale),
            actions=[
                types.MessageActionItem(yes),
                types.MessageActionItem(render(msg("Leave"), client.locale)),
            ],
        )
        try:
            answer = await session.server.window_show_message_request_async(request)
        except RuntimeError as error:
            logger.info("The editor asked nobody: %s", error)
            return
        if answer is not None and answer.title == yes:
            title = msg("Take out what pointed to “{name}”", name=names)
            await carry_out(session.server, ChangeSet(title, changes, "delete"))


def _together(edits: Iterable[EditFile]) -> tuple[EditFile, ...]:
    """One change per file; where two edits overlap (both files on one line) the first counts."""
    found: dict[str, tuple[EditFile, list[Edit]]] = {}
    for change in edits:
        kept = found.setdefault(change.path, (change, []))[1]
        kept.extend(e for e in change.edits if not any(e.span.overlaps(k.span) for k in kept))
    return tuple(EditFile(c.path, tuple(kept), c.base, c.reason) for c, kept in found.values())
