"""`textDocument/foldingRange`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.lsp.opened import opened

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

_KINDS = {"comment": types.FoldingRangeKind.Comment}


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        from memdir.ide.folding import folds

        here = await opened(server, params.text_document.uri)
        if here is None:
            return None
        return [
            types.FoldingRange(fold.first, fold.last, kind=_KINDS.get(fold.kind))
            for fold in folds(here.document, here.directory)
        ]
