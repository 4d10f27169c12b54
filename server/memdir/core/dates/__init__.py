"""Relative dates in memories: where they stand and which days they mean.

`find` is the entry. A language is one table file (see `table.py`); `reference.py` says which day a memory's words count
from, `absolute.py` writes the date that replaces them, `deadlines.py` reads absolute deadlines.

Names of states and of sessions are judged narrowly, for a false alarm costs more than a miss. "currently", "not yet",
"now" and their like are never flagged: every memory is a statement of its own day. "recently" and "soon" are vague and
flagged where they tell of an event; "this session" only where it says when something was done.
"""

from __future__ import annotations

from datetime import date

from memdir.core.dates.hit import DateHit, Period

__all__ = ["DateHit", "Period", "find"]


def find(text: str, reference: date, *, lang: str | None = None) -> list[DateHit]:
    """Relative dates in Markdown `text`, said on `reference`, sorted and without overlaps.

    `lang` (a code of `detect.LANGUAGES`) skips the recognition of the language. Total on any text; ValueError for an
    unknown `lang`. Tables load on the first call, so that importing this costs next to nothing.
    """
    from memdir.core.dates.finder import find_hits

    return find_hits(text, reference, lang)
