"""Merge a near duplicate into this memory: both texts stand side by side until a person has made one of them."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.forget import forget_changes
from memdir.core.i18n import msg
from memdir.core.model import Edit, EditFile, FileChange, Span
from memdir.core.rule import Context
from memdir.core.similarity import finder_of
from memdir.ide.refactor.action import Action


def offer(document: Document, span: Span, context: Context) -> Iterator[Action]:
    """One action per near duplicate, as far as the finder is ready."""
    if document.kind != "topic":
        return
    finder = finder_of(context.directory)
    for other, likeness in finder.like(document.rel, context.settings.near_duplicate) if finder else ():
        title = (
            msg("Merge {file} into this memory (they differ in numbers: look first)", file=other.rel)
            if likeness.series
            else msg("Merge {file} into this memory", file=other.rel)
        )
        yield Action(title, "refactor.rewrite", merged(document, other, context), look_first=True)


def merged(document: Document, other: Document, context: Context) -> tuple[FileChange, ...]:
    """The changes: the other's description and body below this one's, the other file gone, pointers to it redirected."""
    newline = document.newline
    lead = "" if document.text.endswith(("\n", "\r")) else newline
    heading = f"{newline}## {other.title}{newline}{newline}"
    quoted = (
        f"> {other.description}{newline}{newline}"
        if other.description and other.description != document.description
        else ""
    )
    body = other.body.strip().replace("\r\n", "\n").replace("\n", newline)
    end = Span(len(document.text), len(document.text))
    mine = document.edit(
        Edit(end, f"{lead}{heading}{quoted}{body}{newline}"),
        reason=msg("takes in the text of {file}", file=other.rel),
    )
    gone = forget_changes(context.directory, other, msg("its text stands in {file} now", file=document.rel))
    changes: list[FileChange] = [mine]
    for change in gone:
        if isinstance(change, EditFile) and change.path == document.path:
            # one change per file: the pointers of this memory to the other go together with the new text
            changes[0] = EditFile(mine.path, (*change.edits, *mine.edits), mine.base, mine.reason)
        else:
            changes.append(change)
    return tuple(changes)
