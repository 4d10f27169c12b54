"""Usage notes of tools in use go, warnings about them stay."""

from __future__ import annotations

import pytest

from memdir.core.recall.manifest import Candidate
from memdir.core.recall.usage_notes import is_usage_note, tool_words

TOOLS = tool_words(["mcp__postgres__run_query", "Bash", "Read", "kubectl"])


def note(description: str, kind: str = "reference", name: str = "", rel: str = "x.md") -> Candidate:
    return Candidate(rel, name, kind, description, 0.0)


def test_words_of_tools_leave_ordinary_ones_out() -> None:
    assert frozenset({"postgres", "runquery", "kubectl"}) == TOOLS


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (note("How to use kubectl to list pods"), True),
        (note("Usage and flags", name="kubectl"), True),
        (note("Cheat sheet", rel="reference_kubectl.md"), True),
        (note("Postgres commands for describing tables"), True),
        (note("kubectl 的使用方法"), True),
        (note("kubectl の使い方"), True),
        (note("kubectl usage: never run apply without --dry-run first"), False),
        (note("How to use kubectl: delete hangs on finalizers, known issue"), False),
        (note("kubectl 的用法，注意不要直接 apply"), False),
        (note("How to use kubectl", kind="feedback"), False),
        (note("How to use terraform"), False),
        (note("How to read the invoices"), False),
        (note("Postgres 16 since March"), False),
    ],
)
def test_usage_and_warnings(one: Candidate, expected: bool) -> None:
    assert is_usage_note(one, TOOLS) is expected


def test_without_tools_nothing_is_left_out() -> None:
    assert not is_usage_note(note("How to use kubectl"), tool_words([]))
