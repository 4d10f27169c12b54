"""Deadlines: written dates that the words beside them make the end or the start of something."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TypeAlias

from memdir.core.dates.anchors import CJK
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
    beside = left[-_REACH:] + right[:_REACH]
    other_script = not beside.isascii() and CJK.search(beside) is not None
    for code in LANGUAGES:
        hints = _HINTS.get(code)
        if not (other_script if hints is None else any(hint in beside for hint in hints)):
            continue
        fold, before, after, history = _cues(code)
        if fold:
            left, right = left.translate(fold), right.translate(fold)
        ahead = before.search(left, max(0, len(left) - _REACH)) if before else None
        behind = after.match(right) if after else None
        if (ahead or behind) and not (history and (history.search(left) or history.search(right))):
            return (len(ahead[0]) if ahead else 0), (len(behind[0]) if behind else 0)
    return None


_REACH = 80  # no cue is longer
# Languages in Latin letters: parts of words of which every cue holds one. The others need a character of theirs.
_HINTS = {
    "en": (
        "until till through by before than due deadline end expir valid close cut eol sunset target for on date latest off"
    ).split(),
    "de": "bis spätestens vor frist fällig deadline endet gültig stichtag läuft geplant am".split(),
    "fr": "jusqu avant ici tard échéance limite deadline expire termine fin prév rendre commence démarre".split(),
    "es": "hasta antes tardar límite plazo vence caduca termina finaliza previst para empieza comienza".split(),
}


@cache
def _cues(code: str) -> tuple[Mapping[int, int], Cue, Cue, Cue]:
    table = language(code)
    return (
        table.fold,
        re.compile(f"(?:{table.deadline_before})$") if table.deadline_before else None,
        re.compile(table.deadline_after) if table.deadline_after else None,
        re.compile(table.history) if table.history else None,
    )
