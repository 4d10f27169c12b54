"""Daily logs gathered: the bullets of finished days, grouped by day in one memory per month, so that they can be recalled.

The logs themselves stay as they are. A bullet that some memory says already is left out, so gathering twice adds nothing.
What needs judgement (what of it is worth a memory of its own) is left to a person or a model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from memdir.core.consolidate.work import Work, topics
from memdir.core.daily_log import ENTRY, log_day
from memdir.core.dates import find
from memdir.core.dates.absolute import absolute
from memdir.core.document import Document
from memdir.core.header_edit import new_header
from memdir.core.i18n import msg
from memdir.core.injection import find_injections
from memdir.core.preservation import normalised, statements
from memdir.core.prose import plain, shorten
from memdir.core.secrets import scan
from memdir.core.text import apply_edits, encode

_MAX_DESCRIPTION = 150


@dataclass(frozen=True, slots=True)
class Bullet:
    """One entry of a log: its first line without bullet and time, and the lines indented below it."""

    day: date
    text: str
    more: tuple[str, ...] = ()


def gather_logs(work: Work, since: date | None = None) -> None:
    """Put the entries of finished days (from `since` on) into the memory of their month, in private and team scope."""
    today = work.context.now.date()
    logs = sorted((d for d in work.directory if d.kind == "log"), key=lambda d: d.rel)
    said = {normalised(s) for d in topics(work) for s in statements(d)} if logs else set()
    months: dict[str, list[Bullet]] = {}
    withheld = 0
    for document in logs:
        day = log_day(document.rel)
        if day is None or day >= today or (since is not None and day < since):
            continue
        folder = "team/" if document.rel.startswith("team/") else ""
        for bullet in bullets(document, day):
            whole = "\n".join((bullet.text, *bullet.more))
            if normalised(bullet.text) in said:
                continue
            if scan(whole) or any(True for _ in find_injections(whole)):
                withheld += 1
                continue
            said.add(normalised(bullet.text))
            months.setdefault(f"{folder}project_log_{day:%Y_%m}.md", []).append(bullet)
    for rel, found in sorted(months.items()):
        _add(work, rel, found)
    if withheld:
        work.notes.append(
            msg(
                "Log entries that hold a secret or text addressed to the agent are not taken over ({count}).",
                count=withheld,
            )
        )


def bullets(document: Document, day: date) -> Iterator[Bullet]:
    """The entries of a log, their relative dates written out as seen from its day."""
    current: list[str] = []
    for line in document.body.replace("\r\n", "\n").split("\n"):
        m = ENTRY.match(line)
        if m is not None:
            if current:
                yield _bullet(day, current)
            current = [line[m.end() :].strip()]
        elif current and line[:1] in " \t" and line.strip():
            current.append(line.strip())
    if current:
        yield _bullet(day, current)


def _bullet(day: date, lines: list[str]) -> Bullet:
    first, *more = [_dated(line, day) for line in lines]
    return Bullet(day, first, tuple(more))


def _dated(text: str, day: date) -> str:
    edits = [e for hit in find(text, day) if hit.exact and (e := absolute(text, hit, day)) is not None]
    return apply_edits(text, edits) if edits else text


def _add(work: Work, rel: str, found: list[Bullet]) -> None:
    days = ", ".join(dict.fromkeys(f"{b.day}" for b in found))
    reason = msg("log entries of {days}, grouped by day: {count}", count=len(found), days=shorten(days, 80))
    present = work.directory.get(rel)
    month = f"{found[0].day:%Y-%m}"
    if present is None:
        about = shorten("; ".join(plain(b.text) for b in found), _MAX_DESCRIPTION - len(month) - 14)
        header = new_header(f"Log of {month}", f"Log of {month}: {about}", "project")
        work.put(rel, encode(f"{header}\n{_sections(found, chr(10))}"), reason)
        return
    newline = present.newline
    text = present.text if present.text.endswith(("\n", "\r")) else present.text + newline
    work.put(rel, encode(f"{text}{newline}{_sections(found, newline)}", present.bom), reason)


def _sections(found: list[Bullet], newline: str) -> str:
    by_day: dict[date, list[Bullet]] = {}
    for bullet in found:
        by_day.setdefault(bullet.day, []).append(bullet)
    parts = []
    for day, members in sorted(by_day.items()):
        lines = [f"## {day}", ""]
        for bullet in members:
            lines += [f"- {bullet.text}", *(f"  {line}" for line in bullet.more)]
        parts.append(newline.join(lines) + newline)
    return newline.join(parts)
