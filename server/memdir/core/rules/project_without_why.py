"""`project-without-why`: a fact about the project without any motive."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.labels import has_motive
from memdir.core.model import Finding, Severity
from memdir.core.prose import first_line
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    if (
        document.type != "project"
        or has_motive(document.text, document.body_start)
        or context.directory.is_listing(document)
    ):
        return
    yield Finding(
        first_line(document),
        msg("No reason is given: the repository shows what is, a memory should say why (`**Why:**`)."),
    )


RULE = Rule(
    name="project-without-why",
    severity=Severity.HINT,
    summary=msg("A project memory gives no reason."),
    rationale=msg(
        "What the project looks like can be read in the project. What can't be read there is why: who decided it, what it "
        "depends on, when it may change. Two thirds of real project memories have no **Why:** line, but most of them give "
        "the motive in passing, so this hint appears only where no word of a reason is found at all."
    ),
    check=check,
    examples=(
        Example(
            "project_queue.md",
            bad="---\nname: Queue\ndescription: Jobs of the harbour import are rows in PostgreSQL\ntype: project\n---\nJobs are rows in PostgreSQL.\n",
            good="---\nname: Queue\ndescription: Jobs of the harbour import are rows in PostgreSQL\ntype: project\n---\nJobs are rows in PostgreSQL.\n\n**Why:** Nobody on call knows a broker.\n",
        ),
    ),
)
