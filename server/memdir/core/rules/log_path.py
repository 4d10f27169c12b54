"""`log-path`: a daily log that is not where logs are looked for."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.daily_log import PATTERN, day_in_name, log_day, log_rel
from memdir.core.document import Document
from memdir.core.fixing import header_span, unsafe
from memdir.core.i18n import msg
from memdir.core.model import Finding, Fix, RenameFile, Safety, Severity
from memdir.core.rule import Context, Reads, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    if log_day(document.rel) is not None:
        return
    day = day_in_name(document.rel)
    if day is None:
        message = msg(
            "{path} is no path of a daily log: they are {pattern}.", path=document.rel, pattern=PATTERN
        )
        yield Finding(header_span(document), message)
        return
    wanted = ("team/" if document.rel.startswith("team/") else "") + log_rel(day)
    message = msg(
        "The log of {day} belongs in {path}, where consolidation looks for it.",
        day=day.isoformat(),
        path=wanted,
    )
    fixes: tuple[Fix, ...] = ()
    if wanted not in context.directory:
        move = RenameFile(document.path, context.directory.path_of(wanted), document.hash)
        fixes = (unsafe(msg("Move it to {path}", path=wanted), move),)
    yield Finding(header_span(document), message, fixes)


RULE = Rule(
    name="log-path",
    severity=Severity.WARNING,
    summary=msg("A daily log is not where logs are looked for."),
    rationale=msg(
        "A log is found by its date: `logs/YYYY/MM/YYYY-MM-DD.md`. The agent's prompt names that pattern instead of a "
        "date, so that it stays the same across midnight, and consolidation reads the logs of the days since it last "
        "ran. A file elsewhere in `logs/` is read by nobody."
    ),
    check=check,
    kinds=frozenset({"log"}),
    reads=Reads.DIRECTORY,
    fix=Safety.UNSAFE,
)
