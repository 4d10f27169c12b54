"""Deadlines: written dates that the words beside them make the end or the start of something."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TypeAlias

from memdir.core.dates.context import around
from memdir.core.dates.detect import LANGUAGES, language
from memdir.core.dates.mask import hidden, is_hidden
from memdir.core.dates.written import written_dates
from memdir.core.model import Span

Cue: TypeAlias = "re.Pattern[str] | None"


@dataclass(frozen=True, slots=True)
class Deadline:
    """`span` covers the date, `last` is its last day, `words` the cue and the date as written."""

    span: Span
    last: date
    words: str


def find_deadlines(text: str) -> list[Deadline]:
    """Deadlines in Markdown `text`, in order. Code, links and quotations are left out, and so are sentences that tell of
    what is over ("shipped by 2026-03-01"). Total on any text."""
    found: list[Deadline] = []
    masks: list[Span] | None = None
    for written in written_dates(text):
        context = around(text, written.span.start, written.span.end)
        left, right = context.left.lower(), context.right.lower()
        cue = _cue(left, right)
        if cue is None:
            continue
        if masks is None:
            masks = hidden(text, dated_sections=False)
        if is_hidden(masks, written.span):
            continue
        words = text[written.span.start - cue[0] : written.span.end + cue[1]]
        found.append(Deadline(written.span, written.last, " ".join(words.split())))
    return found


def _cue(left: str, right: str) -> tuple[int, int] | None:
    """(length of the cue before the date, after it) of the first language that has one; None for none, or for history."""
    for fold, before, after, history in _cues():
        if fold:
            left, right = left.translate(fold), right.translate(fold)
        ahead = before.search(left) if before else None
        behind = after.match(right) if after else None
        if (ahead or behind) and not (history and (history.search(left) or history.search(right))):
            return (len(ahead[0]) if ahead else 0), (len(behind[0]) if behind else 0)
    return None


@lru_cache(maxsize=1)
def _cues() -> tuple[tuple[Mapping[int, int], Cue, Cue, Cue], ...]:
    tables = [language(code) for code in LANGUAGES]
    return tuple(
        (
            t.fold,
            re.compile(f"(?:{t.deadline_before})$") if t.deadline_before else None,
            re.compile(t.deadline_after) if t.deadline_after else None,
            re.compile(t.history) if t.history else None,
        )
        for t in tables
    )
