"""Which memories are on the same subject as a new one: words decide what to propose, a person or model decides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memdir.core.directory import Directory, fold
from memdir.core.document import Document
from memdir.core.recall.ranker import RecallIndex
from memdir.core.recall.weights import Fields

# Share of the new memory's words that an existing one must answer. On the labelled recall set paraphrases reach 0.58 and
# more (across languages, too), different subjects 0.52 at most.
_SAME = 0.55
_NEAR = 0.35
_LIMIT = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be on the subject; `score` from 0 to 1, 1 for the same name."""

    rel: str
    name: str
    description: str
    score: float


def on_subject(
    directory: Directory,
    name: str,
    description: str,
    *,
    among: Iterable[Document] | None = None,
    loosely: bool = False,
) -> tuple[Candidate, ...]:
    """At most three memories of `among` (default: all) on the subject, the likeliest first."""
    documents = {d.rel: d for d in (directory.topics() if among is None else among)}
    same = {
        rel for rel, d in documents.items() if fold(name) in (fold(d.name), fold(d.stem), fold(_topic(d)))
    }
    index = RecallIndex()
    for rel, document in documents.items():
        index.update(rel, header_fields(document))
    floor = _NEAR if loosely else _SAME
    ranked = {h.rel: h.score for h in index.search(f"{name}. {description}", _LIMIT).hits if h.score >= floor}
    scores = {**ranked, **dict.fromkeys(same, 1.0)}
    best = sorted(scores, key=lambda rel: (-scores[rel], rel))[:_LIMIT]
    return tuple(
        Candidate(rel, documents[rel].title, documents[rel].description, round(scores[rel], 3))
        for rel in best
    )


def header_fields(document: Document) -> Fields:
    """What says the subject of a memory: its name, description and file name."""
    stem = document.stem.replace("_", " ")
    return Fields(document.name, document.description, stem, modified=document.mtime or 0.0)


def _topic(document: Document) -> str:
    """The stem without its type prefix."""
    head, _, rest = document.stem.partition("_")
    return rest if head == document.type and rest else document.stem
