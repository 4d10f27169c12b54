"""`personal-data-in-team`: data about a person in a file that others receive."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    if document.scope != "team":
        return
    from memdir.core.personal_data import LABELS, find_personal_data

    for personal in find_personal_data(document.text):
        yield Finding(
            personal.span,
            msg(
                "Team memory holds {what}. Share it only if the team needs it and the person agrees.",
                what=LABELS[personal.kind],
            ),
            data={"kind": personal.kind},
        )


RULE = Rule(
    name="personal-data-in-team",
    severity=Severity.INFORMATION,
    summary=msg("Team memory holds personal data."),
    rationale=msg(
        "Team memory is copied to every member's machine and kept with its history. E-mail addresses of persons, telephone numbers, "
        "account, card and identity numbers rarely help an agent; a role or a link to a directory does. Role addresses (support@…), "
        "documentation domains and numbers without a valid check digit are left alone."
    ),
    check=check,
    kinds=frozenset({"index", "topic", "log"}),
    examples=(
        Example(
            "team/reference_contacts.md",
            bad="---\nname: Contacts\ndescription: Whom to ask about the payment provider\ntype: reference\n---\nAsk Jo, jo.miller@gmail.com.\n",
            good="---\nname: Contacts\ndescription: Whom to ask about the payment provider\ntype: reference\n---\nAsk payments-support@example.com.\n",
        ),
    ),
)
