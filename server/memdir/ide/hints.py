"""Inlay hints: the age behind each index entry, the day behind a relative date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.age import age_words, days_old
from memdir.core.dates.absolute import meaning
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.index import resolve
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.core.staleness import written
from memdir.ide.card import memory_card
from memdir.ide.dates import relative_dates
from memdir.ide.hover import date_card


@dataclass(frozen=True, slots=True)
class Hint:
    """`text` is shown at `offset`; `tooltip` is Markdown."""

    offset: int
    text: Message
    tooltip: Message


def hints(document: Document, context: Context, span: Span) -> Iterator[Hint]:
    """Hints inside `span`."""
    if document.kind == "index":
        yield from _ages(document, context, span)
        return
    for found in relative_dates(document, context):
        if found.hit.earliest is not None and found.span.overlaps(span):
            yield Hint(found.span.end, meaning(found.hit), date_card(found))


def _ages(index: Document, context: Context, span: Span) -> Iterator[Hint]:
    for entry in context.directory.entries(index):
        if not entry.span.overlaps(span) or len(entry.targets) != 1 or entry.targets[0].external:
            continue
        rel = resolve(index.rel, entry.targets[0].path)
        memory = context.directory.get(rel) if rel is not None else None
        when = written(memory, context.now.tzinfo) if memory is not None else None
        if memory is not None and when is not None:
            age = age_words(days_old(when.at, context.now))
            yield Hint(entry.span.end, msg("{age}", age=age), memory_card(memory, context, body=False))
