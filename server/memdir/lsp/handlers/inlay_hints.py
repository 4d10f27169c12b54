"""`textDocument/inlayHint`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.core.i18n import render
from memdir.lsp.opened import opened

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=False))
    async def inlay_hints(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        from memdir.ide.hints import hints

        here = await opened(server, params.text_document.uri)
        if here is None:
            return None
        locale = server.client.locale
        return [
            types.InlayHint(
                position=here.text.position(hint.offset),
                label=render(hint.text, locale),
                tooltip=render(hint.tooltip, locale),
                padding_left=True,
            )
            for hint in hints(here.document, here.context, here.text.span(params.range))
        ]
