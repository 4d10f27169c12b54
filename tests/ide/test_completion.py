"""Completion from annotated sources."""

from __future__ import annotations

import pytest

from memdir.core.model import Edit
from memdir.core.text import apply_edits
from memdir.ide.completion import Item, complete
from memdir.ide.completion.paths import folder_at
from tests.ide.marks import World, memory

FOLDERS = {
    "": [("src", True), ("README.md", False), (".git", True), (".env", False)],
    "src": [("app.py", False), ("lib", True)],
}


def items(world: World) -> list[Item]:
    return complete(world.document, world.context, world.cursor, lambda folder: FOLDERS.get(folder, []))


def labels(world: World) -> list[str]:
    return [i.label for i in sorted(items(world), key=lambda i: (i.rank, i.label))]


def after(world: World, label: str) -> str:
    """The document once this item was taken."""
    [item] = [i for i in items(world) if i.label == label]
    return apply_edits(world.document.text, [Edit(item.span, item.text)])


@pytest.mark.parametrize("name", ["feedback_x.md", "notes/x.md"])
@pytest.mark.parametrize("text", ["$0", "---$0", "---\n$0"])
def test_a_new_memory_of_each_type(name: str, text: str) -> None:
    world = World({name: text})
    assert set(labels(world)) == {"user", "feedback", "project", "reference"}
    if name.startswith("feedback"):
        assert labels(world)[0] == "feedback"
    new = after(world, "feedback")
    assert new.startswith("---\nname: ${1:")
    assert (
        "type: feedback\n---\n" in new
        and "**Why:** $4" in new
        and "**How to apply:** $5" in new
        and new.endswith("$0")
    )


def test_no_memory_of_a_person_in_the_team() -> None:
    assert "user" not in labels(World({"team/x.md": "$0"}))
    world = World({"team/x.md": memory("X").replace("type: feedback", "type: $0")})
    assert labels(world)[-1] == "user"
    assert labels(world)[:2] == ["project", "reference"]  # what usually belongs to a team comes first


def test_keys_that_are_missing() -> None:
    world = World({"a.md": "---\nname: A\n$0\n---\n"})
    assert labels(world)[:2] == ["created", "description"] or "description" in labels(world)
    assert "name" not in labels(world)
    assert after(world, "description") == "---\nname: A\ndescription: \n---\n"
    world = World({"a.md": "---\nname: A\ndes$0cription: x\n---\n"})
    assert after(world, "description") == "---\nname: A\ndescription: x\n---\n"


@pytest.mark.parametrize("line", ["type: $0", "type: fe$0", 'type: "fe$0', "metadata:\n  type: fe$0"])
def test_types_with_their_meaning(line: str) -> None:
    world = World({"a.md": f"---\nname: A\n{line}\n---\nText.\n"})
    assert labels(world) == ["user", "feedback", "project", "reference"]
    [feedback] = [i for i in items(world) if i.label == "feedback"]
    assert str(feedback.detail).startswith("How to work here")
    assert "✓" in str(feedback.documentation)
    assert line.split("$0")[0].rstrip("fe") + "feedback" in after(world, "feedback")


def test_dates_and_other_memories_as_values() -> None:
    assert labels(World({"a.md": "---\nmodified: $0\n---\n"})) == ["2026-03-11"]
    world = World({"a.md": "---\nsupersedes: $0\n---\n", "feedback_b.md": memory("Beta")})
    assert labels(world) == ["feedback_b"]
    assert labels(World({"a.md": "---\nname: $0\n---\n"})) == []


@pytest.mark.parametrize(
    ("typed", "result"),
    [
        ("[[$0", "[[feedback_b]]"),
        ("[[fe$0]]", "[[feedback_b]]"),
        ("[[x$0]", "[[feedback_b]]"),
        ("见[[$0", "见[[feedback_b]]"),
    ],
)
def test_wikilinks(typed: str, result: str) -> None:
    world = World(
        {
            "a.md": memory("Alpha", f"See {typed}"),
            "feedback_b.md": memory("Beta", description="What b is"),
            "MEMORY.md": "",
        }
    )
    assert labels(world) == ["feedback_b"]
    [item] = items(world)
    assert str(item.detail) == "feedback: What b is"
    assert item.rel == "feedback_b.md" and "Beta" in item.filter
    assert f"See {result}" in after(world, "feedback_b")


def test_no_wikilinks_in_code() -> None:
    assert labels(World({"a.md": memory("A", "```\n[[$0\n```"), "b.md": memory("B")})) == []


def test_targets_of_links_unlisted_memories_first() -> None:
    world = World(
        {
            "MEMORY.md": "- [A](a.md) — a\n- [New](z$0\n",
            "a.md": memory("A"),
            "z z.md": memory("Zed"),
            "team/t.md": memory("T"),
            "team/MEMORY.md": "- [T](t.md)\n",
        }
    )
    assert labels(world) == ["z z.md", "a.md", "team/t.md"]
    assert "[New](<z z.md>)\n" in after(world, "z z.md")
    inside = World(
        {"team/MEMORY.md": "- [T](t.md)\n- [x]($0)\n", "team/t.md": memory("T"), "a.md": memory("A")}
    )
    assert "[x](../a.md)\n" in after(inside, "../a.md")


@pytest.mark.parametrize("typed", ["- $0", "- [$0]", "* Ze$0", "1. [Ze$0"])
def test_whole_entries_for_unlisted_memories(typed: str) -> None:
    world = World(
        {
            "MEMORY.md": f"- [A](a.md) — a\n{typed}\n",
            "a.md": memory("A"),
            "z.md": memory("Zed", description="What zed is"),
        }
    )
    assert labels(world) == ["Zed"]
    assert after(world, "Zed").split("\n")[1].endswith("[Zed](z.md) — What zed is")
    assert "[[" not in after(world, "Zed")


@pytest.mark.parametrize(
    ("typed", "expected", "folder"),
    [
        ("`$0", ["README.md", "src/"], ""),
        ("`src/$0`", ["app.py", "lib/"], "src"),
        ("`src/a$0", ["app.py", "lib/"], "src"),
        ("`.e$0", [".env", "README.md", "src/"], ""),
    ],
)
def test_paths_in_back_ticks(typed: str, expected: list[str], folder: str) -> None:
    world = World({"a.md": memory("A", f"See {typed}")})
    assert folder_at(world.document, world.cursor) == folder
    assert labels(world) == expected


@pytest.mark.parametrize("typed", ["`a` and $0", "plain $0", "`done`$0", "`has blank$0"])
def test_nothing_outside_of_back_ticks(typed: str) -> None:
    world = World({"a.md": memory("A", typed)})
    assert labels(world) == []


def test_names_of_rules() -> None:
    world = World({"a.md": memory("A", "x <!-- memdir: ignore broken-link, $0")})
    assert "relative-date" in labels(world)
    assert "ignore broken-link, relative-date" in after(world, "relative-date")
