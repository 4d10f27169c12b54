"""Evaluates descriptions without anybody's queries: does a memory's own text find it, and what else does it find?

A description is written for the question it answers, and the first sentence of the body is the nearest thing to that
question a directory holds. Where it does not find its own memory among five, the description uses other words than the
matter; a memory that the sentences of many others find says too little of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from memdir.core.document import Document
from memdir.core.prose import first_sentence
from memdir.core.recall.manifest import candidate
from memdir.core.recall.ranker import RecallIndex
from memdir.core.recall.tokens import terms
from memdir.core.recall.weights import Fields

MAX_QUERIES = 500
_GREEDY_SHARE, _GREEDY_QUERIES = 0.25, 12
_MIN_TERMS = 4  # a shorter sentence is no question


@dataclass(frozen=True, slots=True)
class SelfTest:
    """`unfound`: memories their own text does not find; `greedy`: ones that the texts of a quarter of the others find."""

    queries: int
    unfound: tuple[str, ...]
    greedy: tuple[str, ...]


def self_test(documents: Iterable[Document]) -> SelfTest:
    """Search with the first sentence of each of the newest 500 memories, in names and descriptions only."""
    topics = sorted((d for d in documents if d.kind == "topic"), key=lambda d: (-(d.mtime or 0.0), d.rel))
    index = RecallIndex()
    for document in topics:
        found = candidate(document)
        stem = document.stem.replace("_", " ")
        index.update(document.rel, Fields(found.name, found.description, stem, modified=found.modified))
    unfound: list[str] = []
    hits: Counter[str] = Counter()
    queries = 0
    for document in topics:
        sentence = first_sentence(document)
        if not document.description or len(set(terms(sentence))) < _MIN_TERMS:
            continue  # description-missing names the first; the second asks nothing
        queries += 1
        results = [hit.rel for hit in index.search(sentence).hits]
        if document.rel not in results:
            unfound.append(document.rel)
        hits.update(rel for rel in results if rel != document.rel)
        if queries == MAX_QUERIES:
            break
    enough = queries >= _GREEDY_QUERIES
    greedy = [rel for rel, count in hits.most_common() if enough and count >= queries * _GREEDY_SHARE]
    return SelfTest(queries, tuple(sorted(unfound)), tuple(greedy))
