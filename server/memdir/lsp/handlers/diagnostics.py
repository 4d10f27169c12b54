"""`textDocument/diagnostic`: the client asks. What is pushed goes through `memdir.lsp.publisher`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Nothing: a client that does not pull must not be told that it could (`register_pull`)."""


def register_pull(server: MemdirServer) -> None:
    """Register the handler for a client that pulls."""
    options = types.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=False, identifier="memdir"
    )

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(params: types.DocumentDiagnosticParams) -> dict[str, Any]:
        uri = params.text_document.uri
        await server.lifecycle.started()
        server.session.locate(uri)  # takes over the newest text first
        found = server.session.publisher.pulled(uri)
        if found is None:
            return {"kind": "full", "items": []}
        if params.previous_result_id == found.id:
            return {"kind": "unchanged", "resultId": found.id}
        return {"kind": "full", "resultId": found.id, "items": found.items}
