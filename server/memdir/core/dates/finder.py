"""The work of `memdir.core.dates.find`: candidate languages, their hits, masks, overlaps."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from itertools import islice

from memdir.core.dates.detect import Judge, candidates, grammar
from memdir.core.dates.grammar import Mention
from memdir.core.dates.hit import DateHit
from memdir.core.dates.mask import hidden, is_hidden
from memdir.core.words import look

# Mentions of one text and language that are looked at. Real memories have a handful; the rule driver shows 500 findings.
MAX_MENTIONS = 500


def find_hits(text: str, reference: date, lang: str | None) -> list[DateHit]:
    """See `memdir.core.dates.find`."""
    return dated(mentions(text, lang), reference)


def mentions(text: str, lang: str | None = None, words: frozenset[bytes] | None = None) -> list[Mention]:
    """What `find` finds, before the day is known from which it counts; `words` as for `candidates`."""
    if words is None:
        words = look(text).words
    codes = (lang,) if lang else candidates(text, words)
    found = [mention for code in codes for mention in islice(grammar(code).scan(text, words), MAX_MENTIONS)]
    if not found:
        return found
    masks = hidden(text)
    judge = None if lang else Judge(text)
    kept: list[Mention] = []
    rank = {code: i for i, code in enumerate(codes)}
    for mention in sorted(found, key=lambda h: (h.span.start, rank[h.lang])):
        if kept and mention.span.start < kept[-1].span.end:
            continue
        if is_hidden(masks, mention.span) or (
            judge is not None and not judge.is_in(mention.lang, mention.span.start)
        ):
            continue
        kept.append(mention)
    return kept


def dated(found: Iterable[Mention], reference: date) -> list[DateHit]:
    """The days that mentions mean, said on `reference`."""
    return [hit for m in found if (hit := grammar(m.lang).date(m, reference)) is not None]
