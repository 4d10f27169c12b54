"""`memdir/types`: what the four types hold, for a client that helps to write one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdir.lsp import ext

if TYPE_CHECKING:
    from memdir.core.taxonomy import MemoryType
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the handler."""

    @server.feature(ext.TYPES)
    async def types(params: Any) -> ext.TypesResult:
        from memdir.core.taxonomy import TYPES

        return {"types": [_info(each, server.client.locale) for each in TYPES.values()]}


def _info(each: MemoryType, locale: str) -> ext.MemoryTypeInfo:
    from memdir.core.i18n import Message, render
    from memdir.lsp.tree import type_label

    def text(message: Message) -> str:
        return render(message, locale)

    return {
        "name": each.name,
        "label": text(type_label(each.name)),
        "holds": text(each.holds),
        "when": text(each.when),
        "body": text(each.body),
        "parts": [{"label": part.label, "hint": text(part.hint)} for part in each.parts],
        "examples": [text(example) for example in each.belongs],
        "elsewhere": [text(example) for example in each.elsewhere],
        "defaultScope": each.default_scope,
        "teamAllowed": each.team_allowed,
        "scopeRule": text(each.scope_rule),
    }
