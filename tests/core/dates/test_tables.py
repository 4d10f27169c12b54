"""Every language table is complete and fits the engine: a new language is checked by being listed."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from memdir.core.dates.absolute import _fields
from memdir.core.dates.anchors import ANCHORS, may_hold
from memdir.core.dates.detect import LANGUAGES, grammar, language
from memdir.core.dates.patterns import anchor_words
from memdir.core.dates.table import Language, Rule
from tests.core.dates.scoring import REFERENCE, labelled, unseen

FORMS = {"day", "week", "weekend", "month", "quarter", "half", "year", "range", "around", "end-week", "vague"}
UNITS = {"minute", "hour", "day", "week", "weekend", "fortnight", "month", "quarter", "half", "year"}


@pytest.fixture(params=LANGUAGES)
def table(request: pytest.FixtureRequest) -> Language:
    return language(request.param)


def expressions(table: Language) -> list[str]:
    """All expressions of a table."""
    names = (
        "anchors left_edge right_edge past future neutral not_before not_after unless generic dates as_of deadline_before"
        " deadline_after history"
    ).split()
    found = [getattr(table, name) for name in names]
    for rule in table.rules:
        found += [
            getattr(rule, f.name)
            for f in fields(Rule)
            if f.name in ("pattern", "only_before", "only_after", "not_before", "not_after", "unless")
        ]
    return [e for e in found if e]


def test_expressions_are_lower_case(table: Language) -> None:
    for expression in expressions(table):
        bare = re.sub(r"\\[WSDB]|\\x[0-9a-f]{2}|\(\?P<\w+>", "", expression)
        assert bare == bare.lower(), expression


def test_words_are_lower_case(table: Language) -> None:
    for words in table.slots.values():
        assert all(word == word.lower() for word in words)


def test_slots_exist_and_hold_their_values(table: Language) -> None:
    used = {slot for rule in table.rules for slot in re.findall(r"\{([a-z]\w*)\}", rule.pattern)}
    assert used <= set(table.slots) | {"dom"}
    for slot, words in table.slots.items():
        for word, value in words.items():
            if slot.rstrip("0123456789") in ("unit", "period"):
                assert value in UNITS, word
            else:
                assert isinstance(value, (int, float)), word
    assert set(table.slots["weekday"].values()) == set(range(7))
    assert table.approximate <= set(table.slots["n"])


def test_rules_can_be_resolved(table: Language) -> None:
    for rule in table.rules:
        if rule.kind == "weekday":
            assert "{weekday}" in rule.pattern
        if rule.kind in ("period", "end"):
            assert rule.unit or "{period}" in rule.pattern or "{which" in rule.pattern
        if rule.kind in ("offset", "window") and "{unit" not in rule.pattern:
            assert rule.unit


def test_the_wording_is_complete(table: Language) -> None:
    wording = table.wording
    assert set(wording.bare) == FORMS
    assert set(wording.adverb) <= FORMS
    values = _fields(REFERENCE, REFERENCE, "x", wording.halves)
    forms = [
        *wording.bare.values(),
        *wording.adverb.values(),
        *wording.parts.values(),
        *wording.owner.values(),
    ]
    forms += [*wording.after_article.values(), *(form for _, form in wording.joins)]
    for form in forms:
        assert form.format(**values)
    for key, form in wording.bare.items():
        assert re.search(r"\{(?:date|month|m|quarter|half|year|monday)\}", form), key
    assert set(wording.parts) <= set(table.slots["day"])


def test_guards_compile(table: Language) -> None:
    for rule in table.rules:
        for guard in (rule.only_before, rule.only_after, rule.not_before, rule.not_after, rule.unless):
            re.compile(guard)


def test_every_hit_holds_an_anchor(table: Language) -> None:
    """The quick search never loses what the patterns find."""
    found = grammar(table.code).patterns
    for case in labelled() + unseen():
        if case.lang == table.code:
            for expected in case.expected:
                assert found.anchor.search(case.text if table.anchors else found.fold(case.text)), case.text
                around = case.text[max(0, expected.start - 3) : expected.end + 3]
                assert found.anchor.search(around if table.anchors else found.fold(around)), case.text


def test_folding_keeps_positions(table: Language) -> None:
    for text in ("Abc İstanbul ẞ ﬁ", "後週禮個這兩", "𝒳 ǅ"):
        assert len(grammar(table.code).patterns.fold(text)) == len(text)


def test_the_anchors_that_stand_apart_are_those_of_the_table(table: Language) -> None:
    if not table.anchors:
        assert set(ANCHORS[table.code].split()) == anchor_words(table)
        assert len(ANCHORS[table.code].split()) == len(set(ANCHORS[table.code].split()))


def test_words_as_they_are_cut_lead_to_every_anchor(table: Language) -> None:
    if not table.anchors:
        for word in anchor_words(table):
            for form in (word, word.capitalize(), word.upper()):
                text = f"({form})"
                assert may_hold(text)
                patterns = grammar(table.code).patterns
                assert [w for _, _, w in patterns._anchors(patterns.fold(text), None)] == [word]
                assert patterns._anchors(f"x{word} {word}9", None) == []


def test_anchors_of_spaced_languages_come_from_the_table() -> None:
    assert {"yesterday", "week", "friday", "recently"} & anchor_words(language("en")) == {
        "yesterday",
        "week",
        "friday",
        "recently",
    }
