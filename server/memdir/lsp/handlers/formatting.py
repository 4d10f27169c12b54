"""`textDocument/formatting` and `textDocument/rangeFormatting`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.lsp.opened import opened

if TYPE_CHECKING:
    from memdir.core.model import Span
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handlers."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def whole(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        return await _format(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def part(params: types.DocumentRangeFormattingParams) -> list[types.TextEdit] | None:
        return await _format(server, params.text_document.uri, params.range)


async def _format(
    server: MemdirServer, uri: str, where: types.Range | None = None
) -> list[types.TextEdit] | None:
    from memdir.ide.formatting import format_document

    here = await opened(server, uri)
    if here is None:
        return None
    span: Span | None = here.text.span(where) if where is not None else None
    return [here.text.edit(edit) for edit in format_document(here.document, here.context, span)]
