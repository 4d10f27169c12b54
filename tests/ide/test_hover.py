"""Hovers and cards from annotated sources."""

from __future__ import annotations

from memdir.core.i18n import render
from memdir.core.lint import check_document
from memdir.ide.card import memory_card
from memdir.ide.hover import hover
from tests.ide.marks import World, memory

REPO = {"src/app.py": (["one", "two", "three"], "2026-03-10"), "src/old.py": (["x"], "2025-01-01")}


def shown(world: World) -> str:
    found = hover(world.document, world.context, world.cursor)
    return str(found.text) if found else ""


def test_a_memory_behind_a_link() -> None:
    body = "First *line*.\n\n\nSecond line.\n" + "".join(f"line {i}\n" for i in range(9))
    files = {
        "MEMORY.md": "- [It](feedback_b.md) — x\n",
        "a.md": memory("Alpha", "[[feedback_b$0]]"),
        "feedback_b.md": memory("Be_ta", body, description="What is agreed about [betas]"),
    }
    text = shown(World(files, written="2026-02-23"))
    assert text.startswith(
        "**Be\\_ta**\n\n`feedback` · written 16 days ago · referenced 2 times\n\nWhat is agreed about \\[betas\\]\n\n"
    )
    assert "> First *line*.\n> \n> Second line.\n> line 0" in text
    assert text.endswith("> …")


def test_a_dead_wikilink_says_what_it_is_for() -> None:
    assert "worth writing" in shown(World({"a.md": memory("Alpha", "[[nothing$0]]")}))


def test_a_type_says_what_belongs_there() -> None:
    text = shown(World({"a.md": memory("Alpha").replace("type: feedback", "type: feed$0back")}))
    assert text.startswith("**feedback**: How to work here")
    assert "- ✓ " in text and "- ✗ " in text and "*Scope*: Private" in text


def test_a_relative_date() -> None:
    world = World({"a.md": memory("Alpha", "Frozen until Thurs$0day.", extra="modified: 2026-03-04\n")})
    found = hover(world.document, world.context, world.cursor)
    assert found is not None
    assert world.document.slice(found.span) == "Thursday"
    assert str(found.text) == "**2026-03-05**, counted from 2026-03-04 (`modified` in the header)."
    described = memory("Alpha", description="Frozen since yester$0day", extra="modified: 2026-03-04\n")
    assert shown(World({"a.md": described})).startswith("**2026-03-03**")


def test_a_citation_that_changed_and_one_that_did_not() -> None:
    changed = shown(World({"a.md": memory("A", "`src/app.py:2-$03`")}, REPO, written="2026-03-09"))
    assert "```py\ntwo\nthree\n```" in changed
    assert "Changed on 2026-03-10, after this memory was written" in changed
    same = shown(World({"a.md": memory("A", "`src/old$0.py`")}, REPO))
    assert same == "`src/old.py`\n\nUnchanged since this memory was written (last change 2025-01-01)."
    gone = shown(World({"a.md": memory("A", "`src/gone$0.py`")}, REPO))
    assert gone == "`src/gone.py` is not in the repository."
    past = shown(World({"a.md": memory("A", "`src/old.py:7$0`")}, REPO))
    assert "Line 7 is past the end (1 lines)." in past


def test_a_rule_in_a_comment_and_behind_a_finding() -> None:
    text = shown(World({"a.md": memory("A", "x <!-- memdir: ignore broken-l$0ink -->")}))
    assert text.startswith("**broken-link**: ")
    assert "(https://memdir.dev/rules/broken-link)" in text
    world = World({"a.md": memory("A").replace("type: feedback", "type: feed$0bak")})
    findings = check_document(world.document, world.context)
    found = hover(world.document, world.context, world.cursor, findings)
    assert found is not None and str(found.text).startswith("**type-unknown**: ")


def test_a_place_with_a_meaning_and_a_finding_shows_both() -> None:
    world = World({"a.md": memory("A", "See [it](gone.md) on Thurs$0day.", extra="modified: 2026-03-04\n")})
    findings = check_document(world.document, world.context)
    found = hover(world.document, world.context, world.cursor, findings)
    assert found is not None
    assert "2026-03-05" in str(found.text) and "**relative-date**" in str(found.text)


def test_nothing_to_say() -> None:
    assert shown(World({"a.md": memory("A", "Plain w$0ords.")})) == ""


def test_cards_in_chinese() -> None:
    world = World({"a.md": memory("A", "x$0"), "MEMORY.md": ""})
    assert "天前" in render(memory_card(world.document, world.context), "zh-cn")
