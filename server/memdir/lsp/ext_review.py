"""What waits for a person, proposals and the inbox, and what taking it answers; the commands are in `memdir.lsp.ext_jobs`."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from memdir.lsp.ext_jobs import ClashInfo, Done, SaveQuestion


class ReviewHunk(TypedDict):
    """One piece of a file's change that can be taken alone. `lines` are diff lines with their sign."""

    id: str
    header: str
    lines: list[str]


class ReviewFile(TypedDict):
    """One file of a proposal. Texts are null for no file; `oldUri` is set for a file that moves.

    `consent` says why taking this file needs the person's explicit consent; `lost` are statements, links and dates that
    the result no longer holds; files with the same `group` are taken together or not at all (0: alone).
    """

    uri: str
    oldUri: str | None
    label: str
    kind: Literal["edit", "create", "delete", "rename"]
    before: str | None
    after: str | None
    reasons: list[str]
    consent: str | None
    lost: list[str]
    group: int
    hunks: list[ReviewHunk]


ReviewKind: TypeAlias = Literal["consolidate", "doctor"]


class ReviewInfo(TypedDict):
    """A proposal that waits for a person."""

    id: str
    kind: ReviewKind
    folder: str
    title: str
    files: int
    time: str


class Review(TypedDict):
    """A proposal in full. `notes` are sentences about how it came to be.

    `clashes` are the files that were changed after the proposal was made; they are not among `files`, and nothing is
    written to them before a person has brought both texts together (`inboxMerge`) or refused.
    """

    id: str
    kind: ReviewKind
    folder: str
    title: str
    time: str
    notes: list[str]
    files: list[ReviewFile]
    clashes: list[ClashInfo]


class AcceptAnswer(TypedDict):
    """What was taken. `left` are the files of the proposal that still wait."""

    done: Done
    left: int


class InboxEvidence(TypedDict):
    """Words of a conversation that a proposal rests on. `uri` is the session's file, `line` counts from 0, -1 when it is not known."""

    quote: str
    who: str
    uri: str
    line: int


class InboxItem(TypedDict):
    """What waits in the inbox. A `memory` has the text that is proposed (`before`: the present one it changes, null for a new
    memory); a `signal` is a hint with a suggested type; a `consolidation` is reviewed by its `review`."""

    id: str
    folder: str
    kind: Literal["memory", "signal", "consolidation"]
    title: str
    created: str
    memoryType: str
    uri: str
    text: str | None
    before: str | None
    description: str
    evidence: list[InboxEvidence]
    notes: list[str]
    files: int
    review: str | None


class InboxMergeAnswer(TypedDict):
    """Answer to `inboxMerge`. `waiting` is false when the result is what the file says already: nothing is left to take then."""

    waiting: bool


class InboxAcceptAnswer(TypedDict):
    """Answer to `inboxAccept`: questions and nothing written, or what was written."""

    uri: str
    done: Done | None
    questions: list[SaveQuestion]
    advice: list[str]
