"""Where answers point to: locations in memory files and in the repository."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.core.model import Span
from memdir.ide.navigate import Target

if TYPE_CHECKING:
    from memdir.lsp.memory import Memory
    from memdir.lsp.session import Session


def location(session: Session, memory: Memory, target: Target) -> types.Location:
    """The location of a target; for a repository file whole lines, without reading it."""
    if target.rel is not None and (document := memory.get(target.rel)) is not None:
        text = session.text(document)
        return types.Location(text.uri, text.range(target.span or Span(0, 0)))
    place = memory.folder.workspace.location
    path = os.path.join(place.top, *(target.path or "").split("/"))
    if not os.path.lexists(path) and place.owner != place.top:
        path = os.path.join(place.owner, *(target.path or "").split("/"))
    first, last = target.lines or (1, 0)
    whole = types.Range(types.Position(first - 1, 0), types.Position(last, 0))
    return types.Location(session.buffers.uri_of(path.rstrip(os.sep)), whole)
