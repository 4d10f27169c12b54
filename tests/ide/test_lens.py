"""Lenses above a memory: their words, what they count, and what they cost in a large directory."""

from __future__ import annotations

import pytest

from memdir.core.i18n import render
from memdir.ide.lens import lenses
from tests.ide.counting import count_documents, large
from tests.ide.marks import World, memory


def shown(
    source: str, rel: str = "feedback_a.md", *, written: str = "2026-03-09", **others: str
) -> list[tuple[str, str]]:
    world = World(
        {rel: source, **{name.replace("__", "/") + ".md": text for name, text in others.items()}},
        written=written,
    )
    document = world.directory.get(rel)
    assert document is not None
    return [(str(lens.title), lens.action) for lens in lenses(document, world.context)]


def test_all_of_them() -> None:
    assert shown(
        memory("A", "See `src/app.py:2`.", extra="created: 2026-01-23\nmodified: 2026-03-08\n"),
        MEMORY="- [A](feedback_a.md) — x\n",
        b=memory("B", "[[feedback_a]]"),
        c=memory("C", "[a](feedback_a.md) and again [[a]]"),
    ) == [
        ("created 47 days ago, last verified 3 days ago", "mark"),
        ("referenced by 2 memories", "references"),
        ("listed in the index", "show"),
        ("verify citations", "verify"),
    ]


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("modified: 2026-03-11\n", "last verified today"),
        ("updated: 2026-03-10T23:00:00Z\n", "last verified yesterday"),
        ("created: 2026-03-01\n", "created 10 days ago, not verified since"),
        ("", "last changed 2 days ago, never verified"),
        ("modified: soon\n", "last changed 2 days ago, never verified"),
        ("metadata:\n  modified: 2026-03-08\n", "last verified 3 days ago"),
    ],
)
def test_age(extra: str, words: str) -> None:
    assert shown(memory("A", extra=extra))[0] == (words, "mark")


def test_the_index_that_counts_is_that_of_the_scope() -> None:
    listed, missing = ("listed in the index", "show"), ("not in the index: add it", "list")
    assert missing in shown(memory("A"), MEMORY="# Memory\n")
    assert listed in shown(memory("A"), "team/project_a.md", team__MEMORY="- [A](project_a.md)\n")
    assert listed in shown(
        memory("A"),
        MEMORY="- [Old](archive.md)\n",
        archive="- [A](feedback_a.md) — a\n- [B](b.md) — b\n",
        b=memory("B"),
    )
    assert [action for _, action in shown(memory("A"))] == ["mark", "references"]  # there is no index at all


def test_who_refers() -> None:
    assert shown(memory("A"), MEMORY="- [A](feedback_a.md)\n")[1] == ("referenced by no memory", "references")
    assert shown(memory("A"), b=memory("B", "[[feedback-a]]"))[1][0] == "referenced by 1 memory"


def test_only_memories_have_lenses() -> None:
    assert shown("# Memory\n", "MEMORY.md") == []
    assert shown("- 09:00 x\n", "logs/2026/03/2026-03-10.md") == []
    assert shown("", "feedback_a.md") == []
    assert shown("No header.\n", "feedback_a.md") != []


def test_in_chinese() -> None:
    world = World({"a.md": memory("A", "`src/app.py:2`"), "MEMORY.md": "- [A](a.md)\n"})
    document = world.directory.get("a.md")
    assert document is not None
    assert [render(lens.title, "zh-cn") for lens in lenses(document, world.context)] == [
        "上次修改：2 天前，从未核实",
        "没有记忆引用它",
        "已列入索引",
        "核实引用位置",
    ]


def test_the_cost_does_not_grow_with_the_directory() -> None:
    """At 10,000 memories a request looks at the documents that refer to this one, and at no others."""
    world = large(10_000)
    document = world.directory.get("feedback_00007.md")
    assert document is not None
    assert list(lenses(document, world.context))  # what the whole server has computed by then
    with count_documents(world.directory) as looked_at:
        found = list(lenses(document, world.context))
    assert [str(lens.title) for lens in found][1:] == ["referenced by 2 memories", "listed in the index"]
    assert looked_at <= {"feedback_00007.md", "feedback_00006.md", "feedback_00008.md", "MEMORY.md"}
