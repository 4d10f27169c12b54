"""`textDocument/hover`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

_MARKS = re.compile(r"\*\*|\[([^\]]*)\]\(([^)]*)\)|\\(?=[\W_])")


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        from memdir.core.i18n import render
        from memdir.ide.hover import hover as answer

        here = server.session.cursor(params)
        if here is None:
            return None
        findings = server.session.findings.get(here.document.path, [])
        found = answer(here.document, here.context, here.offset, findings)
        if found is None:
            return None
        text = render(found.text, server.client.locale)
        return types.Hover(markup(text, markdown=server.client.markdown), here.text.range(found.span))


def markup(source: str, *, markdown: bool) -> types.MarkupContent:
    """Markdown, or what remains of it for a client that shows plain text."""
    if markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, source)
    plain = _MARKS.sub(lambda m: f"{m[1]} ({m[2]})" if m[1] else "", source)
    return types.MarkupContent(types.MarkupKind.PlainText, plain)
