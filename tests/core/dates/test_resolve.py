"""Days that words mean, from several reference days: week ends, leap years, the turn of the year."""

from __future__ import annotations

from datetime import date

import pytest

from memdir.core.dates import calendar, find
from memdir.core.dates.numbers import chinese, read

WEDNESDAY = date(2026, 3, 11)


def days(text: str, reference: date) -> tuple[str, str]:
    (hit,) = find(text, reference)
    assert hit.earliest is not None
    assert hit.latest is not None
    return hit.earliest.isoformat(), hit.latest.isoformat()


@pytest.mark.parametrize(
    ("text", "reference", "first", "last"),
    [
        ("It ships tomorrow.", "2024-02-28", "2024-02-29", "2024-02-29"),
        ("It ships tomorrow.", "2025-12-31", "2026-01-01", "2026-01-01"),
        ("It broke last month.", "2026-01-31", "2025-12-01", "2025-12-31"),
        ("It ships next month.", "2026-01-31", "2026-02-01", "2026-02-28"),
        ("It broke a month ago.", "2026-03-31", "2026-02-28", "2026-02-28"),
        ("It broke last quarter.", "2026-02-01", "2025-10-01", "2025-12-31"),
        ("It ships next quarter.", "2026-11-30", "2027-01-01", "2027-03-31"),
        (
            "It broke last week.",
            "2026-03-08",
            "2026-02-23",
            "2026-03-01",
        ),  # a Sunday belongs to the week before
        ("It broke last week.", "2026-03-09", "2026-03-02", "2026-03-08"),
        ("It ships this weekend.", "2026-03-15", "2026-03-14", "2026-03-15"),
        (
            "It ships on Wednesday.",
            "2026-03-11",
            "2026-03-18",
            "2026-03-18",
        ),  # today is not called by its name
        ("It broke on Wednesday.", "2026-03-11", "2026-03-04", "2026-03-04"),
        ("It broke last Wednesday.", "2026-03-11", "2026-03-04", "2026-03-04"),
        ("It ships this Wednesday.", "2026-03-11", "2026-03-11", "2026-03-11"),
        ("It ships next Thursday.", "2026-03-11", "2026-03-19", "2026-03-19"),
        ("It ships next Tuesday.", "2026-03-13", "2026-03-17", "2026-03-17"),
        ("It ships Monday next week.", "2026-03-11", "2026-03-16", "2026-03-16"),
        ("It ships by the end of the year.", "2026-03-11", "2026-12-31", "2026-12-31"),
        ("It ships by the end of the week.", "2026-03-11", "2026-03-13", "2026-03-15"),
        ("He left last December.", "2026-12-05", "2025-12-01", "2025-12-31"),
        ("He left last March.", "2026-03-11", "2025-03-01", "2025-03-31"),
        ("He starts next March.", "2026-03-11", "2027-03-01", "2027-03-31"),
        ("It broke half a year ago.", "2026-08-31", "2026-02-28", "2026-02-28"),
        ("It ships in 1.5 years.", "2026-03-11", "2027-09-11", "2027-09-11"),
        ("上周四改了配置。", "2026-03-08", "2026-02-26", "2026-02-26"),
        ("下周一上线。", "2026-03-08", "2026-03-09", "2026-03-09"),
        ("周日修复了。", "2026-03-11", "2026-03-08", "2026-03-08"),
        ("上个月31号签的合同。", "2026-02-10", "2026-01-31", "2026-01-31"),
        ("去年2月29日发布过。", "2025-03-01", "2024-02-29", "2024-02-29"),
        ("下半年启动。", "2026-09-01", "2026-07-01", "2026-12-31"),
        ("十五天前改的。", "2026-03-11", "2026-02-24", "2026-02-24"),
        ("二十三天前改的。", "2026-03-11", "2026-02-16", "2026-02-16"),
        ("両社は来月5日に契約する。", "2026-12-20", "2027-01-05", "2027-01-05"),
        ("다음 달 5일에 계약한다.", "2026-12-20", "2027-01-05", "2027-01-05"),
        ("Das Audit ist übernächste Woche.", "2026-03-11", "2026-03-23", "2026-03-29"),
        ("La démo a lieu jeudi prochain.", "2026-03-12", "2026-03-19", "2026-03-19"),
        ("La demo será en marzo próximo.", "2026-03-12", "2027-03-01", "2027-03-31"),
    ],
)
def test_days(text: str, reference: str, first: str, last: str) -> None:
    assert days(text, date.fromisoformat(reference)) == (first, last)


@pytest.mark.parametrize("text", ["上个月31号签的合同。", "去年2月29日发布过。"])
def test_a_day_that_does_not_exist_is_no_hit(text: str) -> None:
    assert find(text, date(2026, 3, 11)) == []


def test_periods() -> None:
    assert calendar.period(WEDNESDAY, "week", 0) == (date(2026, 3, 9), date(2026, 3, 15))
    assert calendar.period(WEDNESDAY, "weekend", -1) == (date(2026, 3, 7), date(2026, 3, 8))
    assert calendar.period(WEDNESDAY, "month", 10) == (date(2027, 1, 1), date(2027, 1, 31))
    assert calendar.period(WEDNESDAY, "quarter", -1) == (date(2025, 10, 1), date(2025, 12, 31))
    assert calendar.period(WEDNESDAY, "half", 1) == (date(2026, 7, 1), date(2026, 12, 31))
    assert calendar.period(WEDNESDAY, "year", 1) == (date(2027, 1, 1), date(2027, 12, 31))
    assert calendar.period(WEDNESDAY, "day", -1) == (date(2026, 3, 10), date(2026, 3, 10))


def test_months_are_clamped() -> None:
    assert calendar.add_months(date(2024, 3, 31), -1) == date(2024, 2, 29)
    assert calendar.add_months(date(2026, 1, 31), 13) == date(2027, 2, 28)
    assert calendar.offset(date(2026, 3, 11), "month", -1.5) == date(2026, 1, 27)
    assert calendar.offset(date(2026, 3, 11), "hour", -5) == date(2026, 3, 11)
    assert calendar.offset(date(2026, 3, 11), "fortnight", 1) == date(2026, 3, 25)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", 10),
        ("十五", 15),
        ("二十", 20),
        ("二十三", 23),
        ("三百", 300),
        ("两", 2),
        ("〇", 0),
        ("百二十", 120),
        ("x", None),
    ],
)
def test_chinese_numerals(text: str, value: int | None) -> None:
    assert chinese(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", (3, False)),
        ("３", (3, False)),
        ("1.5", (1.5, False)),
        ("2-3", (2.5, True)),
        ("two", (2, False)),
        ("²", None),
    ],
)
def test_numbers(text: str, value: tuple[float, bool] | None) -> None:
    assert read(text, {"two": 2}) == value
