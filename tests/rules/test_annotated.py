"""Runs the annotated files of this folder (see annotated.py)."""

from __future__ import annotations

import pytest

from memdir.core.rules import TABLE
from tests.rules.annotated import FOLDER, Case, read_cases, run

FILES = sorted(FOLDER.glob("*.md"))
CASES = [case for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=[f"{c.rule}:{c.line}" for c in CASES])
def test_annotated(case: Case) -> None:
    assert case.rule in TABLE, "the file is not named after a rule"
    faults = run(case)
    assert not faults, case.title + "\n" + "\n".join(faults)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_every_file_shows_both_sides(path: object) -> None:
    cases = [c for c in CASES if c.rule == getattr(path, "stem")]  # noqa: B009
    assert any(c.marks for c in cases)
    assert any(not c.marks for c in cases)
