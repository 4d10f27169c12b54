"""`memdir/status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdir.lsp import ext
from memdir.lsp.params import folder_of

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(ext.STATUS)
    async def status(params: Any) -> ext.StatusResult:
        from memdir.lsp.status import status as build

        await server.lifecycle.started()
        return build(server.session, folder_of(params))
