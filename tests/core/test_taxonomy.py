"""The four types."""

from __future__ import annotations

import pytest

from memdir.core.i18n import render
from memdir.core.taxonomy import HOW, NOT_KEPT, TYPES, WHY, missing_parts, scope_for, type_named


def test_the_set_is_closed() -> None:
    assert list(TYPES) == ["user", "feedback", "project", "reference"]
    assert type_named(" Feedback ") is TYPES["feedback"] and type_named("decision") is None


@pytest.mark.parametrize(
    ("name", "team", "asked", "expected"),
    [
        ("user", True, None, "private"),
        ("feedback", True, None, "private"),
        ("feedback", True, "team", "team"),
        ("project", True, None, "team"),
        ("project", False, None, "private"),
        ("project", True, "private", "private"),
        ("reference", True, None, "team"),
        ("reference", False, "team", "team"),
    ],
)
def test_scopes(name: str, team: bool, asked: str | None, expected: str) -> None:
    assert scope_for(TYPES[name], team=team, asked=asked) == expected  # type: ignore[arg-type]


def test_user_memories_are_always_private() -> None:
    with pytest.raises(ValueError, match="private"):
        scope_for(TYPES["user"], team=True, asked="team")


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        ("Rule.\n\n**Why:** x\n**How to apply:** y\n", []),
        ("Rule.\n- **Why**: x\n\nHow to  apply: y", []),
        ("Rule.\n__Why__：因为\n", [HOW]),
        ("Why not? Because why: is inside a line.", [WHY, HOW]),
        ("", [WHY, HOW]),
    ],
)
def test_labelled_paragraphs(body: str, missing: list[str]) -> None:
    assert [p.label for p in missing_parts(TYPES["feedback"], body)] == missing
    assert missing_parts(TYPES["user"], body) == ()


def test_everything_is_translated() -> None:
    texts = [
        m for t in TYPES.values() for m in (t.holds, t.when, t.body, t.scope_rule, *t.belongs, *t.elsewhere)
    ]
    texts += [p.hint for t in TYPES.values() for p in t.parts] + [
        m for n in NOT_KEPT for m in (n.what, n.instead)
    ]
    assert len(texts) == 46
    for text in texts:
        assert render(text, "zh-cn") != str(text), text
