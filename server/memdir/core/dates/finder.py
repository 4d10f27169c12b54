"""The work of `memdir.core.dates.find`: candidate languages, their hits, masks, overlaps."""

from __future__ import annotations

from datetime import date

from memdir.core.dates.detect import Judge, candidates, grammar
from memdir.core.dates.hit import DateHit
from memdir.core.dates.mask import hidden, is_hidden


def find_hits(text: str, reference: date, lang: str | None) -> list[DateHit]:
    """See `memdir.core.dates.find`."""
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
