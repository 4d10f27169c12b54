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
        from memdir.core.i18n import render
        from memdir.ide.links import document_links
        from memdir.lsp.places import location

        located = server.session.locate(params.text_document.uri)
        if located is None:
            return []
        memory, document = located
        text = server.session.text(document)
        found = []
        for link in document_links(document, memory.context(server.session.world.clock())):
            uri = link.url
            if link.target is not None:
                place = location(server.session, memory, link.target)
                line = place.range.start.line
                uri = place.uri + (f"#L{line + 1}" if line else "")
            tooltip = render(link.tooltip, server.client.locale) if server.client.link_tooltip else None
            found.append(types.DocumentLink(range=text.range(link.span), target=uri, tooltip=tooltip))
        return found
