"""Inlay hints: ages in an index, days behind relative dates, and their cost."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest

from memdir.core.dates import find
from memdir.core.document import Document
from memdir.core.facts import NoProject
from memdir.core.i18n import render
from memdir.core.model import Span
from memdir.ide.hints import Hint, hints
from tests.conftest import NOW
from tests.ide.counting import count_documents, large
from tests.ide.marks import World, memory


def in_place(rel: str, source: str, span: Span | None = None, **others: str) -> str:
    """The text with every hint in brackets where it is shown."""
    world = World({rel: source, **{n.replace("__", "/") + ".md": t for n, t in others.items()}})
    document = world.directory.get(rel)
    assert document is not None
    text = document.text
    found = list(hints(document, world.context, span or Span(0, len(text))))
    assert [h.offset for h in found] == sorted(h.offset for h in found)
    for hint in reversed(found):
        text = f"{text[: hint.offset]}⟨{hint.text}⟩{text[hint.offset :]}"
    return text


def dated(day: str) -> str:
    return memory("X", extra=f"modified: {day}\n")


def test_ages_in_an_index() -> None:
    source = (
        "# Memory\n\n"
        "- [A](a.md) — one  \n"
        "- [B](b.md)\n"
        "- **[C](sub/c.md)** — [three](a.md)\n"
        "- [Gone](gone.md) — nothing there\n"
        "- [Web](https://example.com/b.md) — elsewhere\n"
        "- `b.md`\n"
        "| [A](a.md) | one |\n"
    )
    assert in_place(
        "MEMORY.md", source, a=dated("2026-01-23"), b=dated("2026-03-11"), sub__c=dated("2026-03-10")
    ) == (
        "# Memory\n\n"
        "- [A](a.md) — one⟨47 days ago⟩  \n"
        "- [B](b.md)⟨today⟩\n"
        "- **[C](sub/c.md)** — [three](a.md)⟨yesterday to 47 days ago⟩\n"
        "- [Gone](gone.md) — nothing there\n"
        "- [Web](https://example.com/b.md) — elsewhere\n"
        "- `b.md`⟨today⟩\n"
        "| [A](a.md) | one |⟨47 days ago⟩\n"
    )


def test_ages_in_other_lists_of_memories() -> None:
    rows = "- [A](a.md) — one\n- [B](b.md) — two\n"
    others = {"a": dated("2026-01-23"), "b": dated("2026-03-01")}
    hinted = "- [A](a.md) — one⟨47 days ago⟩\n- [B](b.md) — two⟨10 days ago⟩\n"
    assert in_place("archive.md", rows, None, **others) == hinted
    assert in_place("team/MEMORY.md", rows, None, team__a=others["a"], team__b=others["b"]) == hinted


def test_days_of_relative_dates() -> None:
    source = memory(
        "A", "Frozen until Thursday, agreed yesterday. Recently slow.", extra="modified: 2026-03-04\n"
    )
    assert in_place("project_a.md", source) == source.replace(
        "until Thursday, agreed yesterday.", "until Thursday⟨2026-03-05⟩, agreed yesterday⟨2026-03-03⟩."
    )


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("We moved it last week.", "2026-03-02 … 2026-03-08"),
        ("We moved it three months ago.", "about 2025-12-11"),
        ("We moved it in the past two weeks.", "2026-02-25 … 2026-03-11"),
        ("用户昨天要求保留旧接口。", "2026-03-10"),
    ],
)
def test_periods_are_two_days(words: str, days: str) -> None:
    world = World({"a.md": memory("A", words, extra="modified: 2026-03-11\n")})
    document = world.directory.get("a.md")
    assert document is not None
    [hint] = hints(document, world.context, Span(0, len(document.text)))
    assert str(hint.text) == days
    assert "counted from 2026-03-11 (`modified` in the header)" in str(hint.tooltip)


def test_only_what_is_asked_for() -> None:
    rows = "".join(f"- [A{i}](a.md) — x\n" for i in range(5))
    span = Span(rows.index("[A1]"), rows.index("[A2]"))
    assert in_place("MEMORY.md", rows, span, a=dated("2026-03-10")) == rows.replace(
        "[A1](a.md) — x", "[A1](a.md) — x⟨yesterday⟩"
    ).replace("[A2](a.md) — x", "[A2](a.md) — x⟨yesterday⟩")
    body = "Agreed yesterday.\n\nMore.\n\nAgreed yesterday.\n"
    assert in_place("a.md", body, Span(0, 5)).count("⟨") == 0
    assert in_place("a.md", body, Span(10, 20)).count("⟨") == 1


def test_an_index_has_no_day_to_count_from() -> None:
    assert in_place("MEMORY.md", "- Moved yesterday\n") == "- Moved yesterday\n"


def texts(found: list[Hint], locale: str) -> list[tuple[str, str]]:
    return [(render(h.text, locale), render(h.tooltip, locale)) for h in found]


def test_in_chinese_and_what_the_tooltip_says() -> None:
    world = World({"MEMORY.md": "- [A](a.md), [B](b.md)\n", "a.md": dated("2026-01-23"), "b.md": memory("B")})
    document = world.directory.get("MEMORY.md")
    assert document is not None
    found = list(hints(document, world.context, Span(0, 99)))
    assert texts(found, "en") == [
        ("2 days ago to 47 days ago", "a.md: 2026-01-23 (`modified` in the header).")
    ]
    assert texts(found, "zh-cn") == [("2 天前 至 47 天前", "a.md：2026-01-23（文件头中的 `modified`）。")]


def test_a_text_is_searched_once() -> None:
    """Editors ask with every scrolled line; looking for dates is the dear part."""
    world = World({"a.md": memory("A", "Agreed yesterday.\n", extra="modified: 2026-03-04\n")})
    document = world.directory.get("a.md")
    assert document is not None
    whole = Span(0, len(document.text))
    with patch("memdir.ide.dates.find", wraps=find) as searched:
        first = list(hints(document, world.context, whole))
        count = searched.call_count
        assert list(hints(document, world.context, whole)) == first
        assert list(hints(document, world.context, Span(0, 0))) == []
        assert searched.call_count == count
    tomorrow = replace(world.context, now=NOW + timedelta(days=1))
    assert [str(h.text) for h in hints(document, tomorrow, whole)] == ["2026-03-03"]


def test_the_day_of_a_commit_that_becomes_known_later_counts() -> None:
    world = World({"a.md": memory("A", "Agreed yesterday.\n")})
    document = world.directory.get("a.md")
    assert document is not None
    whole = Span(0, len(document.text))
    assert [str(h.text) for h in hints(document, world.context, whole)] == ["2026-03-08"]
    known = replace(world.context, project=Committed())
    assert [str(h.text) for h in hints(document, known, whole)] == ["2026-03-01"]


class Committed(NoProject):
    def commit_time(self, path: str) -> datetime | None:
        return datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_the_cost_does_not_grow_with_the_directory() -> None:
    """At 10,000 memories a request for a part of the index looks at the memories of that part only."""
    world = large(10_000)
    index = world.directory.get("MEMORY.md")
    assert index is not None
    list(hints(index, world.context, Span(0, len(index.text))))
    visible = Span(index.text.index("[N20]"), index.text.index("[N40]"))
    with count_documents(world.directory) as looked_at:
        found = list(hints(index, world.context, visible))
    assert len(found) == 21
    assert looked_at <= {"MEMORY.md", *(f"feedback_{i:05}.md" for i in range(20, 41))}
    memory_file = world.directory.get("feedback_00007.md")
    assert isinstance(memory_file, Document)
    with count_documents(world.directory) as looked_at:
        assert list(hints(memory_file, world.context, Span(0, len(memory_file.text)))) == []
    assert looked_at <= {"feedback_00007.md"}
