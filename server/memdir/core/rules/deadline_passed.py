"""`deadline-passed`: a project memory names a deadline that is over."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.age import age_words
from memdir.core.dates.passages import passages
from memdir.core.document import Document
from memdir.core.fixing import type_from_stem
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Reads, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    if (document.type or type_from_stem(document.stem)) != "project":
        return
    if "20" not in document.text and "19" not in document.text:
        return
    from memdir.core.dates.deadlines import find_deadlines

    today = context.now.date()
    for offset, text in passages(document):
        for deadline in find_deadlines(text):
            days = (today - deadline.last).days
            if days < 1:
                continue
            yield Finding(
                deadline.span.shift(offset),
                msg(
                    "“{words}” is over: {date} was {age}. Check whether the memory still holds; then update or remove it.",
                    words=deadline.words,
                    date=deadline.last.isoformat(),
                    age=age_words(days),
                ),
                data={"deadline": deadline.last.isoformat(), "days": days},
            )


RULE = Rule(
    name="deadline-passed",
    severity=Severity.INFORMATION,
    summary=msg("A deadline in a project memory is over."),
    rationale=msg(
        "A project memory says who does what until when. Once the day has passed, “merging is frozen until 2026-03-05” "
        "makes an agent hold back for no reason. A date counts as a deadline when the words beside it say so (“until”, "
        "“by”, “due”, “planned for”, and their like in seven languages); sentences that tell of what is over, code, links "
        "and quotations are left alone. A month or quarter is over after its last day."
    ),
    check=check,
    reads=Reads.CLOCK,
    examples=(
        Example(
            "project_freeze.md",
            bad="---\nname: Merge freeze\ndescription: Merge freeze for the mobile release cut\ntype: project\n---\nMerging is frozen until 2026-03-05.\n",
            good="---\nname: Merge freeze\ndescription: Merge freeze for the mobile release cut\ntype: project\n---\nMerging is frozen until 2026-03-19.\n",
        ),
    ),
)
