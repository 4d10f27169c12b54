"""From a matched rule and the values of its slots to days. Shared by all languages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple, cast

from memdir.core.dates import calendar
from memdir.core.dates.hit import Period
from memdir.core.dates.table import Rule, Unit, Value


class Resolved(NamedTuple):
    """Inclusive days, the period they are, whether the words leave no choice, and the direction (-1, 0, 1)."""

    first: date | None
    last: date | None
    period: Period | None
    exact: bool
    direction: int = 0


def resolve(
    rule: Rule,
    values: Mapping[str, Value],
    reference: date,
    *,
    tense: str = "",
    next_is_next_week: bool = False,
) -> Resolved:
    """Days that the words of `rule` mean, said on `reference`.

    Value "around": the number is approximate ("about three"); "some": it is a guess ("a few"). `tense`: "past", "future" or "" of the sentence. Raises ValueError or
    OverflowError when the result leaves the calendar.
    """
    shift = int(values.get("which", rule.shift or 0))
    if rule.kind == "vague":
        return Resolved(None, None, None, False, shift)
    if rule.kind == "day":
        day = reference + timedelta(int(values.get("day", rule.shift or 0)))
        return Resolved(day, day, "day", True)
    if rule.kind == "offset":
        return _offset(rule, values, reference)
    if rule.kind == "window":
        return _window(rule, values, reference)
    if rule.kind == "weekday":
        weekday = int(values["weekday"])
        if rule.unit == "week":  # the words name a calendar week: "Monday next week"
            day = calendar.weekday_of(reference, weekday, shift)
            return Resolved(day, day, "day", True)
        return _weekday(weekday, None if rule.shift is None else shift, reference, tense, next_is_next_week)
    if rule.kind == "month":
        days = (calendar.named_month if rule.shift is None else calendar.month_of)(
            reference, int(values["month"]), shift
        )
        if "dom" in values:
            day = days.first.replace(day=int(values["dom"]))
            return Resolved(day, day, "day", True)
        return Resolved(days.first, days.last, "month", True)
    if rule.kind == "monthday":
        day = calendar.period(reference, "month", shift).first.replace(day=int(values["dom"]))
        return Resolved(day, day, "day", True)
    if rule.kind == "half":
        first = date(reference.year + int(values.get("which", 0)), 1 if rule.shift == 1 else 7, 1)
        return Resolved(first, calendar.period(first, "half", 0).last, "half", True)
    unit = cast(Unit, values.get("period", rule.unit or "day"))
    name = cast(Period, "week" if unit == "fortnight" else unit)
    if rule.kind == "end":
        days = calendar.end(reference, unit, shift)
        return Resolved(days.first, days.last, "day" if days.first == days.last else name, False, 1)
    days = calendar.period(reference, unit, shift)
    return Resolved(days.first, days.last, name, True)


def _offset(rule: Rule, values: Mapping[str, Value], reference: date) -> Resolved:
    sign = -1 if (rule.shift or 0) < 0 else 1
    unit = cast(Unit, values.get("unit", rule.unit or "day"))
    count = float(values.get("n", 1)) + float(values.get("half", 0))
    day = calendar.offset(reference, unit, sign * count)
    if "some" in values and count > 2 and unit in ("day", "week"):
        ends = (
            calendar.offset(reference, unit, sign * (count - 1)),
            calendar.offset(reference, unit, sign * (count + 1)),
        )
        return Resolved(min(ends), max(ends), "range", False, sign)
    return Resolved(
        day,
        day,
        "day",
        not _approximate(values) and unit in ("minute", "hour", "day", "week", "fortnight"),
        sign,
    )


def _window(rule: Rule, values: Mapping[str, Value], reference: date) -> Resolved:
    sign = -1 if (rule.shift or 0) < 0 else 1
    unit = cast(Unit, values.get("unit", rule.unit or "day"))
    edge = calendar.offset(reference, unit, sign * float(values.get("n", 1)))
    return Resolved(min(edge, reference), max(edge, reference), "range", not _approximate(values), sign)


def _weekday(
    weekday: int, shift: int | None, reference: date, tense: str, next_is_next_week: bool
) -> Resolved:
    if shift is None:  # bare: the tense decides; without one the next to come is meant
        day = (calendar.weekday_before if tense == "past" else calendar.weekday_after)(reference, weekday)
        return Resolved(day, day, "day", bool(tense))
    if shift == 0:
        day = calendar.weekday_of(reference, weekday, shift)
        return Resolved(day, day, "day", True)
    if shift < 0:
        day = calendar.weekday_before(reference, weekday)
        return Resolved(day, day, "day", weekday >= reference.weekday())
    soonest = calendar.weekday_after(reference, weekday)
    in_next_week = calendar.weekday_of(reference, weekday, 1)
    day = in_next_week if next_is_next_week else soonest
    return Resolved(day, day, "day", soonest == in_next_week)


def _approximate(values: Mapping[str, Value]) -> bool:
    return "around" in values or "some" in values
