"""`textDocument/documentLink`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkOptions(resolve_provider=False))
    async def links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        from memdir.ide.links import document_links

        located = server.session.locate(params.text_document.uri)
        if located is None:
            return []
        memory, document = located
        text = server.session.text(document)
        directory = memory.store.directory
        return [
            types.DocumentLink(
                range=text.range(link.span),
                target=link.url or server.session.buffers.uri_of(directory.path_of(link.rel or "")),
            )
            for link in document_links(document, directory)
        ]
