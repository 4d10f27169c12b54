"""Dates that a text writes out, in the forms of all our languages: what a deadline is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from memdir.core.dates import calendar
from memdir.core.dates.detect import LANGUAGES, language
from memdir.core.lazy_re import lazy
from memdir.core.model import Span

# Every form holds a year of our time, so texts without one cost a search for two characters.
_YEAR = r"(?:19|20)\d\d"
_NAME = r"[^\W\d_]{3,10}"
_FORMS = lazy(
    "(?<![A-Za-z0-9_.-])(?:"
    + "|".join(
        (
            rf"(?P<iso>(?P<iy>{_YEAR})[-/.](?P<im>\d{{1,2}})[-/.](?P<id>\d{{1,2}}))(?![A-Za-z0-9_/-]|\.\d)",
            rf"(?P<dmy>(?P<dd>\d{{1,2}})\.(?P<dm>\d{{1,2}})\.(?P<dy>{_YEAR}))(?![A-Za-z0-9_]|\.\d)",
            rf"(?P<han>(?P<hy>{_YEAR})\s?[年년]\s?(?P<hm>\d{{1,2}})\s?[月월](?:份|\s?(?P<hd>\d{{1,2}})\s?[日号號일])?)",
            rf"(?P<mdy>(?P<mn>{_NAME})\.?\s+(?P<md>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<my>{_YEAR}))(?![A-Za-z0-9_])",
            rf"(?P<named>(?P<nd>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:de\s+)?(?P<nn>{_NAME})\.?,?\s+(?:de[l]?\s+)?(?P<ny>{_YEAR}))(?![A-Za-z0-9_])",
            rf"(?P<month>(?P<on>{_NAME})\.?\s+(?:de\s+)?(?P<oy>{_YEAR}))(?![A-Za-z0-9_-])",
            rf"(?P<ym>(?P<ey>{_YEAR})-(?P<em>0[1-9]|1[0-2]))(?![A-Za-z0-9_-])",
            rf"(?P<quarter>[QT](?P<q1>[1-4])\s?/?\s?(?P<qy>{_YEAR})|(?P<ry>{_YEAR})\s?-?[QT](?P<q2>[1-4]))(?![A-Za-z0-9_])",
        )
    )
    + ")"
)


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A written date; a month or quarter has its first and last day."""

    span: Span
    first: date
    last: date


def written_dates(text: str) -> Iterator[WrittenDate]:
    """Written dates with a year, in order; what is no date of the calendar is passed over."""
    for start, end in _windows(text):
        for match in _FORMS.finditer(text, start, end):
            try:
                days = _days(match)
            except ValueError:
                continue
            if days is not None:
                yield WrittenDate(Span(match.start(), match.end()), days.first, days.last)


# Of a form, what may stand before its year (a day and the name of a month) and after it.
_BEFORE, _AFTER = 64, 32
_YEARS = lazy(r"[12][90]\d\d")


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Stretches around the years, merged."""
    if "20" not in text and "19" not in text:
        return
    start = end = -1
    for year in _YEARS.finditer(text):
        if year.start() - _BEFORE > end:
            if end >= 0:
                yield start, end
            start = max(0, year.start() - _BEFORE)
        end = min(len(text), year.end() + _AFTER)
    if end >= 0:
        yield start, end


def _days(match: re.Match[str]) -> calendar.Days | None:
    g = match.groupdict()
    if g["iso"]:
        return _day(g["iy"], int(g["im"]), g["id"])
    if g["dmy"]:
        return _day(g["dy"], int(g["dm"]), g["dd"])
    if g["han"]:
        return _day(g["hy"], int(g["hm"]), g["hd"])
    if g["ym"]:
        return _day(g["ey"], int(g["em"]), None)
    if g["quarter"]:
        year, quarter = int(g["qy"] or g["ry"]), int(g["q1"] or g["q2"])
        return calendar.period(date(year, 3 * quarter, 1), "quarter", 0)
    name, year_text, day = next(
        (g[n], g[y], g[d] if d else None)
        for n, y, d in (("mn", "my", "md"), ("nn", "ny", "nd"), ("on", "oy", ""))
        if g[n]
    )
    month = month_names().get(name.lower())
    return None if month is None else _day(year_text, month, day)


def _day(year: str, month: int, day: str | None) -> calendar.Days:
    first = date(int(year), month, int(day or 1))
    return calendar.Days(first, first) if day else calendar.period(first, "month", 0)


@lru_cache(maxsize=1)
def month_names() -> dict[str, int]:
    """Month names of all languages and their short forms of three and four letters, as far as these are unambiguous."""
    names: dict[str, int] = {}
    for code in LANGUAGES:
        names |= {
            n: int(m) for n, m in language(code).slots.get("month", {}).items() if n.isalpha() and len(n) > 2
        }
    short: dict[str, set[int]] = {}
    for name, month in names.items():
        for length in (3, 4):
            short.setdefault(name[:length], set()).add(month)
    return {**{s: min(months) for s, months in short.items() if len(months) == 1}, **names}
