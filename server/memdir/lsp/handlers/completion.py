"""`textDocument/completion` and `completionItem/resolve`."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from memdir.core.document import Document
    from memdir.ide.completion import Item
    from memdir.lsp.convert import Text
    from memdir.lsp.memory import Memory
    from memdir.lsp.server import MemdirServer

MOST = 500  # items sent; of more, those that fit what is typed, and the client asks again
_PLACE = re.compile(r"\$\{\d+:([^}]*)\}|\$\d+")
_KINDS = {
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "memory": types.CompletionItemKind.Reference,
    "file": types.CompletionItemKind.File,
    "folder": types.CompletionItemKind.Folder,
    "snippet": types.CompletionItemKind.Snippet,
    "rule": types.CompletionItemKind.Constant,
}


def register(server: MemdirServer) -> None:
    """Register the handlers."""
    options = types.CompletionOptions(
        trigger_characters=["[", "(", "`", "/", "-", " "], resolve_provider=True
    )

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    async def completion(params: types.CompletionParams) -> types.CompletionList | None:
        from memdir.ide.completion import complete
        from memdir.ide.completion.paths import folder_at

        await server.lifecycle.started()
        located = server.session.locate(params.text_document.uri)
        if located is None:
            return None
        memory, document = located
        text = server.session.text(document)
        offset = text.offset(params.position)
        folder = folder_at(document, offset)
        listed = await asyncio.to_thread(_listing, memory, folder) if folder is not None else ()
        items = complete(document, memory.context(server.session.world.clock()), offset, lambda _: listed)
        trigger = params.context.trigger_character if params.context else None
        if trigger == " " and not all(i.kind in ("value", "rule") for i in items):
            return None  # a blank opens the list only where one of few words is expected
        chosen = _fitting(items, document, offset)
        made = [_item(server, i, text, memory) for i in chosen]
        return types.CompletionList(is_incomplete=len(chosen) < len(items), items=made)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    async def resolve(item: types.CompletionItem) -> types.CompletionItem:
        from memdir.core.i18n import render
        from memdir.ide.card import memory_card
        from memdir.lsp.handlers.hover import markup

        data = item.data if isinstance(item.data, dict) else {}
        memory = server.session.memories.get(str(data.get("root")))
        document = memory.get(str(data.get("rel"))) if memory is not None else None
        if memory is not None and document is not None:
            card = memory_card(document, memory.context(server.session.world.clock()))
            item.documentation = markup(render(card, server.client.locale), markdown=server.client.markdown)
        return item


def _listing(memory: Memory, folder: str) -> list[tuple[str, bool]]:
    """Names in a folder of the repository, never outside of it; () when there is none."""
    top = os.path.realpath(memory.folder.workspace.location.top)
    place = os.path.realpath(os.path.join(top, folder))
    if place != top and not place.startswith(top.rstrip(os.sep) + os.sep):
        return []
    try:
        with os.scandir(place) as entries:
            return sorted((e.name, e.is_dir()) for e in entries)
    except OSError:
        return []


def _fitting(items: Sequence[Item], document: Document, offset: int) -> Sequence[Item]:
    if len(items) <= MOST:
        return items
    typed = document.text[items[0].span.start : offset].casefold()
    fits = [i for i in items if _letters(typed, (i.filter or i.label).casefold())]
    return sorted(fits, key=lambda i: (i.rank, not i.label.casefold().startswith(typed), i.label))[:MOST]


def _letters(typed: str, text: str) -> bool:
    letters = iter(text)
    return all(c in letters for c in typed)


def _item(server: MemdirServer, item: Item, text: Text, memory: Memory) -> types.CompletionItem:
    from memdir.core.i18n import render
    from memdir.lsp.handlers.hover import markup

    client = server.client
    snippet = item.snippet and client.snippets
    new = _PLACE.sub(r"\1", item.text) if item.snippet and not snippet else item.text
    made = types.CompletionItem(
        label=item.label,
        kind=_KINDS[item.kind],
        detail=render(item.detail, client.locale) if item.detail is not None else None,
        sort_text=f"{item.rank:03d} {item.label}",
        filter_text=item.filter or None,
        insert_text_format=types.InsertTextFormat.Snippet if snippet else None,
        text_edit=types.TextEdit(text.range(item.span), new),
    )
    if item.rel is not None:
        made.data = {"root": memory.root, "rel": item.rel}
    elif item.documentation is not None:
        made.documentation = markup(render(item.documentation, client.locale), markdown=client.markdown)
    if item.again and client.name == "Visual Studio Code":
        made.command = types.Command(title="", command="editor.action.triggerSuggest")
    return made
