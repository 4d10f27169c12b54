"""The cheap look before the patterns must never hide what a pattern finds."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir.core import injection
from memdir.core.injection import find_injections
from memdir.core.words import cut, word_set, words_of


def test_words_are_lower_case_and_cut_at_everything_else() -> None:
    assert cut("Don't re-run x_1.py:37 — OK?") == [
        b"don",
        b"t",
        b"re",
        b"run",
        b"x",
        b"1",
        b"py",
        b"37",
        b"ok",
    ]


def test_ascii_words_beside_other_scripts_count() -> None:
    assert words_of("today tools") <= word_set("在today之前, “Tools”…")


def test_letters_that_patterns_take_for_ascii_count() -> None:
    assert words_of("ask task") <= word_set("a\u017f\u212a ta\u017fk")


def test_the_answer_for_the_same_text_is_kept() -> None:
    text = "one two " * 3
    assert word_set(text) is word_set(text)


@pytest.mark.parametrize("number", range(len(injection._ROWS)))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_match_of_a_pattern_passes_the_look_before(number: int, data: st.DataObject) -> None:
    row = injection._ROWS[number]
    text = data.draw(st.from_regex(row.pattern.pattern, fullmatch=False))
    match = row.pattern.search(text)
    if match is not None:
        assert row in injection._worth_running(text)


def test_text_without_any_of_the_words_runs_no_pattern() -> None:
    text = "The import pipeline needs the feature flag turned on first.\n"
    assert injection._worth_running(text) == []
    assert list(find_injections(text)) == []
