"""`textDocument/selectionRange`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.lsp.opened import opened

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection(params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
        from memdir.ide.selection import selections

        here = await opened(server, params.text_document.uri)
        if here is None:
            return None
        found: list[types.SelectionRange] = []
        for position in params.positions:
            *outer, last = reversed(selections(here.document, here.directory, here.text.offset(position)))
            parent: types.SelectionRange | None = None
            for span in outer:
                parent = types.SelectionRange(here.text.range(span), parent)
            found.append(types.SelectionRange(here.text.range(last), parent))
        return found
