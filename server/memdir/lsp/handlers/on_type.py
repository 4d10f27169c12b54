"""`textDocument/onTypeFormatting`: what the editor adds while somebody types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.lsp.opened import opened

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handler."""
    options = types.DocumentOnTypeFormattingOptions(first_trigger_character="-", more_trigger_character=["["])

    @server.feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, options)
    async def on_type(params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit] | None:
        from memdir.ide.on_type import typed

        here = await opened(server, params.text_document.uri)
        if here is None:
            return None
        edits = typed(here.document, here.context, here.text.offset(params.position), params.ch)
        return [here.text.edit(edit) for edit in edits]
