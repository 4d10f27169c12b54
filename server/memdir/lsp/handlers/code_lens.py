"""`textDocument/codeLens`, and the commands behind lenses that show something.

Every lens has a command, and all but one are the server's own, so that they work in any client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memdir.core.i18n import render
from memdir.lsp import ext
from memdir.lsp.opened import opened
from memdir.lsp.params import argument, text_of

if TYPE_CHECKING:
    from memdir.ide.lens import LensAction
    from memdir.lsp.server import MemdirServer

_COMMANDS: dict[LensAction, str] = {
    "mark": ext.MARK_VERIFIED,
    "references": ext.LIST_REFERENCES,
    "show": ext.SHOW_ENTRY,
    "list": ext.LIST_IN_INDEX,
    "verify": ext.VERIFY_CITATIONS,
}


def register(server: MemdirServer) -> None:
    """Register the handler and the commands."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        from memdir.ide.lens import lenses

        uri = params.text_document.uri
        here = await opened(server, uri)
        if here is None:
            return None
        return [
            types.CodeLens(
                range=here.text.range(lens.span),
                command=_command(server, uri, lens.action, render(lens.title, server.client.locale)),
            )
            for lens in lenses(here.document, here.context)
        ]

    @server.command(ext.LIST_REFERENCES)
    async def list_references(*arguments: Any) -> list[str]:
        from memdir.lsp.lens_commands import list_references as work

        return await work(server, text_of(argument(arguments), "uri"))

    @server.command(ext.SHOW_ENTRY)
    async def show_entry(*arguments: Any) -> bool:
        from memdir.lsp.lens_commands import show_entry as work

        return await work(server, text_of(argument(arguments), "uri"))


def _command(server: MemdirServer, uri: str, action: LensAction, title: str) -> types.Command:
    if action == "references" and server.client.shows_references:  # the client has a view of its own for them
        return types.Command(title, ext.SHOW_REFERENCES, arguments=[uri, {"line": 0, "character": 0}])
    return types.Command(title, _COMMANDS[action], arguments=[{"uri": uri}])
