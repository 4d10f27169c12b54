"""`textDocument/documentSymbol` and `workspace/symbol`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir.ide.outline import Symbol
    from memdir.lsp.convert import Text
    from memdir.lsp.server import MemdirServer

_KINDS = {
    "memory": types.SymbolKind.File,
    "header": types.SymbolKind.Object,
    "field": types.SymbolKind.Field,
    "section": types.SymbolKind.String,
    "entry": types.SymbolKind.Key,
}


def register(server: MemdirServer) -> None:
    """Register the handlers."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document(
        params: types.DocumentSymbolParams,
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
        from memdir.ide.outline import document_symbols

        located = server.session.locate(params.text_document.uri)
        if located is None:
            return None
        memory, found = located
        text = server.session.text(found)
        symbols = document_symbols(found, memory.store.directory)
        if server.client.symbol_tree:
            return [_tree(s, text) for s in symbols]
        return [_flat(s, text, parent) for s, parent in _walk(symbols, None)]

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        from memdir.ide.outline import search

        await server.lifecycle.started()
        session = server.session
        found = search(params.query, [m.store.directory for m in session.memories.values()])
        return [
            types.WorkspaceSymbol(
                name=f.document.title,
                kind=types.SymbolKind.File,
                location=types.Location(text.uri, text.range(f.span)),
                container_name=" · ".join(x for x in (f.document.type, f.document.scope) if x),
            )
            for f in found
            for text in (session.text(f.document),)
        ]


def _tree(symbol: Symbol, text: Text) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name.strip() or "-",
        detail=symbol.detail or None,
        kind=_KINDS[symbol.kind],
        range=text.range(symbol.span),
        selection_range=text.range(symbol.name_span),
        children=[_tree(c, text) for c in symbol.children] or None,
    )


def _walk(symbols: list[Symbol], parent: str | None) -> Iterator[tuple[Symbol, str | None]]:
    for symbol in symbols:
        yield symbol, parent
        yield from _walk(symbol.children, symbol.name)


def _flat(symbol: Symbol, text: Text, parent: str | None) -> types.SymbolInformation:
    where = types.Location(text.uri, text.range(symbol.span))
    return types.SymbolInformation(
        name=symbol.name.strip() or "-", kind=_KINDS[symbol.kind], location=where, container_name=parent
    )
