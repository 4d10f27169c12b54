"""When a memory was written: what its header says, else the time of its file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Literal, TypeAlias

from memdir.core.document import Document
from memdir.core.lazy_re import lazy

WrittenBy: TypeAlias = Literal["modified", "updated", "created", "mtime"]
DATE_KEYS: tuple[Literal["modified", "updated", "created"], ...] = ("modified", "updated", "created")
_DATE = lazy(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T\s])")


@dataclass(frozen=True, slots=True)
class Written:
    """`at` is aware; `source` says where it comes from; `day_only` that only a day is known."""

    at: datetime
    source: WrittenBy
    day_only: bool = False


def written(document: Document, zone: tzinfo | None = None) -> Written | None:
    """When the memory was last written; None when neither header nor file tells.

    `modified`, `updated` and `created` of the header come first, in this order, at the top level or under `metadata:`.
    A day without a time counts in `zone` (default UTC), as does a time without an offset.
    """
    header = document.frontmatter
    if header is not None:
        for key in DATE_KEYS:
            value = header.get(key)
            if value and (found := parse_time(value, zone)) is not None:
                return Written(found[0], key, found[1])
    if document.mtime is None:
        return None
    try:
        return Written(datetime.fromtimestamp(document.mtime, zone or UTC), "mtime")
    except (OverflowError, OSError, ValueError):
        return None


def parse_time(value: str, zone: tzinfo | None = None) -> tuple[datetime, bool] | None:
    """(aware time, whether only the day is given) of an ISO date or time as found in headers; None for anything else."""
    value = value.strip()
    m = _DATE.match(value)
    if m is None:
        return None
    try:
        if m.end() == len(value) and value[-1].isdigit():
            return datetime(int(m[1]), int(m[2]), int(m[3]), tzinfo=zone or UTC), True
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=zone or UTC)), False
