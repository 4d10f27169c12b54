"""`textDocument/hover`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.core.i18n import render

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

_MARKS = re.compile(r"\*\*|\[([^\]]*)\]\(([^)]*)\)")


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        from memdir.ide.hover import hover as answer

        located = server.session.locate(params.text_document.uri)
        if located is None:
            return None
        memory, document = located
        text = server.session.text(document)
        findings = server.session.findings.get(document.path, [])
        context = memory.context(server.session.world.clock())
        found = answer(document, context, text.offset(params.position), findings)
        if found is None:
            return None
        client = server.session.client
        return types.Hover(
            markup(render(found.text, client.locale), markdown=client.markdown), text.range(found.span)
        )


def markup(source: str, *, markdown: bool) -> types.MarkupContent:
    """Markdown, or what remains of it for a client that shows plain text."""
    if markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, source)
    plain = _MARKS.sub(lambda m: f"{m[1]} ({m[2]})" if m[1] else "", source)
    return types.MarkupContent(types.MarkupKind.PlainText, plain)
