"""`contradicts-team`: a private feedback that may say the opposite of a team feedback."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import header_span
from memdir.core.i18n import msg
from memdir.core.model import Finding, Related, Severity, Span
from memdir.core.rule import Context, Example, Reads, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    if (
        document.type != "feedback"
        or document.scope != "private"
        or "team/MEMORY.md" not in context.directory
    ):
        return
    from memdir.core.contradiction import statement_of, team_feedback

    found = team_feedback(context.directory).against(document)
    if not found:
        return
    header = document.frontmatter
    field = header.find("description") if header else None
    yield Finding(
        field.value_span if field and document.description else header_span(document),
        msg(
            "This may contradict the team's {file}. Read both: a private exception should say that it is one.",
            file=found[0].rel,
        ),
        (),
        tuple(
            Related(d.path, Span(0, 0), msg("The team says: {text}", text=statement_of(d).split("\n")[0]))
            for d in found
        ),
    )


_HEAD = "---\nname: {name}\ndescription: {text}\ntype: feedback\n---\n{text}.\n"

RULE = Rule(
    name="contradicts-team",
    severity=Severity.HINT,
    summary=msg("A private feedback may contradict one of the team."),
    rationale=msg(
        "Both indexes are loaded, and an agent that reads two rules which exclude each other follows either. The check "
        "compares words: two feedback memories on one subject of which only one negates. It is a candidate, not a verdict, "
        "and says nothing about which of them is right."
    ),
    check=check,
    reads=Reads.DIRECTORY,
    examples=(
        Example(
            "feedback_mocks.md",
            bad=_HEAD.format(
                name="Mocks in database tests", text="Use mocks for the database in integration tests"
            ),
            good=_HEAD.format(name="Short answers", text="Stop after the answer, without a summary"),
            files={
                "MEMORY.md": "",
                "team/MEMORY.md": "- [Database tests](feedback_db.md)\n",
                "team/feedback_db.md": _HEAD.format(
                    name="Database tests", text="Never use mocks for the database in integration tests"
                ),
            },
        ),
    ),
)
