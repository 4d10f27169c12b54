"""Daily logs as text, and their rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.daily_log import (
    LogMark,
    badly_formed,
    day_in_name,
    kept_until,
    log_day,
    log_entry,
    log_rel,
    mark,
)
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.lint import check_document
from memdir.core.model import Diagnostic, RenameFile
from memdir.core.rule import Context
from memdir.core.rules import TABLE
from tests.conftest import NOW

GOOD = "- 09:12 first\n  more of it\n- 10:00 second\n"


def found(rel: str, text: str, marks: Sequence[LogMark] = (), others: Sequence[str] = ()) -> list[Diagnostic]:
    class Known:
        def marks(self, rel: str) -> Sequence[LogMark]:
            return marks

    document = Document(f"/m/{rel}", rel, text.encode())
    directory = Directory("/m", [document, *(Document(f"/m/{o}", o, b"") for o in others)])
    return [
        d
        for d in check_document(document, Context(directory, NOW, logs=Known()))
        if d.rule.startswith("log-")
    ]


def test_paths() -> None:
    assert log_rel(date(2026, 3, 5)) == "logs/2026/03/2026-03-05.md"
    assert log_day("team/logs/2026/03/2026-03-05.md") == date(2026, 3, 5)
    for wrong in (
        "logs/2026/04/2026-03-05.md",
        "logs/2026/02/2026-02-30.md",
        "logs/2026-03-05.md",
        "x/logs/2026/03/2026-03-05.md",
    ):
        assert log_day(wrong) is None
    assert (
        day_in_name("logs/standup-20260305.md") == date(2026, 3, 5)
        and day_in_name("logs/notes-202613.md") is None
    )


def test_entries() -> None:
    now = datetime(2026, 3, 5, 23, 59, tzinfo=timezone(timedelta(hours=9)))
    assert log_entry("deployed", now) == "- 23:59 deployed\n"
    assert log_entry("- a\r\n\r\n b\x1b[2J\n", now) == "- 23:59 a\n   b[2J\n"
    for empty in ("", " \n\t\n", "\x00"):
        with pytest.raises(ValueError, match="empty"):
            log_entry(empty, now)


@given(st.text(max_size=80))
def test_what_is_written_is_well_formed(text: str) -> None:
    try:
        entry = log_entry(text, NOW)
    except ValueError:
        return
    assert list(badly_formed(entry)) == [] and entry.endswith("\n")


@pytest.mark.parametrize(
    "line",
    ["- 9:12 x", "x", "- x", "9:12 - x", "- 25:00 x", "- 09:12x", "> quote", "  indented first"],
)
def test_badly_formed(line: str) -> None:
    assert list(badly_formed(line + "\n")) == [0]


@pytest.mark.parametrize(
    "line",
    [
        "- 09:12 x",
        "* 09:12:30 x",
        "- **09:12** x",
        "- [09:12] x",
        "- `09:12`: x",
        "- 2026-03-05 09:12 x",
        "- 2026-03-05T09:12:30.123Z x",
        "- 09:12 PM x",
        "# Thursday",
        "<!-- a note -->",
    ],
)
def test_well_formed(line: str) -> None:
    assert list(badly_formed(line + "\r\n")) == []


def test_a_log_that_only_grew() -> None:
    first, second = mark(b"- 09:12 a\n"), mark(b"- 09:12 a\n- 10:00 b\n")
    assert kept_until(b"- 09:12 a\n- 10:00 b\n- 11:00 c\n", [second, first]) is None
    assert kept_until(b"- 09:12 a\n- 10:00 B\n", [first, second]) == 10
    assert kept_until(b"- 09:12 a\n", [first, second]) == 10
    assert kept_until(b"", [first]) == 0 and kept_until(b"anything", []) is None


@given(st.binary(max_size=40), st.binary(max_size=40), st.integers(0, 40), st.binary(min_size=1, max_size=1))
def test_growing_is_never_rewriting_and_changing_always_is(a: bytes, b: bytes, at: int, byte: bytes) -> None:
    marks = [mark(a), mark(a + b)]
    assert kept_until(a + b + b"more", marks) is None
    whole = a + b
    at = min(at, max(len(whole) - 1, 0))
    changed = whole[:at] + byte + whole[at + 1 :]
    if whole and changed != whole:
        kept = kept_until(changed, marks)
        assert kept is not None and changed[:kept] == whole[:kept]


def test_the_rule_about_paths() -> None:
    (one,) = found("logs/2026-03-05.md", GOOD)
    assert one.rule == "log-path" and one.fix is not None
    (move,) = one.fix.changes
    assert isinstance(move, RenameFile) and move.new_path == "/m/logs/2026/03/2026-03-05.md"
    (one,) = found("logs/2026-03-05.md", GOOD, others=["logs/2026/03/2026-03-05.md"])
    assert one.fix is None
    (one,) = found("logs/readme.md", "# x\n")
    assert "logs/YYYY/MM/YYYY-MM-DD.md" in str(one.message)
    assert found("logs/2026/03/2026-03-05.md", GOOD) == []


def test_the_rule_about_entries() -> None:
    (one,) = found("logs/2026/03/2026-03-05.md", "# Day\n" + GOOD + "free text\nmore\n")
    assert one.rule == "log-entry-format" and str(one.message).startswith("2 lines")
    assert one.span.start == len("# Day\n" + GOOD)


def test_the_rule_about_rewriting() -> None:
    marks = [mark(b"- 09:12 first\n"), mark(GOOD.encode())]
    rel = "logs/2026/03/2026-03-05.md"
    assert found(rel, GOOD + "- 11:00 third\n", marks) == []
    (one,) = found(rel, GOOD.replace("second", "SECOND"), marks)
    assert one.rule == "log-rewritten" and "after line 1:" in str(one.message)
    assert one.span.start == len("- 09:12 first\n")
    (one,) = found(rel, "- 08:00 earlier\n" + GOOD, marks)
    assert "no longer begins" in str(one.message)


def test_the_examples() -> None:
    for name in ("log-path", "log-entry-format", "log-rewritten"):
        for example in TABLE[name].examples:
            assert [d.rule for d in found(example.rel, example.bad)] == [name]
            assert found(example.rel, example.good) == []
