"""Relative dates in memories: where they stand and which days they mean.

`find` is the entry. A language is one table file (see `table.py`); `reference.py` says which day a memory's words count
from, `absolute.py` writes the date that replaces them, `deadlines.py` reads absolute deadlines.

Names of states and of sessions are judged narrowly, for a false alarm costs more than a miss. "currently", "not yet",
"now" and their like are never flagged: every memory is a statement of its own day. "recently" and "soon" are vague and
flagged where they tell of an event; "this session" only where it says when something was done.
"""

from __future__ import annotations

from datetime import date

from memdir.core.dates.detect import LANGUAGES, Judge, candidates, grammar
from memdir.core.dates.hit import DateHit, Period
from memdir.core.dates.mask import hidden, is_hidden

__all__ = ["LANGUAGES", "DateHit", "Period", "find"]


def find(text: str, reference: date, *, lang: str | None = None) -> list[DateHit]:
    """Relative dates in Markdown `text`, said on `reference`, sorted and without overlaps.

    `lang` (one of LANGUAGES) skips the recognition of the language. Total on any text; ValueError for an unknown `lang`.
    """
    codes = (lang,) if lang else candidates(text)
    found = [hit for code in codes for hit in grammar(code).scan(text, reference)]
    if not found:
        return found
    masks = hidden(text)
    judge = None if lang else Judge(text)
    kept: list[DateHit] = []
    rank = {code: i for i, code in enumerate(codes)}
    for hit in sorted(found, key=lambda h: (h.span.start, rank[h.lang])):
        if kept and hit.span.start < kept[-1].span.end:
            continue
        if is_hidden(masks, hit.span) or (judge is not None and not judge.is_in(hit.lang, hit.span.start)):
            continue
        kept.append(hit)
    return kept
