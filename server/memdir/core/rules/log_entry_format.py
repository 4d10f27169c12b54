"""`log-entry-format`: lines of a daily log that are no timestamped bullets."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.daily_log import badly_formed
from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    lines = list(badly_formed(document.body))
    if not lines:
        return
    first = document.lines.line_of(document.body_start) + lines[0]
    message = (
        msg("This line is no entry. An entry is “- HH:MM what happened”; further lines are indented.")
        if len(lines) == 1
        else msg(
            "{count} lines from here on are no entries. An entry is “- HH:MM what happened”; further lines are indented.",
            count=len(lines),
        )
    )
    yield Finding(document.lines.span(first), message)


RULE = Rule(
    name="log-entry-format",
    severity=Severity.INFORMATION,
    summary=msg("A daily log has lines that are no timestamped bullets."),
    rationale=msg(
        "Each entry of a log is one bullet with its time, so that consolidation can tell events and their order, and "
        "quote the one it draws on. Free text in between has neither. One finding covers a whole file."
    ),
    check=check,
    kinds=frozenset({"log"}),
    examples=(
        Example(
            "logs/2026/03/2026-03-10.md",
            bad="- 09:12 the import of February failed again\nno reply from the provider\n",
            good="- 09:12 the import of February failed again\n  no reply from the provider\n- 14:05 it works since the new key\n",
        ),
    ),
)
