"""Suppression comments: what they cover, and what the driver says of those that are idle or misspelt."""

from __future__ import annotations

import pytest

from memdir.core.document import Document
from memdir.core.settings import Layer, merge
from memdir.core.suppress import suppressions
from tests.rules.world import lint, world

HEAD = "---\nname: Role\ndescription: Backend developer, new to this frontend\ntype: user\n---\n"


def read(body: str) -> list[tuple[int | None, list[str]]]:
    document = Document("/m/a.md", "a.md", body)
    return [(s.line, [name for name, _ in s.rules]) for s in suppressions(document)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("text <!-- memdir: ignore broken-link -->\n", [(0, ["broken-link"])]),
        ("<!-- memdir: ignore broken-link -->\n\n\nnext\n", [(3, ["broken-link"])]),
        ("<!--memdir:ignore a,b c-->x\n", [(0, ["a", "b", "c"])]),
        ("<!-- memdir: ignore -->\ntext\n", [(1, [])]),
        ("text\n<!-- memdir: ignore-file relative-date -->\n", [(None, ["relative-date"])]),
        ("`<!-- memdir: ignore a -->`\n", []),
        ("```\n<!-- memdir: ignore a -->\n```\n", []),
        ("<!-- memdir: ignored a -->\n", []),
        ("<!-- memdir: ignore a\n-->\n", []),
        ("<!-- memdir: ignore a -->", [(1, ["a"])]),  # alone on the last line: nothing is left to cover
    ],
)
def test_comments(body: str, expected: list[tuple[int | None, list[str]]]) -> None:
    assert read(body) == expected


def rules_of(body: str, **settings: object) -> list[str]:
    merged = merge([Layer("editor", values=settings)])
    return [d.rule for d in lint(world({"user_role.md": HEAD + body}, settings=merged))]


def test_a_line_is_silenced_and_nothing_else() -> None:
    assert rules_of("[a](gone.md)\n[b](gone.md)\n") == ["broken-link", "broken-link"]
    assert rules_of("[a](gone.md) <!-- memdir: ignore broken-link -->\n[b](gone.md)\n") == ["broken-link"]
    assert rules_of("<!-- memdir: ignore broken-link -->\n[a](gone.md)\n") == []
    assert rules_of("<!-- memdir: ignore-file broken-link -->\n\n[a](gone.md)\n[b](gone.md)\n") == []
    assert rules_of("<!-- memdir: ignore -->\n[a](gone.md)\n") == []
    assert rules_of("<!-- memdir: ignore broken-wikilink -->\n[a](gone.md)\n") == [
        "suppression-unused",
        "broken-link",
    ]


def test_misspelt_and_idle_comments_are_reported() -> None:
    context = world({"user_role.md": HEAD + "[a](gone.md) <!-- memdir: ignore broken-lnik -->\n"})
    found = {d.rule: d for d in lint(context)}
    assert set(found) == {"broken-link", "suppression-unknown-rule"}
    fix = found["suppression-unknown-rule"].fix
    assert fix is not None
    assert str(fix.title) == "Change to broken-link"
    assert rules_of("Nothing here. <!-- memdir: ignore broken-link -->\n") == ["suppression-unused"]
    assert rules_of("Nothing here. <!-- memdir: ignore -->\n") == ["suppression-unused"]


def test_a_rule_that_is_off_does_not_make_its_comment_idle() -> None:
    assert rules_of("x <!-- memdir: ignore broken-link -->\n", ignore=("broken-link",)) == []


def test_removing_an_idle_comment_leaves_the_text() -> None:
    context = world({"user_role.md": HEAD + "Knows Go. <!-- memdir: ignore broken-link -->\nMore.\n"})
    (diagnostic,) = lint(context)
    assert diagnostic.fix is not None
    (change,) = diagnostic.fix.changes
    document = context.directory.get("user_role.md")
    assert document is not None
    from memdir.core.text import apply_edits

    assert apply_edits(document.text, getattr(change, "edits")) == HEAD + "Knows Go.\nMore.\n"  # noqa: B009
