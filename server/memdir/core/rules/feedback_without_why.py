"""`feedback-without-why`: a rule of work without its reason."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.labels import has_why
from memdir.core.model import Finding, Severity
from memdir.core.prose import first_line
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    if (
        document.type != "feedback"
        or has_why(document.text, document.body_start)
        or context.directory.is_listing(document)
    ):
        return
    yield Finding(
        first_line(document),
        msg(
            "Feedback without a reason: add a line `**Why:**`, so that the agent can judge cases the rule doesn't name."
        ),
    )


RULE = Rule(
    name="feedback-without-why",
    severity=Severity.WARNING,
    summary=msg("A feedback memory gives no reason."),
    rationale=msg(
        "A feedback memory is a rule, its reason (**Why:**) and its use (**How to apply:**). Without the reason an agent "
        "can only follow the rule to the letter or drop it; with it, it can tell whether the rule is meant for the case at "
        "hand, and a later reader can tell whether it still holds. 94 % of real feedback memories carry both lines. A "
        "heading, a bold label or a word before a colon will do, in any of a dozen languages."
    ),
    check=check,
    examples=(
        Example(
            "feedback_real_db.md",
            bad="---\nname: Real database\ndescription: Integration tests must hit a real PostgreSQL\ntype: feedback\n---\nNever mock the database.\n\n**How to apply:** Use the `db` fixture.\n",
            good="---\nname: Real database\ndescription: Integration tests must hit a real PostgreSQL\ntype: feedback\n---\nNever mock the database.\n\n**Why:** Mocked tests passed while the migration failed.\n\n**How to apply:** Use the `db` fixture.\n",
        ),
    ),
)
