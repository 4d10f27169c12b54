"""`memdir/tree`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdir.lsp import ext
from memdir.lsp.params import folder_of

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(ext.TREE)
    async def tree(params: Any) -> ext.TreeResult:
        from memdir.lsp.tree import TreeBuilder

        await server.lifecycle.started()
        return {"roots": TreeBuilder(server.session).roots(folder_of(params))}
