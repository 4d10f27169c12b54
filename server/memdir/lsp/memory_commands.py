"""Commands behind code lenses: list a memory in its index, mark it as verified, verify what it cites."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.core.citations import Citation
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.index_edit import additions
from memdir.core.model import ChangeSet
from memdir.core.rule import Context
from memdir.ide.refactor.verify import verified
from memdir.ide.verify import CitationReport, verify_citations
from memdir.lsp import ext
from memdir.lsp.carry_out import carry_out

if TYPE_CHECKING:
    from memdir.lsp.memory import Memory
    from memdir.lsp.server import MemdirServer

_SHOWN = 3


async def list_in_index(server: MemdirServer, uri: str) -> bool:
    """Add the entry of a memory to its index; False when that changed nothing."""
    here = await _memory(server, uri)
    if here is None:
        return False
    memory, document, context = here
    index = memory.store.directory.index_for(document)
    if index is None:
        server.show_message(
            msg("There is no index yet that could list this memory."), types.MessageType.Warning
        )
        return False
    edits = additions(memory.store.directory, index, [document], context.settings)
    return await carry_out(
        server, ChangeSet(msg("List “{name}”", name=document.title), (index.edit(*edits),), "action")
    )


async def mark_verified(server: MemdirServer, uri: str) -> bool:
    """Set the day of the last verification to today; False when it is already."""
    here = await _memory(server, uri)
    edit = verified(here[1], here[2]) if here is not None else None
    if here is None or edit is None:
        return False
    return await carry_out(server, ChangeSet(msg("Mark as verified today"), (here[1].edit(edit),), "action"))


async def verify(server: MemdirServer, uri: str) -> ext.CitationResult:
    """Look at every place that a memory cites, and tell what became of them."""
    here = await _memory(server, uri)
    if here is None:
        return {"holds": [], "changed": [], "broken": [], "unknown": []}
    memory, document, context = here
    project = memory.folder.project
    project.forget_files()
    if not project.loaded:
        await asyncio.to_thread(project.load)
    report = await asyncio.to_thread(verify_citations, document, context)
    server.session.recheck(memory, [document.rel])  # its diagnostics say the same from now on
    server.show_message(
        _sentence(document, report),
        types.MessageType.Warning if report.broken or report.changed else types.MessageType.Info,
    )
    return {
        "holds": _texts(document, report.holds),
        "changed": _texts(document, report.changed),
        "broken": _texts(document, report.broken),
        "unknown": _texts(document, report.unknown),
    }


async def _memory(server: MemdirServer, uri: str) -> tuple[Memory, Document, Context] | None:
    await server.lifecycle.started()
    located = server.session.locate(uri)
    if located is None or located[1].kind != "topic":
        server.show_message(msg("This is no memory."), types.MessageType.Warning)
        return None
    memory, document = located
    return memory, document, memory.context(server.world.clock())


def _texts(document: Document, found: Iterable[Citation]) -> list[str]:
    return [document.slice(c.span) for c in found]


def _sentence(document: Document, report: CitationReport) -> Message:
    total = sum(len(part) for part in (report.holds, report.changed, report.broken, report.unknown))
    if not total:
        return msg("This memory cites nothing.")
    if report.broken:
        places = _places(document, report.broken)
        return msg(
            "Not there any more: {places}. Of {total} citations {holds} hold.",
            places=places,
            total=total,
            holds=len(report.holds),
        )
    if report.changed:
        places = _places(document, report.changed)
        return msg(
            "Changed since the memory was written: {places}. Of {total} citations {holds} hold.",
            places=places,
            total=total,
            holds=len(report.holds),
        )
    if report.unknown:
        return msg(
            "All {total} cited places are there; whether they changed is not known for {unknown}.",
            total=total,
            unknown=len(report.unknown),
        )
    return msg("All {total} citations hold.", total=total)


def _places(document: Document, found: tuple[Citation, ...]) -> str:
    shown = ", ".join(document.slice(c.span) for c in found[:_SHOWN])
    return shown + (" …" if len(found) > _SHOWN else "")
