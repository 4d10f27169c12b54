"""Document links: every pointer that leads somewhere, as a clickable place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.ide.navigate import Target, target_of
from memdir.ide.pointers import pointers


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """Either `url` (the web) or `target` is set; `tooltip` says what is there."""

    span: Span
    tooltip: Message
    target: Target | None = None
    url: str = ""


def document_links(document: Document, context: Context) -> Iterator[DocumentLink]:
    """Links of the document whose target exists, in order."""
    for pointer in pointers(document, context.directory):
        if pointer.url:
            yield DocumentLink(pointer.span, msg("Open {url}", url=pointer.url), url=pointer.url)
            continue
        target = target_of(pointer, context)
        if target is None:
            continue
        memory = context.directory.get(target.rel) if target.rel is not None else None
        tooltip = msg("Open “{name}”", name=memory.title if memory is not None else target.path or "")
        yield DocumentLink(pointer.span, tooltip, target)
