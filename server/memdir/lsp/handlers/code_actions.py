"""`textDocument/codeAction`: quick fixes, "ignore this rule here", all safe fixes of a file at once, and what jobs offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

FIX_ALL = "source.fixAll.memdir"
KINDS = (
    types.CodeActionKind.QuickFix,
    FIX_ALL,
    "refactor.extract",
    "refactor.rewrite",
    "refactor.move",
    "source.organizeIndex",
)


def register(server: MemdirServer) -> None:
    """Register the handlers."""
    options = types.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        from memdir.lsp.actions import Actions
        from memdir.lsp.jobs.offers import Offers

        await server.lifecycle.started()
        return [*Actions(server, params).all(), *Offers(server, params).all()]

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        data = action.data if isinstance(action.data, dict) else {}
        if data.get("action") == "fixAll" and isinstance(data.get("uri"), str):
            from memdir.lsp.actions import fix_all_edit

            action.edit = fix_all_edit(server, data["uri"])
        elif data.get("action") == "refactor":
            from memdir.lsp.jobs.offers import resolve as resolve_offer

            resolve_offer(server, action, data)
        return action
