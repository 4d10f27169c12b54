"""`textDocument/definition`, `references` and `documentHighlight`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handlers."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(
        params: types.DefinitionParams,
    ) -> types.Location | list[types.LocationLink] | None:
        from memdir.ide.navigate import definition as find
        from memdir.lsp.places import location

        here = server.session.cursor(params)
        target = find(here.document, here.context, here.offset) if here is not None else None
        if here is None or target is None:
            return None
        found = location(server.session, here.memory, target)
        if not server.client.definition_links:
            return found
        origin = here.text.range(target.origin)
        return [types.LocationLink(found.uri, found.range, found.range, origin)]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location] | None:
        from memdir.ide.navigate import references as find

        here = server.session.cursor(params)
        if here is None:
            return None
        declaration = params.context.include_declaration
        text = server.session.text
        return [
            types.Location(t.uri, t.range(o.span))
            for o in find(here.document, here.context, here.offset, declaration=declaration)
            for t in (text(o.document),)
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlights(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        from memdir.ide.navigate import highlights as find

        here = server.session.cursor(params)
        if here is None:
            return None
        kind = types.DocumentHighlightKind.Read
        return [
            types.DocumentHighlight(here.text.range(o.span), kind)
            for o in find(here.document, here.context, here.offset)
        ]
