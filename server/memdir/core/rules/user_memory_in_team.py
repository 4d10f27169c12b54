"""`user-memory-in-team`: a memory about a person where everybody reads it."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import header_span, type_from_stem, unsafe
from memdir.core.i18n import msg
from memdir.core.model import Finding, Safety, Severity
from memdir.core.rule import Context, Example, Reads, Rule


def is_user_memory(document: Document) -> bool:
    """Says `type: user`, or has no type and a file name that says so."""
    return document.type.casefold() == "user" or (
        not document.type and type_from_stem(document.stem) == "user"
    )


def check(document: Document, context: Context) -> Iterator[Finding]:
    if document.scope != "team" or not is_user_memory(document):
        return
    from memdir.core.moving import move

    found = document.frontmatter.find("type") if document.frontmatter else None
    changes = move(document, context.directory, context.settings, team=False)
    fix = unsafe(msg("Move this memory to your private memory"), *changes)
    yield Finding(
        found.value_span if found else header_span(document),
        msg(
            "A memory about a person is always private, but this one is in team memory: it will not be shared."
        ),
        (fix,),
    )


RULE = Rule(
    name="user-memory-in-team",
    severity=Severity.WARNING,
    summary=msg("A memory of type user lies in team memory."),
    rationale=msg(
        "User memories say who somebody is and how they like to work. They help with that person only, and others have no business "
        "reading them. Files of this type are not uploaded, and those that arrive from the team wait in quarantine."
    ),
    check=check,
    reads=Reads.DIRECTORY,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "team/user_role.md",
            bad="---\nname: Role\ndescription: Senior engineer who prefers short answers\ntype: user\n---\nPrefers short answers.\n",
            good="---\nname: Review\ndescription: Reviews need two approvals since the outage\ntype: project\n---\nTwo approvals.\n",
        ),
    ),
)
