"""Precision and recall on labelled sentences stay where they are; traps are never flagged."""

from __future__ import annotations

from collections import Counter

import pytest

from memdir.core.dates.detect import LANGUAGES
from tests.core.dates.scoring import Case, labelled, score, unseen

SETS = {"labelled": labelled, "unseen": unseen}


@pytest.mark.parametrize("name", SETS)
def test_scores(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = score(SETS[name]())
    with capsys.disabled():
        print(f"\n{name}\n{found.table()}")
    assert not found.flagged_traps, found.flagged_traps
    assert found.precision() >= 0.995, found.faults
    assert found.recall() >= 0.99, found.faults
    for lang in LANGUAGES:
        assert found.precision(lang) >= 0.98, found.faults
        assert found.recall(lang) >= 0.98, found.faults


@pytest.mark.parametrize("name", SETS)
def test_scores_with_the_language_given(name: str) -> None:
    """Sentences labelled with another language than their own (proper names) are left out."""
    found = score([c for c in SETS[name]() if c.expected], told=True)
    assert found.recall() >= 0.99, found.faults
    assert found.precision() >= 0.99, found.faults


def test_the_sets_are_wide_enough() -> None:
    def sizes(cases: list[Case]) -> Counter[str]:
        return Counter(case.lang for case in cases)

    own = sizes(unseen())
    assert set(own) == set(LANGUAGES)
    assert own["en"] >= 200
    assert own["zh"] >= 150
    assert min(own.values()) >= 50
    traps = Counter(case.lang for case in unseen() if not case.expected)
    assert min(traps.values()) >= 20
