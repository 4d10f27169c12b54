"""Inlay hints: the age behind each index entry, the days that a relative date means."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.age import age_words, days_old
from memdir.core.dates import DateHit
from memdir.core.dates.absolute import meaning
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.index import Entry, resolve
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.core.staleness import Written, written
from memdir.ide.dates import relative_dates


@dataclass(frozen=True, slots=True)
class Hint:
    """`text` is shown at `offset`, behind a blank; `tooltip` explains it."""

    offset: int
    text: Message
    tooltip: Message


def hints(document: Document, context: Context, span: Span) -> Iterator[Hint]:
    """The hints of `document` inside `span`, in order."""
    if document.kind == "index" or context.directory.is_listing(document):
        yield from _ages(document, context, span)
    if document.kind != "index":
        yield from _dates(document, context, span)


def _ages(document: Document, context: Context, span: Span) -> Iterator[Hint]:
    entries = context.directory.entries(document)
    first = bisect_left(entries, span.start, key=lambda e: e.span.end)
    for entry in entries[first:]:
        if entry.span.start > span.end:
            return
        found = list(_written(document, context, entry))
        if found:
            oldest = min(found, key=lambda pair: pair[1].at)
            end = entry.span.start + len(document.slice(entry.span).rstrip())
            days = sorted({days_old(when.at, context.now) for _, when in found})
            yield Hint(end, _span_of_ages(days[0], days[-1]), _source(*oldest))


def _written(document: Document, context: Context, entry: Entry) -> Iterator[tuple[Document, Written]]:
    """The memories that an entry names, with the time each was written."""
    for target in entry.targets:
        rel = None if target.external else resolve(document.rel, target.path)
        memory = context.directory.get(rel) if rel is not None else None
        when = written(memory, context.now.tzinfo) if memory is not None else None
        if memory is not None and when is not None:
            yield memory, when


def _span_of_ages(newest: int, oldest: int) -> Message:
    if newest == oldest:
        return age_words(oldest)
    return msg("{newest} to {oldest}", newest=age_words(newest), oldest=age_words(oldest))


def _source(memory: Document, when: Written) -> Message:
    day = when.at.date().isoformat()
    if when.source == "mtime":
        return msg("{file} was last changed on {day} (time of the file).", file=memory.rel, day=day)
    return msg("{file}: {day} (`{key}` in the header).", file=memory.rel, day=day, key=when.source)


def _dates(document: Document, context: Context, span: Span) -> Iterator[Hint]:
    for found in relative_dates(document, context):
        if found.span.start > span.end:
            return
        if found.span.end >= span.start and found.hit.earliest is not None:
            tooltip = msg(
                "{meaning}, counted from {day} ({source})",
                meaning=meaning(found.hit),
                day=found.reference.day.isoformat(),
                source=found.reference.named,
            )
            yield Hint(found.span.end, _days(found.hit), tooltip)


def _days(hit: DateHit) -> Message:
    """The days in few characters: the reader looks at the line, the tooltip has the words."""
    assert hit.earliest is not None and hit.latest is not None
    first, last = hit.earliest.isoformat(), hit.latest.isoformat()
    if first == last:
        return (
            msg("{date}", date=first)
            if hit.exact or hit.kind != "offset"
            else msg("about {date}", date=first)
        )
    return msg("{first} … {last}", first=first, last=last)
