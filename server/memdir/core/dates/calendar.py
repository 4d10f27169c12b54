"""Calendar arithmetic of relative dates. Days are inclusive; weeks start on Monday (ISO 8601).

Every function raises `OverflowError` or `ValueError` when the result leaves the years 1..9999; the grammar drops such hits.
"""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import NamedTuple

from memdir.core.dates.table import Unit


class Days(NamedTuple):
    """First and last day."""

    first: date
    last: date


def add_months(day: date, months: int) -> date:
    """The same day of another month; the last of that month when it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def period(day: date, unit: Unit, shift: int) -> Days:
    """The calendar week, weekend, month, quarter, half or year that lies `shift` units from the one of `day`."""
    if unit in ("week", "fortnight"):
        first = day + timedelta(7 * shift - day.weekday())
        return Days(first, first + timedelta(6))
    if unit == "weekend":
        first = day + timedelta(7 * shift + 5 - day.weekday())
        return Days(first, first + timedelta(1))
    if unit == "year":
        return Days(date(day.year + shift, 1, 1), date(day.year + shift, 12, 31))
    months = {"month": 1, "quarter": 3, "half": 6}.get(unit)
    if months is None:  # a day, or less
        return Days(day + timedelta(shift), day + timedelta(shift))
    first = add_months(date(day.year, (day.month - 1) // months * months + 1, 1), months * shift)
    return Days(first, add_months(first, months) - timedelta(1))


def offset(day: date, unit: Unit, count: float) -> date:
    """The day `count` units from `day`; hours and minutes stay on the day, half months are 15 days."""
    if unit in ("hour", "minute"):
        return day
    if unit in ("day", "week", "weekend", "fortnight"):
        return day + timedelta(round(count * {"day": 1, "fortnight": 14}.get(unit, 7)))
    months = count * {"month": 1, "quarter": 3, "half": 6}.get(unit, 12)
    whole = int(months)
    return add_months(day, whole) + timedelta(round((months - whole) * 30))


def end(day: date, unit: Unit, shift: int) -> Days:
    """The last days of a period: Friday to Sunday of a week, the last day of anything longer."""
    found = period(day, unit, shift)
    return Days(found.last - timedelta(2), found.last) if unit == "week" else Days(found.last, found.last)


def weekday_after(day: date, weekday: int) -> date:
    """The next such weekday after `day`, which itself does not count."""
    return day + timedelta((weekday - day.weekday() - 1) % 7 + 1)


def weekday_before(day: date, weekday: int) -> date:
    """The last such weekday before `day`, which itself does not count."""
    return day - timedelta((day.weekday() - weekday - 1) % 7 + 1)


def weekday_of(day: date, weekday: int, shift: int) -> date:
    """The weekday of the calendar week that lies `shift` weeks from that of `day`."""
    return day + timedelta(7 * shift + weekday - day.weekday())


def month_of(day: date, month: int, shift: int) -> Days:
    """A named month of the year that lies `shift` years from that of `day`."""
    first = date(day.year + shift, month, 1)
    return Days(first, add_months(first, 1) - timedelta(1))


def named_month(day: date, month: int, direction: int) -> Days:
    """The nearest month of that name: the last one before (-1), the next one after (1) or the one of this year (0)."""
    if direction < 0:
        return month_of(day, month, 0 if month < day.month else -1)
    if direction > 0:
        return month_of(day, month, 0 if month > day.month else 1)
    return month_of(day, month, 0)
