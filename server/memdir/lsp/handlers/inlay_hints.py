"""`textDocument/inlayHint`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=False))
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        from memdir.core.i18n import render
        from memdir.ide.hints import hints as find
        from memdir.lsp.handlers.hover import markup

        await server.lifecycle.started()
        located = server.session.locate(params.text_document.uri)
        if located is None:
            return None
        memory, document = located
        text, client = server.session.text(document), server.client
        context = memory.context(server.session.world.clock())
        return [
            types.InlayHint(
                position=text.position(h.offset),
                label=render(h.text, client.locale),
                tooltip=markup(render(h.tooltip, client.locale), markdown=client.markdown),
                padding_left=True,
            )
            for h in find(document, context, text.span(params.range))
        ]
