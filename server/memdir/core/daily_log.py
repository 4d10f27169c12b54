"""Daily logs: where an entry goes, what it looks like, what a log that only grows means. Text only.

`logs/YYYY/MM/YYYY-MM-DD.md` holds one timestamped bullet per event, in order, never rewritten: consolidation reads it
as a record of what happened (docs/facts/memory-system.md, "Capture behind the agent's back").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from memdir.core.lazy_re import lazy

PATTERN = "logs/YYYY/MM/YYYY-MM-DD.md"
_PATH = lazy(r"(?:team/)?logs/(\d{4})/(\d{2})/(\d{4})-(\d{2})-(\d{2})\.md")
_DATE = lazy(r"(?<!\d)(\d{4})-?(\d{2})-?(\d{2})(?!\d)")
_TIME = r"(?:\d{4}-\d{2}-\d{2}[T ])?(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?(?:\s?[AaPp][Mm])?"
ENTRY = lazy(rf"[-*+] (?:\*\*|\[|`)?{_TIME}(?:\*\*|\]|`)?[:,]?(?:\s|$)")
_CONTROL = lazy(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class LogMark:
    """What a log was once seen to begin with: `size` bytes with this SHA-256."""

    size: int
    sha256: str


class LogHistory(Protocol):
    """What is known of the earlier content of logs."""

    def marks(self, rel: str) -> Sequence[LogMark]:
        """Marks of the log at the relative path, in no order."""
        ...


class NoHistory:
    """Nothing is known, so nothing is claimed."""

    def marks(self, rel: str) -> Sequence[LogMark]:
        return ()


def log_rel(day: date) -> str:
    """Relative path of the log of a day."""
    return f"logs/{day:%Y/%m/%Y-%m-%d}.md"


def log_day(rel: str) -> date | None:
    """The day of a log at its proper path, None for any other path."""
    m = _PATH.fullmatch(rel)
    return _day(m[3], m[4], m[5]) if m and (m[1], m[2]) == (m[3], m[4]) else None


def day_in_name(rel: str) -> date | None:
    """The day that a file name holds anywhere ('standup-2026-03-05.md', '20260305.md')."""
    m = _DATE.search(rel.rsplit("/", 1)[-1])
    return _day(m[1], m[2], m[3]) if m else None


def log_entry(text: str, now: datetime) -> str:
    """`text` as one bullet with the time of `now` and a line break. Further lines are indented below it.

    ValueError when there is no text.
    """
    lines = [
        _CONTROL.sub("", line).rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    kept = [line for line in lines if line.strip()]
    if not kept:
        raise ValueError("an empty log entry")
    first = re.sub(r"^[-*+]\s+", "", kept[0].strip())
    return "".join([f"- {now:%H:%M} {first}\n", *(f"  {line}\n" for line in kept[1:])])


def badly_formed(text: str) -> Iterator[int]:
    """0-based numbers of the lines of a log that are neither entries nor their continuation, headings or comments."""
    inside = fence = False
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n")):
        if line.lstrip().startswith(("```", "~~~")):
            fence = not fence
        if not line.strip() or line.startswith(("#", "<!--")) or fence:
            continue
        if ENTRY.match(line):
            inside = True
        elif not (inside and line[0] in " \t"):
            yield number


def mark(content: bytes) -> LogMark:
    """What `content` is remembered by."""
    import hashlib

    return LogMark(len(content), hashlib.sha256(content).hexdigest())


def kept_until(content: bytes, marks: Sequence[LogMark]) -> int | None:
    """None when every mark still holds (the log only grew); else how many bytes at its start are surely unchanged."""
    if not marks:
        return None
    held = 0
    lost = False
    import hashlib

    digest, at = hashlib.sha256(), 0
    for one in sorted(set(marks), key=lambda m: m.size):
        if one.size > len(content):
            lost = True
            break
        digest.update(content[at : one.size])
        at = one.size
        if digest.hexdigest() == one.sha256:
            held = one.size
        else:
            lost = True
    return held if lost else None


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
