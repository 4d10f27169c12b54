"""What `find` gives: a relative date in a text and the days it means."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from memdir.core.model import Span

Period: TypeAlias = Literal["day", "week", "weekend", "month", "quarter", "half", "year", "range"]

# day: a named day. offset: n units from today. window: the n units up to (or from) today. period: a calendar unit.
# half: the first or second half of a year. end: the last days of a period. weekday, month, monthday: one of a week,
# of a year, of a month. vague: no date.
Kind: TypeAlias = Literal[
    "day", "offset", "window", "period", "half", "end", "weekday", "month", "monthday", "vague"
]


@dataclass(frozen=True, slots=True)
class DateHit:
    """A relative date. `earliest` and `latest` are inclusive days, None for a vague one ("recently").

    `period` names the unit that the words mean ("range" for "the past two weeks"), None when vague. `exact` is True
    when the words leave no choice of day or period ("a few days ago", "next Friday" said on a Wednesday, and anything
    counted in months do). `kind` is the sort of rule that found it, `direction` -1 past, 1 future, 0 neither.
    """

    span: Span
    text: str
    earliest: date | None
    latest: date | None
    lang: str
    period: Period | None
    exact: bool
    kind: Kind
    direction: int = 0
