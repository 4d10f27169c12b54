"""What the records of recalls say: how often each memory was offered and chosen, and how well recall does.

Precision: of the results a person judged, the share that was right. Coverage: the share of recalls that chose something;
0 of 150 points at a precision problem of the descriptions, 0 of 3 at missing memories.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

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


class Recalls(Protocol):
    """What rules may ask about past recalls."""

    def of(self, rel: str, since: float = 0.0) -> MemoryStats:
        """A memory's recalls from POSIX second `since` on: those before its last change speak of another description."""
        ...


class NoRecalls:
    """No records, so nothing is claimed."""

    def of(self, rel: str, since: float = 0.0) -> MemoryStats:
        return MemoryStats()


class History:
    """When each memory was offered and chosen, from records; damaged ones count as far as they can be read."""

    def __init__(self, records: Iterable[Mapping[str, Any]] = ()) -> None:
        self._offer_times: dict[str, list[float]] = {}
        self._offers: dict[str, list[str]] = {}  # memory -> offers it was part of
        self._chosen: dict[str, list[float]] = {}
        for record in records:
            self.add(record)

    def add(self, record: Mapping[str, Any]) -> None:
        """Take in one record; they come oldest first."""
        if record.get("kind") == "offer":
            for rel in _strings(record.get("files")):
                offers = self._offers.setdefault(rel, [])
                if record.get("id") not in offers:
                    offers.append(str(record.get("id")))
        elif record.get("kind") == "recall":
            at = _time(record.get("time"))
            self._offer_times.setdefault(str(record.get("offer")), []).append(at)
            for rel in _strings(record.get("chosen")):
                self._chosen.setdefault(rel, []).append(at)

    def of(self, rel: str, since: float = 0.0) -> MemoryStats:
        offered = sum(_since(self._offer_times.get(o, ()), since) for o in self._offers.get(rel, ()))
        return MemoryStats(offered, _since(self._chosen.get(rel, ()), since))

    @property
    def memories(self) -> set[str]:
        """Every memory that was offered or chosen."""
        return {*self._offers, *self._chosen}


@dataclass(frozen=True, slots=True)
class RecallStats:
    """All recalls of a directory; `late` are answers that came too late and were dropped. Times in milliseconds;
    `fallbacks` counts by reason (English template)."""

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


def stats(records: Iterable[Mapping[str, Any]]) -> RecallStats:
    """Sums over all records. Damaged ones count as far as they can be read."""
    import statistics  # costs as much as the rest of a start-up

    history = History()
    marks: dict[tuple[str, str], bool] = {}
    fallbacks: Counter[str] = Counter()
    times: list[float] = []
    recalls = late = answered = by_model = chosen = 0
    offered = 0.0
    tokens = [0, 0, 0, 0]
    for record in records:
        history.add(record)
        kind = record.get("kind")
        if kind == "late":
            late += 1
        elif kind == "mark":
            marks[str(record.get("recall")), str(record.get("file"))] = record.get("right") is True
        elif kind == "recall":
            recalls += 1
            names = _strings(record.get("chosen"))
            answered += bool(names)
            chosen += len(names)
            by_model += record.get("method") == "model"
            offered += _number(record.get("offered"))
            times.append(float(_number(record.get("ms"))))
            if isinstance(record.get("fallback"), str):
                fallbacks[record["fallback"]] += 1
            for n, count in enumerate(record["tokens"][:4] if isinstance(record.get("tokens"), list) else ()):
                tokens[n] += int(_number(count))
    right = Counter(rel for (_, rel), good in marks.items() if good)
    wrong = Counter(rel for (_, rel), good in marks.items() if not good)
    memories = {}
    for rel in history.memories | right.keys() | wrong.keys():
        one = history.of(rel)
        memories[rel] = MemoryStats(one.offered, one.chosen, right[rel], wrong[rel])
    return RecallStats(
        recalls,
        late,
        answered,
        by_model,
        offered / recalls if recalls else 0.0,
        chosen,
        statistics.median(times) if times else None,
        sorted(times)[int(len(times) * 0.95)] if times else None,
        right.total(),
        wrong.total(),
        (tokens[0], tokens[1], tokens[2], tokens[3]),
        dict(fallbacks.most_common()),
        memories,
    )


def _since(times: list[float] | tuple[()], since: float) -> int:
    """How many of `times` (ascending) are not before `since`."""
    return len(times) - bisect_left(times, since) if since else len(times)


def _time(value: object) -> float:
    try:
        return datetime.fromisoformat(value).timestamp() if isinstance(value, str) else 0.0
    except (ValueError, OverflowError):
        return 0.0


def _strings(value: object) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def _number(value: object) -> float:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0
