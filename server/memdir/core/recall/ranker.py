"""The lexical ranker: which memories share the words of a query, how strongly, and whether any does at all.

BM25F in shape: every field of a memory adds its weighted, length-normalised term frequency, the sum saturates, and a
query term counts by its inverse document frequency. Three things differ from the textbook. Field lengths are measured
against fixed reference lengths, so a memory's weights never change when others come and go and the index is truly
incremental. A query word may also match a synonym of its concept at a discount. And a query gets no result at all when
what matches is too little of it: an answer that is wrong costs the reader more than none.

No disk and no clock; `modified` is whatever number the caller orders by.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from memdir.core.recall.concepts import concept, phrases
from memdir.core.recall.stem import stem
from memdir.core.recall.tokens import NEGATED, bag, terms
from memdir.core.recall.weights import FieldName, Fields, matched, weights
from memdir.core.recall.words import GENERIC

Verdict: TypeAlias = Literal["chosen", "weak", "limit"]

_BODY = 0.35  # a word that only the body has
_BODY_COMMON = 0.2  # the share of memories above which a body word says nothing
_SYNONYM = 0.5  # a synonym counts half of the word itself
_NEGATION = 0.5  # agreeing in negation counts half of a word
_COMMON = 0.4  # a word that every request contains
_MAX_TERMS = 48  # a pasted log is not a better query than its rarest words
_CEILING = 4.6  # information of a term in one of a hundred memories, where strength 1.0 is anchored
_BROAD = 500  # a term in more memories than this may only re-order what rarer terms have found
_ENOUGH = 1000  # candidates among which the best five surely are
_TOP = 1.3  # a term's weight in a memory exceeds this in no ordinary one

# Abstention, tuned on tests/data/recall*.json: `coverage` is the share of the query's information that a memory matches
# (0 to 1), `strength` the information matched (1.0 = one word that only one memory has, in its description).
_MIN_STRENGTH = 0.46
_MIN_COVERAGE = 0.25
# For long prompts, this strength plus this share of the query is enough without the coverage.
_SURE_STRENGTH = (1.0, 0.03)
_RELATIVE = 0.6  # a result this much weaker than the best one is noise beside it


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked memory: `score` is the share of the query it answers (0 to 1), `verdict` whether it was chosen."""

    rel: str
    score: float
    verdict: Verdict = "chosen"


@dataclass(frozen=True, slots=True)
class Ranking:
    """The chosen hits, best first, and the next ones with why they were left out."""

    hits: tuple[Hit, ...] = ()
    rest: tuple[Hit, ...] = ()


@dataclass(slots=True)
class _Posting:
    """Documents with a term, in order; `live` of them are not retired. Body terms keep no weights."""

    docs: array[int] = field(default_factory=lambda: array("I"))
    weights: array[float] = field(default_factory=lambda: array("f"))
    live: int = 0


_GENERIC = frozenset(stem(w) for w in GENERIC)


class RecallIndex:
    """Incremental index over the memories of one directory. Not thread-safe: one owner changes it."""

    def __init__(self) -> None:
        self._postings: dict[str, _Posting] = {}
        self._bodies: dict[str, _Posting] = {}
        self._ids: dict[str, int] = {}
        self._rels: list[str | None] = []  # by document number; None when replaced or removed
        self._fields: dict[str, Fields] = {}
        self._dead = 0

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, rel: str) -> bool:
        return rel in self._ids

    @property
    def slots_in_use(self) -> int:
        """Document numbers in use, retired ones included: what the index costs beside its live documents."""
        return len(self._rels)

    def update(self, rel: str, fields: Fields) -> None:
        """Add or replace the memory at `rel`."""
        known = self._fields.get(rel)
        if known is not None:
            if known == fields:
                return
            self._retire(rel)
        number = len(self._rels)
        self._rels.append(rel)
        self._ids[rel] = number
        self._fields[rel] = fields
        postings, bodies = self._postings, self._bodies
        for term, weight in weights(fields).items():
            posting = postings.get(term)
            if posting is None:
                posting = postings[term] = _Posting()
            posting.docs.append(number)
            posting.weights.append(weight)
            posting.live += 1
        for term in bag(fields.body):
            posting = bodies.get(term)
            if posting is None:
                posting = bodies[term] = _Posting()
            posting.docs.append(number)
            posting.live += 1

    def remove(self, rel: str) -> None:
        """Forget the memory at `rel`; unknown ones are fine."""
        if rel in self._ids:
            self._retire(rel)
            del self._fields[rel]

    def _retire(self, rel: str) -> None:
        fields = self._fields[rel]
        for term in weights(fields):
            self._postings[term].live -= 1
        for term in bag(fields.body):
            self._bodies[term].live -= 1
        self._rels[self._ids.pop(rel)] = None
        self._dead += 1
        if self._dead > 64 and self._dead * 3 > len(self._rels):
            self._compact()

    def _compact(self) -> None:
        """Drop retired documents from every posting; keeps the numbers' order."""
        renumber = array("l", [-1]) * len(self._rels)
        alive: list[str | None] = []
        for number, rel in enumerate(self._rels):
            if rel is not None:
                renumber[number] = len(alive)
                self._ids[rel] = len(alive)
                alive.append(rel)
        for table in (self._postings, self._bodies):
            for term, posting in list(table.items()):
                if not posting.live:
                    del table[term]
                    continue
                if posting.weights:
                    pairs = zip(posting.docs, posting.weights, strict=True)
                    posting.weights = array("f", [w for d, w in pairs if renumber[d] >= 0])
                posting.docs = array("I", [n for d in posting.docs if (n := renumber[d]) >= 0])
        self._rels = alive
        self._dead = 0

    def search(
        self,
        query: str,
        limit: int = 5,
        *,
        exclude: Collection[str] = (),
        only: Collection[str] | None = None,
        extra: int = 0,
    ) -> Ranking:
        """The at most `limit` memories that help with `query`, and up to `extra` that just missed.

        `exclude` are never returned; with `only`, nothing else is. Equal scores: newest first, then by name.
        """
        slots = self._slots(query)
        total = sum(slot.weight for slot in slots)
        if not total or not self._ids:
            return Ranking()
        floor = max(_MIN_STRENGTH, min(total * _MIN_COVERAGE, _SURE_STRENGTH[0] + total * _SURE_STRENGTH[1]))
        scores = self._scores(slots, floor)
        rels, fields = self._rels, self._fields
        cut = 0.0 if extra else floor
        found = [
            (s, rel)
            for d, s in scores.items()
            if s >= cut
            and (rel := rels[d]) is not None
            and rel not in exclude
            and (only is None or rel in only)
        ]
        best = heapq.nsmallest(
            limit + extra, found, key=lambda f: (-round(f[0], 3), -fields[f[1]].modified, f[1])
        )
        floor = max(floor, best[0][0] * _RELATIVE if best else 0.0)
        hits: list[Hit] = []
        rest: list[Hit] = []
        for score, rel in best:
            verdict: Verdict = "weak" if score < floor else "limit" if len(hits) >= limit else "chosen"
            hit = Hit(rel, round(min(score / total, 1.0), 3), verdict)
            (hits if verdict == "chosen" else rest).append(hit)
        return Ranking(tuple(hits), tuple(rest[:extra]))

    def explain(self, query: str, rel: str) -> tuple[tuple[FieldName, tuple[str, ...]], ...]:
        """The words of the memory at `rel`, by field, that answer to words of `query` or their synonyms."""
        fields = self._fields.get(rel)
        if fields is None:
            return ()
        slots = self._slots(query)
        return matched(fields, {s.term for s in slots} | {s.concept for s in slots if s.concept})

    def _scores(self, slots: list[_Slot], floor: float) -> dict[int, float]:
        """Score by document number; the slots come rarest first.

        A memory that none of the rarer terms found can't reach `floor` once the rest is too light; from there on
        broad terms only re-order what is there.
        """
        scores: dict[int, float] = {}
        left = sum(slot.weight for slot in slots)
        for slot in slots:
            closed = len(scores) > _ENOUGH or left * _TOP < floor
            found = self._exact(slot, scores if closed else None)
            if scores:
                for number, value in found.items():
                    scores[number] = scores.get(number, 0.0) + value
            else:
                scores = found
            left -= slot.weight
        return scores

    def _exact(self, slot: _Slot, within: Mapping[int, float] | None) -> dict[int, float]:
        """What a slot gives to each document: the word, a synonym or the body, whichever is most.

        With `within`, broad terms look at those documents only.
        """
        found: dict[int, float] = {}
        body = self._bodies.get(slot.term)
        if body is not None and body.live <= max(len(self._ids) * _BODY_COMMON, 8):
            found = dict.fromkeys(body.docs, slot.body * _BODY)
        for term, factor in ((slot.concept, slot.weight * _SYNONYM), (slot.term, slot.weight)):
            posting = self._postings.get(term) if term else None
            if posting is None:
                continue
            docs, weights = posting.docs, posting.weights
            if within is not None and len(docs) > _BROAD:
                values = {d: w * factor for d, w in zip(docs, weights, strict=True) if d in within}
            else:
                values = dict(zip(docs, [w * factor for w in weights], strict=True))
            if found:  # merge the smaller dictionary into the larger one
                small, large = sorted((found, values), key=len)
                for number, value in small.items():
                    if large.get(number, 0.0) < value:
                        large[number] = value
                values = large
            found = values
        return found

    def _slots(self, query: str) -> list[_Slot]:
        """The query's distinct terms with their weights, the heaviest first."""
        found = terms(query)
        slots: dict[str, _Slot] = {}
        for term in found:
            if term in slots:
                continue
            posting = self._postings.get(term)
            body = self._bodies.get(term)
            weight = self._idf(posting.live) if posting and posting.live else None
            in_body = self._idf(body.live) if body and body.live else 0.0
            if weight is None:
                weight = in_body or 1.0  # a word nobody has: the query is also about something else
            factor = 1.0
            if term in _GENERIC:
                weight, factor = min(weight, 1.0), _COMMON
            elif term.startswith(NEGATED):
                factor = _NEGATION
            slots[term] = _Slot(term, weight * factor, in_body * factor, concept(term))
        for term, same in phrases(found):
            slots[term] = replace(slots[term], concept=same)
        return sorted(slots.values(), key=lambda s: -s.weight)[:_MAX_TERMS]

    def _idf(self, df: int) -> float:
        """Information of a term in `df` memories: 1.0 for one memory of a small directory, more in a large one."""
        n = len(self._ids)
        return math.log(1 + (n + 0.5) / (df + 0.5)) / min(math.log(1 + (n + 0.5) / 1.5), _CEILING)


@dataclass(frozen=True, slots=True)
class _Slot:
    term: str
    weight: float
    body: float
    concept: str | None
