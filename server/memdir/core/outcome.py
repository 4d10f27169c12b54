"""From what a job made of files to a change set: bases, reasons, and what needs a person's explicit consent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memdir.core.changes import FileOutcome
from memdir.core.fixall import minimal_edits
from memdir.core.i18n import Message, msg
from memdir.core.model import (
    ChangeSet,
    CreateFile,
    DeleteFile,
    EditFile,
    FileChange,
    Origin,
    content_hash,
)
from memdir.core.text import decode

# A file that loses more than two fifths of its text, and more than a paragraph of it, is not merely tidied up.
SHRINK_SHARE = 0.6
SHRINK_CHARACTERS = 300


def join_reasons(reasons: Sequence[Message]) -> Message | None:
    """Several reasons as one; None for none. Repeated ones count once."""
    found: Message | None = None
    for reason in dict.fromkeys(reasons):
        found = reason if found is None else msg("{first}; {second}", first=found, second=reason)
    return found


def consent_reason(outcome: FileOutcome) -> Message | None:
    """Why the change of this file needs explicit consent: it is deleted, or loses much of its text. None otherwise."""
    if outcome.before is None:
        return None
    if outcome.after is None:
        return msg("the file is deleted")
    before, after = len(decode(outcome.before)[0]), len(decode(outcome.after)[0])
    if before - after > SHRINK_CHARACTERS and after < before * SHRINK_SHARE:
        return msg("the file shrinks from {before} to {after} characters", before=before, after=after)
    return None


def change_set_of(outcomes: Iterable[FileOutcome], title: Message, origin: Origin) -> ChangeSet:
    """The change set that makes `outcomes` true. Each file carries the base it was made against, and its reasons."""
    return ChangeSet(title, tuple(c for o in outcomes if (c := file_change(o)) is not None), origin)


def file_change(outcome: FileOutcome) -> FileChange | None:
    """The change of one file, None when it stays as it is. Line breaks and a byte-order mark are kept where they were."""
    reason = join_reasons(outcome.reasons)
    before, after = outcome.before, outcome.after
    if before == after:
        return None
    if before is None:
        assert after is not None
        return CreateFile(outcome.path, after, reason)
    if after is None:
        return DeleteFile(outcome.path, content_hash(before), reason)
    old, _ = decode(before)
    new, _ = decode(after)  # edits can't add or drop a byte-order mark, so neither does a job
    edits = tuple(minimal_edits(old, new))
    return EditFile(outcome.path, edits, content_hash(before), reason) if edits else None
