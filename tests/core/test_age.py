"""Ages in words, by calendar days in the reader's time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memdir.core.age import age_words, days_old
from memdir.core.i18n import render

NOW = datetime(2026, 3, 11, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "days"),
    [
        (timedelta(0), 0),
        (timedelta(hours=1), 0),
        (timedelta(hours=2), 1),  # 23:30 of the day before: yesterday, though only two hours
        (timedelta(hours=25), 1),
        (timedelta(hours=26), 2),
        (timedelta(days=47), 47),
        (timedelta(days=-3), 0),
    ],
)
def test_days_are_calendar_days(ago: timedelta, days: int) -> None:
    assert days_old((NOW - ago).timestamp(), NOW) == days
    assert days_old(NOW - ago, NOW) == days


def test_time_zone_of_now_decides() -> None:
    tokyo = NOW.astimezone(timezone(timedelta(hours=9)))
    assert days_old(NOW - timedelta(hours=2), tokyo) == 0


@pytest.mark.parametrize("value", [1e30, -1e30, float("inf"), float("nan")])
def test_impossible_times_count_as_today(value: float) -> None:
    assert days_old(value, NOW) == 0


def test_words() -> None:
    assert [str(age_words(n)) for n in (0, 1, 2, 47)] == ["today", "yesterday", "2 days ago", "47 days ago"]
    assert [render(age_words(n), "zh-cn") for n in (0, 1, 47)] == ["今天", "昨天", "47 天前"]
