"""The rules `relative-date` and `deadline-passed` over whole memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from memdir.core.i18n import render
from memdir.core.model import Diagnostic, EditFile, Safety
from tests.rules.world import NOW, Repo, applied, lint, marked, world

HEADER = "---\nname: Freeze\ndescription: Merge freeze for the release cut\ntype: project\n{more}---\n"


def memory(body: str, more: str = "modified: 2026-03-04\n") -> str:
    return HEADER.format(more=more) + body


def relative(text: str, rel: str = "project_freeze.md", **more: object) -> Sequence[Diagnostic]:
    return lint(world({rel: text}, **more), "relative-date")  # type: ignore[arg-type]  # keywords of world


def fixed(text: str, rel: str = "project_freeze.md") -> str:
    """The text with every fix applied at once, as fix-all does."""
    context = world({rel: text})
    found = lint(context, "relative-date")
    assert found
    edits = tuple(
        e for d in found if d.fix for c in d.fix.changes if isinstance(c, EditFile) for e in c.edits
    )
    document = context.directory.get(rel)
    assert document is not None
    fix = next(d.fix for d in found if d.fix)
    new = applied(context, type(fix)(fix.title, fix.safety, (document.edit(*edits),)))
    result = new.directory.get(rel)
    assert result is not None
    assert not lint(new, "relative-date")
    return result.text


def test_message_fix_and_place() -> None:
    context = world({"project_freeze.md": memory("Merging is frozen until Thursday.\n")})
    (found,) = lint(context, "relative-date")
    assert marked(context, found) == "Thursday"
    assert str(found.message) == (
        "“Thursday” changes its meaning as time passes. Counted from 2026-03-04 (`modified` in the header) it is 2026-03-05."
    )
    assert found.fix is not None
    assert str(found.fix.title) == "Write “2026-03-05” instead of “Thursday”"
    assert found.fix.safety is Safety.SAFE
    assert found.data == {
        "earliest": "2026-03-05",
        "latest": "2026-03-05",
        "period": "day",
        "reference": "2026-03-04",
        "source": "header",
    }
    assert (
        render(found.message, "zh-cn")
        == "“Thursday”的含义会随时间变化。从 2026-03-04（头部的 `modified`）算起，指 2026-03-05。"
    )


def test_a_period_names_its_first_day_and_what_it_is() -> None:
    (found,) = relative(memory("They moved last week.\n"))
    assert str(found.message).endswith("it is the week that starts on 2026-02-23.")
    assert found.fix is not None
    assert str(found.fix.title) == (
        "Write “in the week of 2026-02-23” instead of “last week”: the week that starts on 2026-02-23"
    )
    assert found.fix.safety is Safety.UNSAFE


def test_a_vague_word_gets_the_day_of_writing() -> None:
    (found,) = relative(memory("The user recently moved to Zed.\n"))
    assert str(found.message) == (
        "“recently” names no day: it counts from the day of writing, 2026-03-04 (`modified` in the header). "
        "Say when, or add that day."
    )
    assert found.fix is not None
    assert found.fix.safety is Safety.UNSAFE
    assert fixed(memory("The user recently moved to Zed.\n")).endswith(
        "The user recently (as of 2026-03-04) moved to Zed.\n"
    )


@dataclass
class Versioned(Repo):
    """A repository that knows when memory files were committed."""

    at: datetime | None = None

    def commit_time(self, path: str) -> datetime | None:
        self.asked += 1
        return self.at


def test_where_the_reference_comes_from_and_how_safe_that_is() -> None:
    body = "Frozen until tomorrow.\n"
    commit = datetime(2026, 3, 2, 9, tzinfo=UTC)
    cases = [
        (memory(body), "project_x.md", None, "2026-03-05", Safety.SAFE, "header"),
        (memory(body, ""), "project_2026-03-03.md", None, "2026-03-04", Safety.SAFE, "file-name"),
        (memory(body, ""), "project_x.md", commit, "2026-03-03", Safety.UNSAFE, "commit"),
        (memory(body, ""), "project_x.md", None, "2026-03-11", Safety.UNSAFE, "file-time"),
    ]
    for text, rel, at, day, safety, source in cases:
        (found,) = relative(text, rel, repo=Versioned(at=at))
        assert found.fix is not None
        assert found.data is not None
        assert (found.data["earliest"], found.fix.safety, found.data["source"]) == (day, safety, source)


def test_git_is_asked_only_for_texts_with_relative_dates() -> None:
    repo = Versioned()
    assert not relative(memory("Frozen until 2026-03-05.\n", ""), repo=repo)
    assert repo.asked == 0
    assert relative(memory("Frozen until tomorrow.\n", ""), repo=repo)
    assert repo.asked == 1
    assert relative(memory("Frozen until tomorrow.\n"), repo=repo)
    assert repo.asked == 1, "the header says it"


@pytest.mark.parametrize(
    ("body", "safe"),
    [
        ("Frozen until tomorrow.\n", True),
        ("Frozen since two weeks ago.\n", True),
        ("Frozen until next Friday.\n", False),  # this week's or next week's
        ("It ended a few days ago.\n", False),
        ("It ended two months ago.\n", False),
        ("It ended last month.\n", False),
        ("It is due by the end of the month.\n", False),
    ],
)
def test_only_exact_days_are_safe(body: str, safe: bool) -> None:
    (found,) = relative(memory(body))
    assert found.fix is not None
    assert (found.fix.safety is Safety.SAFE) is safe


def test_the_description_is_checked_in_every_style() -> None:
    for quote in ("", '"', "'"):
        text = f"---\nname: Freeze\ndescription: {quote}Merging is frozen until Thursday{quote}\ntype: project\nmodified: 2026-03-04\n---\nBody.\n"
        context = world({"project_x.md": text})
        (found,) = lint(context, "relative-date")
        assert marked(context, found) == "Thursday"
        assert fixed(text) == text.replace("Thursday", "2026-03-05")


def test_a_body_in_many_languages_is_mended_at_once() -> None:
    body = (
        "We agreed yesterday with Mara; the freeze ends next week.\n\n用户昨天要求保留旧接口，下周二前改完。\n\n"
        "Der Vertrag wurde gestern verlängert und läuft in zwei Wochen aus.\n\n先週変更した。\n"
    )
    assert fixed(memory(body)) == memory(
        "We agreed on 2026-03-03 with Mara; the freeze ends in the week of 2026-03-09.\n\n"
        "用户 2026-03-03 要求保留旧接口，2026-03-10 前改完。\n\n"
        "Der Vertrag wurde am 2026-03-03 verlängert und läuft am 2026-03-18 aus.\n\n2026-02-23の週に変更した。\n"
    )


def test_crlf_and_byte_order_mark_survive() -> None:
    text = memory("Frozen until Thursday.\n").replace("\n", "\r\n")
    context = world({"project_x.md": b"\xef\xbb\xbf" + text.encode()})
    (found,) = lint(context, "relative-date")
    assert found.fix is not None
    document = applied(context, found.fix).directory.get("project_x.md")
    assert document is not None
    assert document.content == b"\xef\xbb\xbf" + text.replace("Thursday", "2026-03-05").encode()


def test_other_files_and_dead_header_dates() -> None:
    assert not relative("- [Freeze](project_freeze.md) — frozen until Thursday\n", "MEMORY.md")
    assert not relative("- 11:40 frozen until Thursday\n", "logs/2026/03/2026-03-04.md")
    assert relative("Frozen until Thursday.\n", "project_x.md")
    (found,) = relative(memory("Frozen until tomorrow.\n", "modified: soon\n"))
    assert found.data is not None
    assert found.data["source"] == "file-time"


def test_a_file_without_time_counts_from_now() -> None:
    from memdir.core.directory import Directory
    from memdir.core.document import Document
    from memdir.core.rule import Context

    document = Document("/memory/a.md", "a.md", "Frozen until tomorrow.\n")
    (found,) = lint(Context(Directory("/memory", [document]), NOW), "relative-date")
    assert found.data is not None
    assert (found.data["earliest"], found.data["source"]) == ("2026-03-12", "now")


def passed(text: str, rel: str = "project_freeze.md") -> Sequence[Diagnostic]:
    return lint(world({rel: text}), "deadline-passed")


def test_deadline_passed() -> None:
    context = world({"project_freeze.md": memory("Merging is frozen until 2026-03-05.\n")})
    (found,) = lint(context, "deadline-passed")
    assert marked(context, found) == "2026-03-05"
    assert str(found.message) == (
        "“until 2026-03-05” is over: 2026-03-05 was 6 days ago. Check whether the memory still holds; then update or remove it."
    )
    assert found.data == {"deadline": "2026-03-05", "days": 6}
    assert found.fix is None


def test_a_deadline_holds_through_its_last_day() -> None:
    assert not passed(memory("Frozen until 2026-03-11.\n"))
    assert str(passed(memory("Frozen until 2026-03-10.\n"))[0].message).startswith(
        "“until 2026-03-10” is over: 2026-03-10 was yesterday."
    )
    assert not passed(memory("Frozen until March 2026.\n"))
    assert not passed(memory("Planned for Q1 2026.\n"))
    assert passed(memory("Planned for Q4 2025.\n"))


def test_only_project_memories_have_deadlines() -> None:
    text = memory("Frozen until 2026-03-05.\n")
    assert not passed(text.replace("type: project", "type: feedback"))
    assert not passed("Frozen until 2026-03-05.\n", "notes.md")
    assert passed("Frozen until 2026-03-05.\n", "project_freeze.md"), "the file name says that it is one"
    assert passed(
        text.replace("for the release cut", "until 2026-03-05").replace("Frozen until 2026-03-05.", "x")
    )
