"""Written dates, and which of them are deadlines."""

from __future__ import annotations

from datetime import date

import pytest

from memdir.core.dates.deadlines import find_deadlines
from memdir.core.dates.written import month_names, written_dates


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-03-05", "2026-03-05", "2026-03-05"),
        ("2026/3/5", "2026-03-05", "2026-03-05"),
        ("2026.03.05", "2026-03-05", "2026-03-05"),
        ("5.3.2026", "2026-03-05", "2026-03-05"),
        ("March 5, 2026", "2026-03-05", "2026-03-05"),
        ("Mar 5th 2026", "2026-03-05", "2026-03-05"),
        ("5 March 2026", "2026-03-05", "2026-03-05"),
        ("Sept. 5, 2026", "2026-09-05", "2026-09-05"),
        ("5. März 2026", "2026-03-05", "2026-03-05"),
        ("1er août 2026", "2026-08-01", "2026-08-01"),
        ("5 de marzo de 2026", "2026-03-05", "2026-03-05"),
        ("2026年3月5日", "2026-03-05", "2026-03-05"),
        ("2026 年 3 月", "2026-03-01", "2026-03-31"),
        ("2026년 3월 5일", "2026-03-05", "2026-03-05"),
        ("March 2026", "2026-03-01", "2026-03-31"),
        ("2026-02", "2026-02-01", "2026-02-28"),
        ("Q2 2026", "2026-04-01", "2026-06-30"),
        ("2026-Q4", "2026-10-01", "2026-12-31"),
    ],
)
def test_written_dates(text: str, first: str, last: str) -> None:
    (found,) = written_dates(f"({text}) it was")
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "2026-13-01",
        "2026-02-30",
        "v2026.1.2.3",
        "12026-03-05",
        "2026-03-05-hotfix",
        "Room 2026",
        "Chapter 5 2026",
        "2026.12",
        "x-2026-03-05",
    ],
)
def test_no_dates(text: str) -> None:
    assert list(written_dates(text)) == []


def test_month_names_are_unambiguous() -> None:
    names = month_names()
    assert (names["mar"], names["mai"], names["ago"], names["dez"], names["february"]) == (3, 5, 8, 12, 2)
    assert "jui" not in names  # juin or juillet


DEADLINES = [
    ("Merging is frozen until 2026-03-05.", "until 2026-03-05"),
    ("Version 1 stays until 2026-03-01, the day Lindau moves.", "until 2026-03-01"),
    ("Ship the SDK by March 5, 2026.", "by March 5, 2026"),
    ("The audit report is due 2026-02-28.", "due 2026-02-28"),
    ("Due: 2026-02-28", "Due: 2026-02-28"),
    ("Certificate expires on 2026-01-31.", "expires on 2026-01-31"),
    ("Contract ends March 2026.", "ends March 2026"),
    ("Migration planned for Q1 2025.", "planned for Q1 2025"),
    ("Beta launches on Feb 3, 2026.", "launches on Feb 3, 2026"),
    ("Freeze was extended until 2026-03-05.", "until 2026-03-05"),
    ("Support for v1 valid through 2026-03-01", "valid through 2026-03-01"),
    ("合并冻结到2026年3月5日。", "冻结到2026年3月5日"),
    ("请在2026-03-05之前提交。", "2026-03-05之前"),
    ("截止日期：2026-03-05", "截止日期：2026-03-05"),
    ("合同2026年2月28日到期。", "2026年2月28日到期"),
    ("計劃於2026-03-01上線新版。", "計劃於2026-03-01上線"),
    ("2026年3月5日までに提出する。", "2026年3月5日まで"),
    ("期限：2026-03-05", "期限：2026-03-05"),
    ("2026년 3월 5일까지 제출한다.", "2026년 3월 5일까지"),
    ("마감일: 2026-03-05", "마감일: 2026-03-05"),
    ("Merge-Stopp bis 05.03.2026.", "bis 05.03.2026"),
    ("Fällig am 5. März 2026.", "Fällig am 5. März 2026"),
    ("Le gel dure jusqu'au 5 mars 2026.", "jusqu'au 5 mars 2026"),
    ("Date limite : 2026-03-05", "Date limite : 2026-03-05"),
    ("La congelación dura hasta el 5 de marzo de 2026.", "hasta el 5 de marzo de 2026"),
    ("Vence el 2026-03-05.", "Vence el 2026-03-05"),
]


@pytest.mark.parametrize(("text", "words"), DEADLINES, ids=[d[0] for d in DEADLINES])
def test_deadlines(text: str, words: str) -> None:
    (found,) = find_deadlines(text)
    assert found.words == words
    assert text[found.span.start : found.span.end] in words
    assert found.last < date(2026, 4, 1)


@pytest.mark.parametrize(
    "text",
    [
        "Decided on 2026-03-01 to keep Postgres.",
        "Shipped by 2026-03-01 as promised.",
        "As of 2026-03-05 headcount is 42.",
        "We used Jenkins until 2026-01-10.",
        "Release 4.2 shipped on 2025-11-30.",
        "- [x] Audit report due 2026-02-28",
        "- 2026-03-02: froze the branch.",
        "Measured 2026-02-01 on staging.",
        "`until 2026-03-05` is an example.",
        "> frozen until 2026-03-05",
        "[freeze until 2026-03-05](x.md)",
        "The log covers 2026-01-01 to 2026-02-01.",
        "Version 2025.12.1 is pinned.",
        "截至2026-03-05，人数为42。",
        "已于2026-03-01完成迁移。",
        "2026-03-01 に決定した。",
        "Am 2026-03-01 beschlossen.",
        "Le 5 mars 2026, nous avons décidé.",
        "Hasta 2026-01-10 era Jenkins.",
    ],
)
def test_no_deadlines(text: str) -> None:
    assert find_deadlines(text) == []


def test_dates_under_a_dated_heading_count() -> None:
    (found,) = find_deadlines("## 2026-02-20 Freeze\n\nFrozen until 2026-03-05.\n")
    assert found.last == date(2026, 3, 5)
