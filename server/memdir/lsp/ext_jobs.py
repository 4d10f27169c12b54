"""What the memory jobs and their clients tell each other, beside `memdir.lsp.ext`: commands and most answers.

Jobs are commands of `workspace/executeCommand`: any client can run them, with one object as argument, and see their
progress and cancel them. Texts are in the client's language. What waits for a person is in `memdir.lsp.ext_review`, team
memory in `memdir.lsp.ext_team`; `vscode-client/src/jobs/protocol.ts` mirrors all three.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypedDict

from memdir.lsp.ext import COMMAND_PREFIX

SAVE: Final = COMMAND_PREFIX + "save"
SAVE_SELECTION: Final = COMMAND_PREFIX + "saveSelection"
FORGET: Final = COMMAND_PREFIX + "forget"
LOG: Final = COMMAND_PREFIX + "log"
CHANGES: Final = COMMAND_PREFIX + "changes"
UNDO: Final = COMMAND_PREFIX + "undo"
REFACTOR: Final = COMMAND_PREFIX + "refactor"
DESCRIBE: Final = COMMAND_PREFIX + "describe"
RECALL: Final = COMMAND_PREFIX + "recall"
PREPARE_RECALL: Final = COMMAND_PREFIX + "prepareRecall"
JUDGE_RECALL: Final = COMMAND_PREFIX + "judgeRecall"
DOCTOR: Final = COMMAND_PREFIX + "doctor"
REVIEWS: Final = COMMAND_PREFIX + "reviews"
REVIEW: Final = COMMAND_PREFIX + "review"
ACCEPT: Final = COMMAND_PREFIX + "accept"
REFUSE: Final = COMMAND_PREFIX + "refuse"
CONSOLIDATE: Final = COMMAND_PREFIX + "consolidate"
MERGE: Final = COMMAND_PREFIX + "merge"
EXTRACT: Final = COMMAND_PREFIX + "extract"
INBOX: Final = COMMAND_PREFIX + "inbox"
INBOX_ACCEPT: Final = COMMAND_PREFIX + "inboxAccept"
INBOX_EDIT: Final = COMMAND_PREFIX + "inboxEdit"
INBOX_MERGE: Final = COMMAND_PREFIX + "inboxMerge"
INBOX_REFUSE: Final = COMMAND_PREFIX + "inboxRefuse"
NOTES: Final = COMMAND_PREFIX + "notes"
CONTINUE: Final = COMMAND_PREFIX + "continueSession"
JOBS: Final = COMMAND_PREFIX + "jobs"
TEAM_STATUS: Final = COMMAND_PREFIX + "teamStatus"
TEAM_PULL: Final = COMMAND_PREFIX + "teamPull"
TEAM_PUSH: Final = COMMAND_PREFIX + "teamPush"
TEAM_TOKEN: Final = COMMAND_PREFIX + "teamToken"
TEAM_CONFLICT: Final = COMMAND_PREFIX + "teamConflict"
TEAM_RESOLVE: Final = COMMAND_PREFIX + "teamResolve"
TEAM_HELD: Final = COMMAND_PREFIX + "teamHeld"
TEAM_JUDGE: Final = COMMAND_PREFIX + "teamJudge"

JOBS_CHANGED: Final = "memdir/didChangeJobs"

FileChangeKind: TypeAlias = Literal["created", "changed", "deleted"]


class Done(TypedDict):
    """What was written. `id` is the number of the change for undoing it, null when the editor made the edit itself or nothing changed."""

    id: str | None
    created: list[str]
    changed: list[str]
    deleted: list[str]


class ClashInfo(TypedDict):
    """A file that is not as a change expected it: `data.clashes` of a failed request. Texts are null for no file, `base` also when unknown."""

    uri: str
    base: str | None
    mine: str | None
    theirs: str | None


class TouchedFile(TypedDict):
    """A file of a past change."""

    uri: str
    change: FileChangeKind


class PastChange(TypedDict):
    """A change that the journal knows. `inForce`: it can be undone."""

    id: str
    time: str
    title: str
    origin: str
    files: list[TouchedFile]
    inForce: bool
    undoes: str | None
    undoneBy: str | None


class MemoryRef(TypedDict):
    """A memory that a question is about."""

    uri: str
    name: str
    description: str


class SaveQuestion(TypedDict):
    """Something to decide before saving; `force` saves all the same."""

    kind: str
    message: str
    candidates: list[MemoryRef]


class SaveAnswer(TypedDict):
    """Answer to `save`: questions and nothing written, or what was written."""

    uri: str
    scope: Literal["private", "team"]
    saved: bool
    done: Done | None
    questions: list[SaveQuestion]
    advice: list[str]


class ForgetAnswer(TypedDict):
    """Answer to `forget`: what was done, or the memories that the words may mean."""

    done: Done | None
    matches: list[MemoryRef]


class LogAnswer(TypedDict):
    """Answer to `log`: the file, and the entry as written."""

    uri: str
    entry: str


class RecallChoice(TypedDict):
    """A memory that was chosen. `score` is the share of the query's words it answers; `caveat` is null for memories of today and yesterday."""

    uri: str
    file: str
    name: str
    type: str
    age: str
    score: float
    reason: str
    caveat: str | None


class RecallMiss(TypedDict):
    """A memory that was near and not chosen."""

    uri: str
    file: str
    name: str
    score: float
    reason: str


class RecallAnswer(TypedDict):
    """Answer to `recall`. `id` names the record for `judgeRecall`, empty when none is kept; `notes` are sentences about the run."""

    id: str
    method: Literal["model", "lexical"]
    candidates: int
    latencyMs: float
    fallback: str | None
    selected: list[RecallChoice]
    missed: list[RecallMiss]
    notes: list[str]


class ConsolidateAnswer(TypedDict):
    """Answer to `consolidate`. `review` is the proposal, null when there is nothing to propose or it is not due (`due` false: ask again with `force`)."""

    due: bool
    message: str
    review: str | None
    byModel: bool
    notes: list[str]


class ExtractAnswer(TypedDict):
    """Answer to `extract`: how many proposals are new in the inbox, how many were known (waiting or refused), and sentences about the run."""

    status: Literal["off", "nothing", "own-memory", "queued", "done", "failed"]
    session: str
    items: int
    known: int
    byModel: bool
    message: str
    notes: list[str]


class SessionNotes(TypedDict):
    """Notes of a session. `running`: it was written to within the last minutes."""

    session: str
    path: str
    uri: str
    title: str
    state: str
    text: str
    updated: str
    running: bool


class ContinueAnswer(TypedDict):
    """Answer to `continueSession`: what an agent goes on with. `source` says whether notes or a model made it."""

    text: str
    source: Literal["notes", "model"]
    notes: list[str]


class JobState(TypedDict):
    """Whether a job runs in a folder, and why not, or how. `setting` is what decides about it."""

    job: Literal["recall", "extract", "consolidate", "notes", "team"]
    label: str
    state: Literal["on", "limited", "off"]
    message: str
    setting: str


class DoctorCase(TypedDict):
    """A memory directory that no client looks for. `review` is the proposal that mends it, null without one. `headline` is the kind in words, `why` half a sentence on what the case rests on. Numbers are of Markdown files, sizes are bytes; `targetMemories` is null when the target is not there yet."""

    kind: str
    headline: str
    why: str
    directory: str
    owner: str | None
    target: str | None
    certain: bool
    message: str
    review: str | None
    memories: int
    size: int
    targetMemories: int | None
    targetSize: int


class DoctorAnswer(TypedDict):
    """Answer to `doctor`."""

    cases: list[DoctorCase]


class JobsChanged(TypedDict):
    """Parameters of `memdir/didChangeJobs`: how much waits for a person, by kind; `sharing` counts the folders whose team
    memory is on, or wanted and not working."""

    reviews: int
    inbox: int
    team: int
    sharing: int
