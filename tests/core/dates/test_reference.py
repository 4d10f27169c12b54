"""Which day a memory's words count from, and that the answer says where it comes from."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from memdir.core.dates.reference import Reference, date_in_name, reference_day
from memdir.core.i18n import render

COMMIT = datetime(2026, 2, 2, 23, 30, tzinfo=UTC)
MTIME = datetime(2026, 2, 3, 1, 0, tzinfo=UTC)
NOW = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)
EAST = timezone(timedelta(hours=9))


def found(header: dict[str, str], rel: str = "project_x.md", **more: object) -> tuple[str, str, str]:
    reference = reference_day(header, rel, committed=COMMIT, modified=MTIME, now=NOW, **more)  # type: ignore[arg-type]  # zone only
    assert isinstance(reference, Reference)
    return reference.day.isoformat(), reference.source, str(reference.named)


def test_the_header_comes_first_in_this_order() -> None:
    header = {"created": "2026-01-01", "updated": "2026-01-02", "modified": "2026-01-03"}
    assert found(header) == ("2026-01-03", "header", "`modified` in the header")
    del header["modified"]
    assert found(header, "2026-02-01.md") == ("2026-01-02", "header", "`updated` in the header")
    del header["updated"]
    assert found(header) == ("2026-01-01", "header", "`created` in the header")


@pytest.mark.parametrize("value", ["2026-03-05T20:50:45.912Z", "2026-03-05 20:50", "2026/03/05", "2026-3-5"])
def test_forms_of_header_dates(value: str) -> None:
    assert found({"modified": value})[0] == "2026-03-05"


def test_times_are_days_where_the_person_is() -> None:
    assert found({"modified": "2026-03-05T20:50:45Z"}, zone=EAST)[0] == "2026-03-06"
    assert found({"modified": "2026-03-05"}, zone=EAST)[0] == "2026-03-05"
    assert found({}, zone=EAST)[0] == "2026-02-03"


def test_an_unreadable_header_date_is_passed_over() -> None:
    assert found({"modified": "last week", "created": "2026-01-01"})[0] == "2026-01-01"
    assert found({"modified": "2026-13-45"}) == ("2026-02-02", "commit", "the last commit of this file")


def test_then_the_file_name_then_commit_then_file_time_then_now() -> None:
    assert found({}, "notes/2026-01-15_freeze.md") == ("2026-01-15", "file-name", "the date in the file name")
    assert found({}) == ("2026-02-02", "commit", "the last commit of this file")
    by_time = reference_day({}, "a.md", modified=MTIME, now=NOW)
    assert by_time is not None
    assert (by_time.day, by_time.source, str(by_time.named)) == (
        date(2026, 2, 3),
        "file-time",
        "the time of the file",
    )
    new = reference_day({}, "a.md", now=NOW)
    assert new is not None
    assert (new.day, new.source) == (date(2026, 3, 11), "now")
    assert reference_day({}, "a.md") is None


def test_only_header_and_file_name_are_stated_by_the_memory() -> None:
    for header, rel, stated in (
        ({"modified": "2026-01-01"}, "a.md", True),
        ({}, "a_2026-01-01.md", True),
        ({}, "a.md", False),
    ):
        reference = reference_day(header, rel, modified=MTIME)
        assert reference is not None
        assert reference.stated is stated


@pytest.mark.parametrize(
    ("rel", "day"),
    [
        ("project_2026-03-05.md", "2026-03-05"),
        ("2026-03-05-freeze.md", "2026-03-05"),
        ("freeze_20260305.md", "2026-03-05"),
        ("freeze_2026_03_05.md", "2026-03-05"),
        ("logs/2026/03/2026-03-05.md", "2026-03-05"),
        ("2026-03-01_to_2026-03-05.md", "2026-03-05"),
        ("2026-02-30.md", None),
        ("2026-13-01.md", None),
        ("123202603051.md", None),
        ("2026-03.md", None),
        ("2026-03-05/notes.md", None),
        ("project_freeze.md", None),
    ],
)
def test_dates_in_names(rel: str, day: str | None) -> None:
    assert date_in_name(rel) == (date.fromisoformat(day) if day else None)


def test_the_ends_of_the_calendar() -> None:
    reference = reference_day(
        {"modified": "0001-01-01T00:00:00Z"}, "a.md", zone=timezone(-timedelta(hours=9))
    )
    assert reference is not None
    assert reference.day == date(1, 1, 1)


def test_the_source_speaks_chinese() -> None:
    reference = reference_day({"modified": "2026-01-01"}, "a.md")
    assert reference is not None
    assert render(reference.named, "zh-cn") == "头部的 `modified`"
