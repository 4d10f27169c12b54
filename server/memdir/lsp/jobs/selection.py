"""Saving a selected text as a memory with what every client has: a question about the type, then the file to look at.

A client with forms of its own (VS Code) runs its own flow instead.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.prose import first_sentence, shorten
from memdir.core.save import SaveRequest
from memdir.core.taxonomy import TYPES
from memdir.core.text import decode
from memdir.lsp.buffers import path_of
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.save import answer_of, plan_for
from memdir.lsp.jobs.site import Site, site_of
from memdir.lsp.params import text_of
from memdir.lsp.tree import type_label
from memdir.store.snapshot import read_bytes

if TYPE_CHECKING:
    from memdir.core.save import SavePlan
    from memdir.lsp import ext_jobs
    from memdir.lsp.server import MemdirServer

_NAME, _DESCRIPTION = 60, 150  # characters: a title, and what fits an index line


async def save_selection(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.SaveAnswer | None:
    """Save `text`, or `range` of the file `uri`; None when the person went away."""
    site = await site_of(server, given)
    await site.loaded()
    text, line = _selected(server, given)
    if not text.strip():
        raise JobError(msg("Select the text that the agent should remember, then run this again."))
    chosen = await _ask(site, msg("What kind of memory is this?"), [type_label(name) for name in TYPES])
    if chosen is None:
        return None
    body = text.strip("\r\n") + _source(site, path_of(text_of(given, "uri")), line)
    request = request_for(list(TYPES)[chosen], body)
    plan: SavePlan | None = plan_for(site, request)
    while plan is not None and plan.questions:
        plan = await _decide(site, plan, request)
    if plan is None:
        return None
    answer = answer_of(site, plan)
    answer["done"] = await site.apply(plan.change_set)
    answer["saved"] = True
    if server.client.show_document:
        await server.window_show_document_async(types.ShowDocumentParams(uri=answer["uri"], take_focus=True))
    return answer


def request_for(type_: str, body: str) -> SaveRequest:
    """What to save of a text: its heading or first sentence names it, its first sentence describes it."""
    document = Document("", "selection.md", body)
    headings = document.markdown.headings
    sentence = first_sentence(document, _DESCRIPTION) or shorten(" ".join(body.split()), _DESCRIPTION)
    title = headings[0].text.strip("*_` #") if headings else ""
    return SaveRequest(type_, shorten(title or sentence, _NAME).rstrip("."), sentence, body)


async def _decide(site: Site, plan: SavePlan, request: SaveRequest) -> SavePlan | None:
    """The plan after the person answered its first question; None when they went away."""
    from dataclasses import replace

    question = plan.questions[0]
    names = [msg("Update {file}", file=c.rel) for c in question.candidates]
    chosen = await _ask(site, question.message, [*names, msg("Save all the same")])
    if chosen is None:
        return None
    if chosen == len(names):
        return replace(plan, questions=())
    # an update keeps the name and description that people know the memory by
    update = replace(request, update=question.candidates[chosen].rel, name="", description="")
    return replace(plan_for(site, update), questions=())


async def _ask(site: Site, message: Message, choices: Sequence[Message]) -> int | None:
    """The number of the chosen answer, None for none."""
    titles = [site.text(c) for c in choices]
    answer = await site.server.window_show_message_request_async(
        types.ShowMessageRequestParams(
            type=types.MessageType.Info,
            message=site.text(message),
            actions=[types.MessageActionItem(title) for title in titles],
        )
    )
    return titles.index(answer.title) if answer is not None and answer.title in titles else None


def _selected(server: MemdirServer, given: Mapping[str, Any]) -> tuple[str, int]:
    """The text, and the number of its first line from 1 (0 when it is not known)."""
    text = text_of(given, "text")
    if text:
        return text, 0
    path = path_of(text_of(given, "uri"))
    where = given.get("range")
    found = server.session.text_at(path) if path else None
    if path is None or found is None or not isinstance(where, Mapping):
        return "", 0
    try:
        wanted = types.Range(
            *(types.Position(int(where[e]["line"]), int(where[e]["character"])) for e in ("start", "end"))
        )
    except (KeyError, TypeError, ValueError):
        return "", 0
    span = found.span(wanted)
    buffer = server.session.buffers.at(path)
    source = buffer.text.removeprefix("\ufeff") if buffer else decode(read_bytes(path))[0]
    return source[span.start : span.end], wanted.start.line + 1


def _source(site: Site, path: str | None, line: int) -> str:
    """A line that says where in the repository the text comes from; '' for text from elsewhere."""
    top = site.folder.workspace.location.top
    if path is None or not path.startswith(top.rstrip(os.sep) + os.sep) or not line:
        return ""
    return f"\n\nSource: `{os.path.relpath(path, top).replace(os.sep, '/')}:{line}`"
