"""`textDocument/codeAction`: quick fixes, "ignore this rule here", and all safe fixes of a file at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

FIX_ALL = "source.fixAll.memdir"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)


def register(server: MemdirServer) -> None:
    """Register the handlers."""
    options = types.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        from memdir.lsp.actions import Actions

        return list(Actions(server, params).all())

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        data = action.data if isinstance(action.data, dict) else {}
        if data.get("action") == "fixAll" and isinstance(data.get("uri"), str):
            from memdir.lsp.actions import fix_all_edit

            action.edit = fix_all_edit(server, data["uri"])
        return action
