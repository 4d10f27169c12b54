"""`feedback-without-how-to-apply`: a rule of work that doesn't say when it counts."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.labels import has_how
from memdir.core.model import Finding, Severity
from memdir.core.prose import first_line
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    if (
        document.type != "feedback"
        or has_how(document.text, document.body_start)
        or context.directory.is_listing(document)
    ):
        return
    yield Finding(
        first_line(document),
        msg(
            "Feedback without its use: add a line `**How to apply:**` that says when and where the rule counts."
        ),
    )


RULE = Rule(
    name="feedback-without-how-to-apply",
    severity=Severity.WARNING,
    summary=msg("A feedback memory doesn't say how to apply it."),
    rationale=msg(
        "A correction is given in one situation and is needed in others. **How to apply:** names them: which files, which "
        "kind of task, what to do instead, when to ask. Without it the rule is applied everywhere or nowhere."
    ),
    check=check,
    examples=(
        Example(
            "feedback_real_db.md",
            bad="---\nname: Real database\ndescription: Integration tests must hit a real PostgreSQL\ntype: feedback\n---\nNever mock the database.\n\n**Why:** Mocked tests passed while the migration failed.\n",
            good="---\nname: Real database\ndescription: Integration tests must hit a real PostgreSQL\ntype: feedback\n---\nNever mock the database.\n\n**Why:** Mocked tests passed while the migration failed.\n\n**How to apply:** Use the `db` fixture.\n",
        ),
    ),
)
