"""Relative dates of a document, with the day they count from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from memdir.core.dates import DateHit, find
from memdir.core.dates.passages import passages
from memdir.core.dates.reference import Reference
from memdir.core.document import Document
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.core.rules.relative_date import reference_of

_MEMO = "relative dates"


@dataclass(frozen=True, slots=True)
class RelativeDate:
    """`hit` has offsets of its passage; `span` is in the document."""

    span: Span
    hit: DateHit
    reference: Reference


def relative_dates(document: Document, context: Context) -> tuple[RelativeDate, ...]:
    """Every relative date of the description and the body, in order; nothing when no day of writing is known.

    Looked for once per text and day that it counts from: editors ask again with every scrolled line.
    """
    if document.kind == "index":
        return ()
    today = context.now.date()
    seen = document.memo.get(_MEMO)
    if not isinstance(seen, _Seen) or seen.today != today:
        # most texts hold none; only for the others the day is looked up, for git may be asked
        holds = any(text and find(text, today) for _, text in passages(document))
        document.memo[_MEMO] = seen = _Seen(today, holds)
    if not seen.holds:
        return ()
    reference = reference_of(document, context)
    if reference is None:
        return ()
    if seen.reference != reference:
        seen.reference, seen.found = reference, tuple(_find(document, reference))
    return seen.found


@dataclass(slots=True)
class _Seen:
    """What was found in a text: anything at all on the day `today`, and what as counted from `reference`."""

    today: date
    holds: bool
    reference: Reference | None = None
    found: tuple[RelativeDate, ...] = ()


def _find(document: Document, reference: Reference) -> Iterator[RelativeDate]:
    for offset, text in passages(document):
        for hit in find(text, reference.day) if text else ():
            yield RelativeDate(hit.span.shift(offset), hit, reference)
