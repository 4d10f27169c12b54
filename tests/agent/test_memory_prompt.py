"""The memory section, held against golden files (tests/data/prompt; MEMDIR_GOLDEN=1 writes them anew)."""

from __future__ import annotations

import os
import re

import pytest

from memdir.agent.memory_prompt import memory_section
from memdir.core.taxonomy import NOT_KEPT, TYPES
from memdir.core.tokens import estimate_tokens
from tests.conftest import DATA

MEMORY = "/home/ada/.claude/projects/-home-ada-tide/memory"
VARIANTS = {"plain": (False, False), "team": (True, False), "log": (False, True), "team-log": (True, True)}
REWRITE = bool(os.environ.get("MEMDIR_GOLDEN"))


def section(name: str, memory: str = MEMORY) -> str:
    team, log = VARIANTS[name]
    return memory_section(memory, team_dir=memory + "/team" if team else None, log_mode=log)


@pytest.mark.parametrize("name", VARIANTS)
def test_golden(name: str) -> None:
    path = DATA / "prompt" / f"{name}.md"
    if REWRITE:
        path.write_text(section(name), encoding="utf-8")
    assert section(name) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VARIANTS)
def test_a_pattern_of_a_date_and_no_date(name: str) -> None:
    text = section(name)
    assert re.search(r"\d{4}-\d\d|20\d\d|[A-Z][a-z]+day\b(?!”)", text) is None
    assert ("logs/YYYY/MM/YYYY-MM-DD.md" in text) is VARIANTS[name][1]


@pytest.mark.parametrize("name", VARIANTS)
def test_what_every_section_says(name: str) -> None:
    team, log = VARIANTS[name]
    text = section(name)
    assert MEMORY in text and "exist" in text
    assert all(f"**{t}**" in text for t in TYPES) and all(str(n.what) in text for n in NOT_KEPT)
    assert "even when asked" in text and "hypothesis" in text and "surprising" in text
    assert (MEMORY + "/team" in text) is team and ("no keys, tokens, passwords" in text) is team
    assert ("never shared" in text) is team and ("Always private" in text) is team
    assert ("two steps" in text) is not log and ("Only append" in text) is log
    assert "{{" not in text and "\n\n\n" not in text and text.endswith(".\n")
    assert 1000 < estimate_tokens(text) < 2500


def test_a_path_is_never_a_template() -> None:
    assert "/m/{{types}}/memory" in section("team", "/m/{{types}}/memory")


def test_tokens_are_estimated_by_script() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("x" * 400) == 100
    assert estimate_tokens("\u4e2d" * 110) == 100
    assert estimate_tokens("\u00e4" * 200) == 100
    assert estimate_tokens("ab" * 100 + "\uac00" * 11) == 60
