"""`textDocument/documentSymbol` and `workspace/symbol`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.lsp.opened import opened

if TYPE_CHECKING:
    from memdir.core.document import Document
    from memdir.ide.symbols import Symbol
    from memdir.lsp.convert import Text
    from memdir.lsp.server import MemdirServer

_KINDS = {
    "header": types.SymbolKind.Object,
    "field": types.SymbolKind.Field,
    "section": types.SymbolKind.String,  # what editors' own Markdown outlines use
    "part": types.SymbolKind.Property,
    "entry": types.SymbolKind.File,
    "event": types.SymbolKind.Event,
}
_TYPES = {
    "user": types.SymbolKind.Object,
    "feedback": types.SymbolKind.Method,
    "project": types.SymbolKind.Package,
    "reference": types.SymbolKind.Interface,
}


def register(server: MemdirServer) -> None:
    """Register the handlers."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def outline(
        params: types.DocumentSymbolParams,
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
        from memdir.ide.symbols import document_symbols

        here = await opened(server, params.text_document.uri)
        if here is None:
            return None
        symbols = document_symbols(here.document, here.directory)
        if server.client.symbol_tree:
            return [_tree(symbol, here.text) for symbol in symbols]
        return list(_flat(symbols, here.text))

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        from memdir.ide.pointers import name_span
        from memdir.ide.symbols import search

        await server.lifecycle.started()
        session = server.session
        documents = [d for m in session.memories.values() for d in m.store.directory.topics()]
        found = await asyncio.to_thread(search, params.query, documents)
        result = []
        for each in found:
            text = session.text(each.document)
            result.append(
                types.WorkspaceSymbol(
                    name=each.name,
                    kind=_TYPES.get(each.document.type, types.SymbolKind.File),
                    location=types.Location(text.uri, text.range(name_span(each.document))),
                    container_name=_container(each.document),
                )
            )
        return result


def _container(document: Document) -> str:
    scope = document.scope if document.scope != "private" else ""
    return " · ".join(part for part in (document.type, scope) if part)


def _tree(symbol: Symbol, text: Text) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name.strip() or "-",  # editors refuse an outline with an empty name in it
        detail=symbol.detail or None,
        kind=_KINDS[symbol.kind],
        range=text.range(symbol.span),
        selection_range=text.range(symbol.name_span),
        children=[_tree(child, text) for child in symbol.children] or None,
    )


def _flat(
    symbols: Iterable[Symbol], text: Text, container: str | None = None
) -> Iterator[types.SymbolInformation]:
    for symbol in symbols:
        name = symbol.name.strip() or "-"
        where = types.Location(text.uri, text.range(symbol.span))
        yield types.SymbolInformation(
            location=where, name=name, kind=_KINDS[symbol.kind], container_name=container
        )
        yield from _flat(symbol.children, text, name)
