"""Relative dates of a document, with the day they count from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.dates import DateHit, find
from memdir.core.dates.passages import passages
from memdir.core.dates.reference import Reference
from memdir.core.document import Document
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.core.rules.relative_date import reference_of


@dataclass(frozen=True, slots=True)
class RelativeDate:
    """`hit` has offsets of its passage; `span` is in the document."""

    span: Span
    hit: DateHit
    reference: Reference


def relative_dates(document: Document, context: Context) -> Iterator[RelativeDate]:
    """Every relative date of the description and the body; nothing when no day of writing is known."""
    if document.kind == "index":
        return
    reference: Reference | None = None
    for offset, text in passages(document):
        if not text or not find(text, context.now.date()):
            continue
        reference = reference or reference_of(document, context)
        if reference is None:
            return
        for hit in find(text, reference.day):
            yield RelativeDate(hit.span.shift(offset), hit, reference)
