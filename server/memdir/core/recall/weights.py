"""What a memory offers to a search: its fields, and the weight that each of their terms has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.recall.concepts import concept, phrases
from memdir.core.recall.tokens import surfaces, terms

FieldName: TypeAlias = Literal["name", "description", "stem", "type", "headings", "body"]

# Weight and reference length (terms) of each field. The description is written to carry recall; name and file stem
# repeat it in short; the body is long and says much that the memory is not about.
_FIELDS: dict[FieldName, tuple[float, float]] = {
    "description": (1.0, 9.0),
    "name": (0.9, 4.0),
    "stem": (0.5, 4.0),
    "headings": (0.4, 8.0),
    "type": (0.2, 1.0),
}
_B = 0.35  # how much a field longer than its reference length loses (0 nothing, 1 all)
_K = 0.6  # saturation: the weighted frequency at which a term gives half of what it can


@dataclass(frozen=True, slots=True)
class Fields:
    """What the index sees of a memory. `modified` orders ties, newest first."""

    name: str = ""
    description: str = ""
    stem: str = ""
    type: str = ""
    headings: str = ""
    body: str = ""
    modified: float = 0.0


def weights(fields: Fields) -> dict[str, float]:
    """Term -> saturated weight (0 to 1) over all fields of a memory, concepts included."""
    raw: dict[str, float] = {}
    for name, (weight, reference) in _FIELDS.items():
        found = terms(getattr(fields, name))
        if not found:
            continue
        unit = weight / (1 - _B + _B * max(len(found) / reference, 0.6))
        _count(found, unit, raw)
    return {term: value / (value + _K) * (1 + _K) for term, value in raw.items()}


def _count(found: list[str], unit: float, raw: dict[str, float]) -> None:
    """Add a field's terms and their concepts to `raw`."""
    concepts: set[str] = {hit for _, hit in phrases(found)}
    for term in found:
        raw[term] = raw.get(term, 0.0) + unit
        same = concept(term)
        if same is not None:
            concepts.add(same)
    for same in concepts:
        raw[same] = raw.get(same, 0.0) + unit


def matched(fields: Fields, wanted: Collection[str]) -> tuple[tuple[FieldName, tuple[str, ...]], ...]:
    """The words of each field, as written, whose term is in `wanted` or whose concept is; the body only for the rest."""
    out: list[tuple[FieldName, tuple[str, ...]]] = []
    seen: set[str] = set()
    for name in _FIELDS:
        words = []
        for word, found in surfaces(getattr(fields, name)):
            hits = [t for t in found if t in wanted or concept(t) in wanted]
            if hits:
                words.append(word)
                seen.update(hits)
        if words:
            out.append((name, tuple(dict.fromkeys(words))))
    if fields.body:
        left = [w for w, found in surfaces(fields.body) if any(t in wanted and t not in seen for t in found)]
        if left:
            out.append(("body", tuple(dict.fromkeys(left))))
    return tuple(out)
