"""What the records of recalls say: how often each memory was offered and chosen, and how well recall does.

Precision: of the results a person judged, the share that was right. Coverage: the share of recalls that chose something;
0 of 150 points at a precision problem of the descriptions, 0 of 3 at missing memories.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memdir.agent.records import RecallRecords

ENOUGH = 20  # recalls a memory must have been offered in before "never" or "always" means anything
ALWAYS = 0.5  # chosen in so many of its recalls, a memory is in the way of others


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """One memory: recalls it was offered in, chosen in, and a person's judgements."""

    offered: int = 0
    chosen: int = 0
    right: int = 0
    wrong: int = 0

    @property
    def never(self) -> bool:
        """Offered often enough, and never chosen."""
        return self.offered >= ENOUGH and not self.chosen

    @property
    def always(self) -> bool:
        """Chosen in at least half of many recalls: its description matches everything."""
        return self.offered >= ENOUGH and self.chosen >= self.offered * ALWAYS


@dataclass(frozen=True, slots=True)
class RecallStats:
    """All recalls of a directory; `late` are answers that came too late and were dropped. Times in milliseconds; `fallbacks` counts by reason (English template)."""

    recalls: int = 0
    late: int = 0
    answered: int = 0
    by_model: int = 0
    offered: float = 0.0
    chosen: int = 0
    median_ms: float | None = None
    p95_ms: float | None = None
    right: int = 0
    wrong: int = 0
    tokens: tuple[int, int, int, int] = (0, 0, 0, 0)
    fallbacks: Mapping[str, int] = field(default_factory=dict)
    memories: Mapping[str, MemoryStats] = field(default_factory=dict)

    @property
    def precision(self) -> float | None:
        judged = self.right + self.wrong
        return self.right / judged if judged else None

    @property
    def coverage(self) -> float | None:
        return self.answered / self.recalls if self.recalls else None

    def never(self, present: Collection[str]) -> list[str]:
        """Present memories that were offered often and never chosen, most offered first."""
        found = [rel for rel in present if self.memories.get(rel, MemoryStats()).never]
        return sorted(found, key=lambda rel: (-self.memories[rel].offered, rel))

    def always(self, present: Collection[str]) -> list[str]:
        """Present memories that are chosen in at least half of their recalls, most chosen first."""
        found = [rel for rel in present if self.memories.get(rel, MemoryStats()).always]
        return sorted(found, key=lambda rel: (-self.memories[rel].chosen, rel))


def stats(records: RecallRecords | Iterable[Mapping[str, Any]]) -> RecallStats:
    """Sums over all records. Damaged ones count as far as they can be read."""
    offers: dict[str, list[str]] = {}
    offer_counts: Counter[str] = Counter()
    chosen: Counter[str] = Counter()
    marks: dict[tuple[str, str], bool] = {}
    fallbacks: Counter[str] = Counter()
    times: list[float] = []
    recalls = late = answered = by_model = 0
    offered = 0.0
    tokens = [0, 0, 0, 0]
    for record in records.read() if isinstance(records, RecallRecords) else records:
        kind = record.get("kind")
        if kind == "offer":
            offers[str(record.get("id"))] = _strings(record.get("files"))
        elif kind == "late":
            late += 1
        elif kind == "mark":
            marks[str(record.get("recall")), str(record.get("file"))] = record.get("right") is True
        elif kind == "recall":
            recalls += 1
            names = _strings(record.get("chosen"))
            answered += bool(names)
            by_model += record.get("method") == "model"
            chosen.update(names)
            offer_counts[str(record.get("offer"))] += 1
            offered += _number(record.get("offered"))
            times.append(float(_number(record.get("ms"))))
            if isinstance(record.get("fallback"), str):
                fallbacks[record["fallback"]] += 1
            for n, count in enumerate(record["tokens"][:4] if isinstance(record.get("tokens"), list) else ()):
                tokens[n] += int(_number(count))
    per_memory: Counter[str] = Counter()
    for offer, count in offer_counts.items():
        for rel in offers.get(offer, ()):
            per_memory[rel] += count
    right = Counter(rel for (_, rel), good in marks.items() if good)
    wrong = Counter(rel for (_, rel), good in marks.items() if not good)
    names_all = {*per_memory, *chosen, *right, *wrong}
    return RecallStats(
        recalls,
        late,
        answered,
        by_model,
        offered / recalls if recalls else 0.0,
        chosen.total(),
        statistics.median(times) if times else None,
        sorted(times)[int(len(times) * 0.95)] if times else None,
        right.total(),
        wrong.total(),
        (tokens[0], tokens[1], tokens[2], tokens[3]),
        dict(fallbacks.most_common()),
        {rel: MemoryStats(per_memory[rel], chosen[rel], right[rel], wrong[rel]) for rel in names_all},
    )


def _strings(value: object) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def _number(value: object) -> float:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0
