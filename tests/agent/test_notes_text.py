"""The text of session notes: its frame, its limits, when it is due."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.agent.notes_due import Measure, due, measure
from memdir.agent.notes_text import SECTIONS, is_empty, sections, template, violation, written
from memdir.core.settings import NotesSettings
from memdir.store.transcripts import Reader
from tests.agent.notes_world import STATE, with_state
from tests.agent.sessions import agent, append, person


def test_the_template_is_empty_and_valid() -> None:
    assert violation(template()) is None and is_empty(template()) and written(template()) == ""
    assert [(s.heading, s.description) for s in sections(template())] == list(SECTIONS)


def test_written_notes() -> None:
    text = with_state("Half done.\n```sh\n# not a heading\n_not a description_\n```")
    assert violation(text) is None and not is_empty(text)
    assert written(text).startswith("## State\n\nHalf done.\n```sh\n# not a heading")


@pytest.mark.parametrize(
    ("broken", "word"),
    [
        (template().replace("# State", "# Status"), "headings"), (template().replace("# State", "## State"), "headings"), (template() + "# More\n_x_\n", "headings"),
        (template().replace("# Log\n", ""), "headings"), (template().replace("finished", "done"), "italic line below “State”"), (template().replace(STATE, ""), "italic line"),
        (template().replace(STATE, "\n" + STATE), "italic line"), ("", "headings"), (with_state("```\nopen fence"), "headings"), (with_state("word " * 3000), "there is room for 2000"),
        ("# State\n" + template().replace("# State\n", ""), "headings"),
    ],
)  # fmt: skip
def test_what_breaks_the_frame(broken: str, word: str) -> None:
    found = violation(broken)
    assert found is not None and word in str(found)


def test_all_sections_together_have_a_limit() -> None:
    text = template()
    for _, description in SECTIONS:
        text = text.replace(f"_{description}_\n", f"_{description}_\n{'word ' * 1500}\n")
    assert "there is room for 12000" in str(violation(text))


@given(st.text(max_size=500))
def test_any_text_has_sections(text: str) -> None:
    violation(text)
    written(text)
    assert is_empty(text) == all(not s.body for s in sections(text))


def records(tmp_path: Path, *lines: dict[str, Any]) -> list[Any]:
    return list(Reader(str(append(tmp_path / "m.jsonl", *lines))).read())


def test_measuring(tmp_path: Path) -> None:
    found = measure(
        records(
            tmp_path,
            person("x"),
            agent("a", ("Bash", {"command": "ls"}), ("Read", {}), usage=9_000),
            agent("b", ("Bash", {}), usage=11_000),
        )
    )
    assert found == Measure(11_000, True, 3, False)


def test_measuring_without_usage_is_an_estimate(tmp_path: Path) -> None:
    found = measure(records(tmp_path, person("word " * 1000), agent("answer")))
    assert not found.counted and 1_200 < found.tokens < 1_300 and found.pause


def test_sub_agents_do_not_count(tmp_path: Path) -> None:
    found = measure(
        records(
            tmp_path,
            person("x"),
            agent("a", usage=500),
            agent("b", ("Bash", {}), usage=90_000, isSidechain=True),
        )
    )
    assert (found.tokens, found.tool_calls) == (500, 0)


@pytest.mark.parametrize(
    ("tokens", "reached", "calls", "pause", "expected"),
    [
        (9_999, None, 9, True, False), (10_000, None, 0, False, True), (14_999, 10_000, 9, True, False), (15_000, 10_000, 2, False, False), (15_000, 10_000, 3, False, True),
        (15_000, 10_000, 0, True, True), (4_000, 90_000, 9, True, False), (6_000, 90_000, 9, True, True),
    ],
)  # fmt: skip
def test_due(tokens: int, reached: int | None, calls: int, pause: bool, expected: bool) -> None:
    assert due(Measure(tokens, True, calls, pause), reached, NotesSettings()) is expected
