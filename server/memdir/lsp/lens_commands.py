"""Commands behind code lenses that show something: who refers to a memory, and where an index lists it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.core.i18n import Message, msg, render
from memdir.ide.pointers import Pointer, pointers_to
from memdir.lsp.opened import Opened, opened

if TYPE_CHECKING:
    from memdir.core.document import Document
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)

_CHOICES = 8  # buttons of one question; beyond that a list is told instead
_SHOWN = 20  # names in a message


async def list_references(server: MemdirServer, uri: str) -> list[str]:
    """Show what refers to a memory: the only place at once, one of several by choice. Gives the URIs of all."""
    here = await _memory(server, uri)
    if here is None:
        return []
    places: dict[str, tuple[Document, Pointer]] = {}
    for source, pointer in pointers_to(here.document.rel, here.directory):
        if source.kind != "index" and source is not here.document:
            places.setdefault(source.rel, (source, pointer))
    if not places:
        server.show_message(msg("No other memory refers to this one."))
    elif len(places) == 1:
        await _show(server, *next(iter(places.values())))
    elif server.client.show_document and len(places) <= _CHOICES:
        chosen = await _choose(server, msg("Which of them?"), list(places))
        if chosen in places:
            await _show(server, *places[chosen])
    else:
        names = ", ".join(list(places)[:_SHOWN]) + (" …" if len(places) > _SHOWN else "")
        server.show_message(msg("Referenced by {files}.", files=names))
    return [server.session.text(source).uri for source, _ in places.values()]


async def show_entry(server: MemdirServer, uri: str) -> bool:
    """Show the index entry of a memory; False when no index has one or the client can't show it."""
    here = await _memory(server, uri)
    if here is None:
        return False
    found = [
        (source, pointer)
        for source, pointer in pointers_to(here.document.rel, here.directory)
        if source.kind == "index" or here.directory.is_listing(source)
    ]
    if not found:
        server.show_message(msg("No index lists this memory."))
        return False
    return await _show(server, *min(found, key=lambda place: place[0].kind != "index"))


async def _memory(server: MemdirServer, uri: str) -> Opened | None:
    here = await opened(server, uri)
    if here is None or here.document.kind != "topic":
        server.show_message(msg("This is no memory."), types.MessageType.Warning)
        return None
    return here


async def _show(server: MemdirServer, document: Document, pointer: Pointer) -> bool:
    """Open a file at a place, or say where it is to a client that opens nothing."""
    text = server.session.text(document)
    if server.client.show_document:
        params = types.ShowDocumentParams(uri=text.uri, take_focus=True, selection=text.range(pointer.whole))
        try:
            return (await server.window_show_document_async(params)).success
        except RuntimeError as error:
            logger.warning("The client did not show %s: %s", text.uri, error)
    line = document.lines.line_of(pointer.span.start) + 1
    server.show_message(msg("{file}, line {line}", file=document.rel, line=line))
    return False


async def _choose(server: MemdirServer, question: Message, choices: list[str]) -> str:
    """What the person chose; '' for nothing."""
    params = types.ShowMessageRequestParams(
        type=types.MessageType.Info,
        message=render(question, server.client.locale),
        actions=[types.MessageActionItem(title=choice) for choice in choices],
    )
    try:
        answer = await server.window_show_message_request_async(params)
    except RuntimeError as error:
        logger.warning("The client asked nobody: %s", error)
        return ""
    return answer.title if answer is not None else ""
