"""The labelled recall evaluation: loads the sets and scores any way of answering a query.

`python -m tests.core.recall.evaluation` prints lexical recall and plain BM25; the model path joins them in
`tests/agent/test_recall_evaluation.py`, which plays recorded answers through the whole client.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from memdir.core.recall import Fields, RecallIndex
from tests.core.recall.bm25 import Bm25

DATA = Path(__file__).parents[2] / "data"


class Memory(NamedTuple):
    id: str
    description: str
    name: str = ""
    type: str = ""
    body: str = ""


class Query(NamedTuple):
    query: str
    relevant: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Score:
    """`recall_at_1`, `recall_at_5` over queries that have an answer, `precision` over everything that was returned for
    them, `none` = share of the queries without an answer that got none."""

    recall_at_1: float
    recall_at_5: float
    precision: float
    none: float | None

    def row(self, name: str) -> str:
        none = "-" if self.none is None else f"{self.none:.3f}"
        return f"{name:28} R@1 {self.recall_at_1:.3f}  R@5 {self.recall_at_5:.3f}  precision {self.precision:.3f}  no-result {none}"


def load(name: str) -> tuple[list[Memory], list[Query]]:
    """Memories and queries of `recall.json` or `recall_extra.json`."""
    data = json.loads((DATA / name).read_text(encoding="utf-8"))
    memories = [Memory(**m) for m in data["memories"]]
    return memories, [Query(q["query"], tuple(q["relevant"]), q["kind"]) for q in data["queries"]]


def both() -> tuple[list[Memory], list[Query]]:
    """All memories together with the queries of the extra set, whose labels look at all of them."""
    base, _ = load("recall.json")
    extra, queries = load("recall_extra.json")
    return base + extra, queries


def score(queries: Sequence[Query], answer: Callable[[str], Sequence[str]]) -> Score:
    """Scores of `answer`, which gives ids for a query, best first."""
    first = five = right = given = asked = 0
    empty = unanswerable = 0
    for q in queries:
        got = list(answer(q.query))[:5]
        if not q.relevant:
            unanswerable += 1
            empty += not got
            continue
        asked += 1
        first += got[:1] != [] and got[0] in q.relevant
        five += any(g in q.relevant for g in got)
        right += sum(g in q.relevant for g in got)
        given += len(got)
    return Score(
        first / asked, five / asked, right / max(given, 1), empty / unanswerable if unanswerable else None
    )


def index(memories: Iterable[Memory], *, fields: bool = True) -> RecallIndex:
    """The product's index; without `fields` it sees descriptions only."""
    found = RecallIndex()
    for m in memories:
        found.update(
            m.id,
            Fields(m.name, m.description, m.id, m.type, "", m.body)
            if fields
            else Fields(description=m.description),
        )
    return found


def lexical(memories: Iterable[Memory], *, fields: bool = True) -> Callable[[str], list[str]]:
    found = index(memories, fields=fields)
    return lambda query: [hit.rel for hit in found.search(query).hits]


def baseline(memories: Iterable[Memory], *, fields: bool = True) -> Callable[[str], list[str]]:
    return Bm25(
        {m.id: f"{m.name} {m.description} {m.body}" if fields else m.description for m in memories}
    ).search


def rows() -> list[tuple[str, Score]]:
    """(name, score) for both sets and both ways that need no model."""
    base, base_queries = load("recall.json")
    everything, queries = both()
    return [
        ("base set, lexical", score(base_queries, lexical(base, fields=False))),
        ("base set, plain BM25", score(base_queries, baseline(base, fields=False))),
        ("extra set, lexical", score(queries, lexical(everything))),
        ("extra set, plain BM25", score(queries, baseline(everything))),
    ]


if __name__ == "__main__":
    for name, found in rows():
        print(found.row(name))
