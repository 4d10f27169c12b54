"""`user-memory-in-team`: a memory about a person where everybody reads it."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import Directory
from memdir.core.document import INDEX_NAME, Document
from memdir.core.fixing import header_span, line_deletion, type_from_stem, unsafe
from memdir.core.i18n import msg
from memdir.core.index import resolve
from memdir.core.model import Edit, FileChange, Finding, RenameFile, Safety, Severity, Span
from memdir.core.rule import Context, Example, Reads, Rule


def is_user_memory(document: Document) -> bool:
    """Says `type: user`, or has no type and a file name that says so."""
    return document.type.casefold() == "user" or (
        not document.type and type_from_stem(document.stem) == "user"
    )


def check(document: Document, context: Context) -> Iterator[Finding]:
    if document.scope != "team" or not is_user_memory(document):
        return
    found = document.frontmatter.find("type") if document.frontmatter else None
    fix = unsafe(
        msg("Move this memory to your private memory"), *move_to_private(document, context.directory)
    )
    yield Finding(
        found.value_span if found else header_span(document),
        msg(
            "A memory about a person is always private, but this one is in team memory: it will not be shared."
        ),
        (fix,),
    )


def move_to_private(document: Document, directory: Directory) -> list[FileChange]:
    """The changes that move a team memory out of `team/`, together with its line in the index."""
    stem, rel = document.rel.removeprefix("team/")[:-3], document.rel.removeprefix("team/")
    number = 2
    while rel in directory:
        rel, number = f"{stem}-{number}.md", number + 1
    changes: list[FileChange] = [RenameFile(document.path, directory.path_of(rel), document.hash)]
    team_index, index = directory.get("team/" + INDEX_NAME), directory.get(INDEX_NAME)
    if team_index is not None:
        lines = [
            entry.line
            for entry in directory.entries(team_index)
            if len(entry.targets) == 1 and resolve(team_index.rel, entry.targets[0].path) == document.rel
        ]
        if lines:
            changes.append(team_index.edit(*(line_deletion(team_index, line) for line in lines)))
    if index is not None:
        lead = "" if not index.text or index.text.endswith(("\n", "\r")) else index.newline
        hook = f" — {document.description}" if document.description else ""
        end = Span(len(index.text), len(index.text))
        changes.append(index.edit(Edit(end, f"{lead}- [{document.title}]({rel}){hook}{index.newline}")))
    return changes


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
