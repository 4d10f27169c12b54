"""Scores the grammar on labelled sentences: precision and recall by language.

Run it for the figures: `python -m tests.core.dates.scoring` from the repository root.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import NamedTuple

from memdir.core.dates import DateHit, find

REFERENCE = date(2026, 3, 11)  # a Wednesday
LABELLED = Path(__file__).parents[2] / "data" / "dates.json"
UNSEEN = Path(__file__).with_name("unseen.json")


class Expected(NamedTuple):
    """A stretch that must be flagged with days inside first..last (no days: vague). `neutral`: either is right."""

    start: int
    end: int
    first: date | None
    last: date | None
    neutral: bool = False


class Case(NamedTuple):
    lang: str
    text: str
    expected: tuple[Expected, ...]


@dataclass
class Score:
    """Counts by language, and what went wrong in words."""

    hit: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    flagged_traps: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def precision(self, lang: str | None = None) -> float:
        hit, false = _count(self.hit, lang), _count(self.false, lang)
        return hit / (hit + false) if hit + false else 1.0

    def recall(self, lang: str | None = None) -> float:
        hit, missed = _count(self.hit, lang), _count(self.missed, lang)
        return hit / (hit + missed) if hit + missed else 1.0

    def table(self) -> str:
        """A line per language and one for all."""
        langs = sorted(set(self.hit) | set(self.missed) | set(self.false))
        rows = [f"{'':5}{'right':>7}{'missed':>8}{'false':>7}{'precision':>11}{'recall':>8}"]
        for lang in [*langs, None]:
            counts = [_count(c, lang) for c in (self.hit, self.missed, self.false)]
            rows.append(
                f"{lang or 'all':5}{counts[0]:7}{counts[1]:8}{counts[2]:7}"
                f"{self.precision(lang):11.3f}{self.recall(lang):8.3f}"
            )
        return "\n".join(rows)


def _count(counter: Counter[str], lang: str | None) -> int:
    return counter[lang] if lang else sum(counter.values())


def _locate(text: str, words: str) -> tuple[int, int]:
    """Span of `words`; 'words@2' means the second occurrence."""
    words, _, number = words.partition("@")
    at = -1
    for _ in range(int(number or 1)):
        at = text.index(words, at + 1)
    return at, at + len(words)


def labelled() -> list[Case]:
    """The shared labelled set."""
    cases = []
    for case in json.loads(LABELLED.read_text(encoding="utf-8"))["cases"]:
        expected = tuple(
            Expected(*_locate(case["text"], e["span"]), _day(e["earliest"]), _day(e["latest"]), e["neutral"])
            for e in case["expect"]
        )
        cases.append(Case(case["lang"], case["text"], expected))
    return cases


def unseen() -> list[Case]:
    """Our own sentences."""
    cases = []
    for case in json.loads(UNSEEN.read_text(encoding="utf-8"))["cases"]:
        expected = []
        for words, *days in case["expect"]:
            first, last = (days[0], days[-1]) if days else (None, None)
            expected.append(Expected(*_locate(case["text"], words), _day(first), _day(last)))
        cases.append(Case(case["lang"], case["text"], tuple(expected)))
    return cases


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _right(hit: DateHit, expected: Expected) -> bool:
    if expected.first is None or expected.last is None:
        return True
    if hit.earliest is None or hit.latest is None:
        return False
    return expected.first <= hit.earliest and hit.latest <= expected.last


def score(cases: list[Case], *, told: bool = False) -> Score:
    """Scores all cases; with `told` the language is given, otherwise recognised."""
    result = Score()
    for case in cases:
        hits = find(case.text, REFERENCE, lang=case.lang if told else None)
        used: list[DateHit] = []
        for expected in case.expected:
            over = [h for h in hits if h.span.start < expected.end and expected.start < h.span.end]
            used += over
            if expected.neutral:
                continue
            words = case.text[expected.start : expected.end]
            if over and _right(over[0], expected):
                result.hit[case.lang] += 1
            else:
                result.missed[case.lang] += 1
                result.faults.append(f"missed {words!r} in {case.text!r}: {over}")
        for hit in hits:
            if hit not in used:
                result.false[case.lang] += 1
                result.faults.append(f"flagged {hit.text!r} in {case.text!r}")
                if not case.expected:
                    result.flagged_traps.append(case.text)
    return result


if __name__ == "__main__":
    for title, cases in (("labelled set", labelled()), ("own sentences", unseen())):
        found = score(cases)
        print(title, found.table(), *found.faults, "", sep="\n")
