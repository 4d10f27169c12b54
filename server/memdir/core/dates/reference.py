"""The day that a memory's words count from, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Literal, TypeAlias

from memdir.core.i18n import Message, msg
from memdir.core.lazy_re import lazy
from memdir.core.staleness import DATE_KEYS, parse_time

Source: TypeAlias = Literal["header", "file-name", "commit", "file-time", "now"]

_IN_NAME = lazy(r"(?<!\d)((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")


@dataclass(frozen=True, slots=True)
class Reference:
    """`day` is what "today" means; `source` says where it was found, `named` says so in words."""

    day: date
    source: Source
    named: Message

    @property
    def stated(self) -> bool:
        """True when the memory itself states the day; the others change with a copy or a checkout."""
        return self.source in ("header", "file-name")


def reference_day(
    header: Mapping[str, str],
    rel: str,
    *,
    committed: datetime | None = None,
    modified: datetime | None = None,
    now: datetime | None = None,
    zone: tzinfo | None = None,
) -> Reference | None:
    """The reference day of a memory; None when nothing tells.

    `header` maps `modified`, `updated` and `created` to their text, as far as they exist; they count in this order. Then
    come a date in the file name `rel`, the last commit, the file's time, and last `now`, for text that was never saved.
    Times are days in `zone` (default UTC), the place of the person who wrote "today".
    """
    zone = zone or UTC
    for key in DATE_KEYS:
        found = parse_time(header.get(key, ""), zone)
        if found is not None:
            day = found[0].date() if found[1] else _day(found[0], zone)
            return Reference(day, "header", msg("`{key}` in the header", key=key))
    named = date_in_name(rel)
    if named is not None:
        return Reference(named, "file-name", msg("the date in the file name"))
    if committed is not None:
        return Reference(_day(committed, zone), "commit", msg("the last commit of this file"))
    if modified is not None:
        return Reference(_day(modified, zone), "file-time", msg("the time of the file"))
    if now is not None:
        return Reference(_day(now, zone), "now", msg("today, since the file is not saved yet"))
    return None


def date_in_name(rel: str) -> date | None:
    """The last valid date in a file's own name ("2026-03-05", "20260305", "2026_03_05"); None without one."""
    for found in reversed(list(_IN_NAME.finditer(rel.rsplit("/", 1)[-1]))):
        try:
            return date(int(found[1]), int(found[3]), int(found[4]))
        except ValueError:
            continue
    return None


def _day(at: datetime, zone: tzinfo) -> date:
    """The day of a time in `zone`; at the ends of the calendar the day as it is written."""
    try:
        return at.astimezone(zone).date()
    except (OverflowError, ValueError):
        return at.date()
