"""`memory-stale`: a memory that has not been looked at for long."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.age import age_words, days_old
from memdir.core.document import Document
from memdir.core.fixing import header_span
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Reads, Rule
from memdir.core.staleness import DATE_KEYS, written

_DAY = 86_400


def check(document: Document, context: Context) -> Iterator[Finding]:
    limit = context.settings.stale_days
    header = document.frontmatter
    dated = header is not None and any(header.find(key) for key in DATE_KEYS)
    if not dated and (
        document.mtime is None or context.now.timestamp() - document.mtime < (limit - 1) * _DAY
    ):
        return
    when = written(document, context.now.tzinfo)
    if when is None:
        return
    days = days_old(when.at, context.now)
    if days < limit:
        return
    age = age_words(days)
    message = (
        msg(
            "Last changed {age} (time of the file). What it says of code and dates may be out of date; check before relying on it.",
            age=age,
        )
        if when.source == "mtime"
        else msg(
            "Last changed {age} (`{key}` in the header). What it says of code and dates may be out of date; check before relying on it.",
            age=age,
            key=when.source,
        )
    )
    field = header.find(when.source) if header is not None and when.source != "mtime" else None
    span = field.value_span if field else header_span(document)
    yield Finding(span, message, data={"days": days, "source": when.source})


RULE = Rule(
    name="memory-stale",
    severity=Severity.HINT,
    summary=msg("A memory is old."),
    rationale=msg(
        "A memory says what was seen when it was written. Nothing expires by itself, so from 30 days on (`stale-days`) "
        "its age is shown, in days, because models reason badly about dates and well about “47 days ago”. The age "
        "comes from `modified`, `updated` or `created` in the header, else from the time of the file. Look it over, and "
        "save it again with what still holds."
    ),
    check=check,
    reads=Reads.CLOCK | Reads.DISK,
    examples=(
        Example(
            "project_freeze.md",
            bad="---\nname: Freeze\ndescription: Merge freeze for the mobile release cut\ntype: project\nmodified: 2026-01-23\n---\nMerges wait for the cut.\n",
            good="---\nname: Freeze\ndescription: Merge freeze for the mobile release cut\ntype: project\nmodified: 2026-03-01\n---\nMerges wait for the cut.\n",
        ),
    ),
)
