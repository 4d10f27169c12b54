"""Help while typing: what is added where, and where nothing is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.rule import Context
from memdir.core.text import apply_edits
from memdir.ide.on_type import typed
from tests.conftest import NOW
from tests.ide.marks import World, memory

NESTED = "---\nname: N\ndescription: Where the type stands below metadata\nmetadata:\n  type: project\n---\nText.\n"


def after(rel: str, source: str, character: str, **others: str) -> str:
    """The text after `character` was typed before the cursor; the cursor stays where it is."""
    world = World({rel: source, **others})
    edits = typed(world.document, world.context, world.cursor, character)
    text = apply_edits(world.document.text, edits)
    return f"{text[: world.cursor]}$0{text[world.cursor :]}"


def test_three_dashes_give_a_header() -> None:
    assert after("feedback_real-db.md", "---$0", "-") == (
        "---$0\nname: Real db\ndescription: \ntype: feedback\n---\n"
    )
    assert after("notes.md", "---$0\nBody.\n", "-") == (
        "---$0\nname: Notes\ndescription: \ntype: \n---\nBody.\n"
    )
    text = after("project_a.md", "---$0\nBody.\n", "-").replace("$0", "")
    header = Document("/m/project_a.md", "project_a.md", text).frontmatter
    assert (
        header is not None and header.closed and (header.get("name"), header.get("type")) == ("A", "project")
    )


def test_the_header_has_the_shape_of_its_neighbours() -> None:
    others = {"n1.md": NESTED, "n2.md": NESTED, "flat.md": memory("F")}
    assert after("user_x.md", "---$0\n", "-", **others) == (
        "---$0\nname: X\ndescription: \nmetadata:\n  type: user\n---\n"
    )


def test_a_rule_below_does_not_pass_for_the_closing_fence() -> None:
    source = "---$0\nSome words: here.\n\n---\n\nMore.\n"
    assert after("project_a.md", source, "-") == (
        "---$0\nname: A\ndescription: \ntype: project\n---\nSome words: here.\n\n---\n\nMore.\n"
    )


def test_only_the_closing_fence_is_missing() -> None:
    source = "---$0\nname: A\ndescription: B\n\nBody.\n"
    assert after("project_a.md", source, "-") == "---$0\nname: A\ndescription: B\n---\n\nBody.\n"
    assert after("project_a.md", "---$0\nname: A", "-") == "---$0\nname: A\n---\n"


@pytest.mark.parametrize(
    ("rel", "source"),
    [
        ("project_a.md", "---$0\nname: A\n---\nBody.\n"),  # it is there
        ("project_a.md", "--$0\n"),
        ("project_a.md", "----$0\n"),
        ("project_a.md", "Text\n---$0\n"),
        ("project_a.md", "---\nname: A\n---$0\n"),
        ("MEMORY.md", "---$0\n- [A](a.md)\n"),  # an index has no header
        ("logs/2026/03/2026-03-10.md", "---$0\n"),
    ],
)
def test_dashes_that_are_left_alone(rel: str, source: str) -> None:
    assert after(rel, source, "-") == source


def test_two_brackets_are_closed() -> None:
    assert after("project_a.md", "See [[$0 for more.\n", "[") == "See [[$0]] for more.\n"
    assert after("project_a.md", "See [[$0", "[") == "See [[$0]]"
    assert after("MEMORY.md", "- [[$0\n", "[") == "- [[$0]]\n"
    assert after("project_a.md", "See [[$0] for more.\n", "[") == "See [[$0]] for more.\n"
    assert after("project_a.md", "[[$0 and [[b]]\n", "[") == "[[$0]] and [[b]]\n"


@pytest.mark.parametrize(
    "source",
    [
        "See [[$0]] for more.\n",  # the editor did it
        "See [[$0real-db]] for more.\n",
        "See [$0 for more.\n",
        "See [[[$0 for more.\n",
        "Run `a[[$0` now.\n",
        "```\na[[$0\n```\n",
        "---\nname: [[$0\n---\n",
        "[$0",
    ],
)
def test_brackets_that_are_left_alone(source: str) -> None:
    assert after("project_a.md", source, "[") == source


def test_windows_line_ends() -> None:
    text = "---\r\nBody.\r\n"
    document = Document("/m/user_a.md", "user_a.md", text)
    context = Context(Directory("/m", [document]), NOW)
    edits = typed(document, context, 3, "-")
    assert apply_edits(text, edits) == "---\r\nname: A\r\ndescription: \r\ntype: user\r\n---\r\nBody.\r\n"


@given(
    st.text(alphabet="-[]` \n\r:ab|#\t", max_size=80),
    st.integers(0, 80),
    st.sampled_from("-[]x"),
    st.sampled_from(["MEMORY.md", "user_a.md"]),
)
def test_any_text_only_gains(text: str, offset: int, character: str, rel: str) -> None:
    document = Document(f"/m/{rel}", rel, text)
    context = Context(Directory("/m", [document]), NOW)
    for edit in typed(document, context, min(offset, len(document.text)), character):
        assert edit.span.start == edit.span.end
        assert 0 <= edit.span.start <= len(document.text)
