"""The continuation of a session from its notes: what the agent goes on with when its context is cut.

Notes and the messages behind them make it without any model call. Where notes are missing, empty, or their end is not found
in the session any more, a model writes a summary instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memdir.agent.client_loop import run_tools
from memdir.agent.client_prompts import prompt
from memdir.agent.client_types import ModelClient, ModelError, Usage
from memdir.agent.conversation import Conversation, conversation
from memdir.agent.notes_job import notes_off
from memdir.agent.notes_store import NotesFile
from memdir.agent.notes_text import is_empty, violation, written
from memdir.agent.prefix import Caching, job_request
from memdir.agent.staging import Stage
from memdir.agent.toolbox import Toolbox
from memdir.agent.toolbox_tools import NAMES
from memdir.core.i18n import Message, msg
from memdir.core.transcript import Record, since_compaction
from memdir.store.errors import LockedError
from memdir.store.jobs import job_off
from memdir.store.transcripts import Reader, read_end
from memdir.store.workspace import Workspace

Source: TypeAlias = Literal["notes", "model"]
WAIT_SECONDS = 15.0  # for an update that is running; it writes what is wanted here
MAX_MESSAGES = 160_000  # characters of messages that go along as they are, about 40,000 tokens
MAX_SUMMARISED = 300_000  # characters that a model is given to summarise
DEADLINE_SECONDS = 180.0


class CompactError(Exception):
    """There is nothing to continue from; `message` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


@dataclass(frozen=True, slots=True)
class Compaction:
    """The text to go on with. `why`: the reason why a model wrote it; `messages`: how many go along as they are."""

    text: str
    source: Source
    messages: int = 0
    why: Message | None = None
    usage: Usage = field(default_factory=Usage)


async def compact(
    workspace: Workspace,
    session: str,
    *,
    state_dir: str,
    client: ModelClient | None,
    wait: float = WAIT_SECONDS,
) -> Compaction:
    """The continuation of the session file. Raises CompactError without usable notes and without a model, ModelError."""
    off = job_off(workspace.location)
    if off is not None:
        raise CompactError(off)
    notes = NotesFile(session, state_dir)
    found = await asyncio.to_thread(_from_notes, notes, wait)
    if isinstance(found, Compaction):
        return found
    off = notes_off(workspace, client)
    if off is not None or client is None:
        raise CompactError(
            msg("{reason} A model could write a summary, but: {off}", reason=found, off=off or found)
        )
    return await _by_model(workspace, session, client, state_dir, found)


def _from_notes(notes: NotesFile, wait: float) -> Compaction | Message:
    """The continuation, or why the notes can't be used."""
    try:
        with notes.updating(wait):
            text, boundary, reached = notes.read(), notes.boundary(), notes.reached()
    except LockedError:
        return msg(
            "The notes have been in the middle of an update for {seconds} seconds.", seconds=f"{wait:.0f}"
        )
    if text is None:
        return msg("There are no notes of this session.")
    if is_empty(text):
        return msg("The notes of this session are empty.")
    wrong = violation(text)
    if wrong is not None:
        return wrong
    if boundary is None or reached is None:
        return msg("Where the notes end is not found in the session.")
    try:
        records = list(Reader(notes.session, reached.offset).read())
    except OSError:
        return msg("The session can't be read.")
    if any(r.boundary for r in records):
        return msg("The conversation was compacted after the notes were written.")
    said = conversation(records, reached.offset, limit=MAX_MESSAGES)
    if not said.complete:
        return msg("More was said since the notes were written than can go along.")
    return Compaction(_continuation(written(text), said, notes.session), "notes", len(said.messages))


def _continuation(notes: str, said: Conversation, session: str) -> str:
    parts = [
        "This session goes on from an earlier part of the conversation that no longer fits. Notes were kept while it lasted:",
        notes,
    ]
    if said.messages:
        lines = [
            f"{'Person' if m.who == 'person' else 'Agent'}: {_said(m.text, m.used)}" for m in said.messages
        ]
        parts += ["The messages since then, as they were:", "\n\n".join(lines)]
    parts.append(
        f"If a detail is missing, look it up in the whole conversation: {session}\n"
        "Go on where it stopped, without asking the person to repeat anything and without summing up."
    )
    return "\n\n".join(parts) + "\n"


def _said(text: str, used: Sequence[str]) -> str:
    tools = f"[used {', '.join(used)}]" if used else ""
    return " ".join(part for part in (text, tools) if part)


async def _by_model(
    workspace: Workspace, session: str, client: ModelClient, state_dir: str, why: Message
) -> Compaction:
    said = await asyncio.to_thread(_whole, session)
    if not said.messages:
        raise CompactError(msg("Nothing was said in this session yet."))
    request = job_request(workspace.settings.agent.model, prompt("compact"), [said.lines()])
    with Stage.of({}, session, state_dir) as stage:
        box = Toolbox(stage)
        box.close(NAMES, "Denied: no tool is needed here. Write the summary.")
        run = await run_tools(Caching(client), request, box.handle, max_turns=2, deadline=DEADLINE_SECONDS)
    if not run.last.text.strip():
        raise ModelError("malformed", msg("The model gave no summary."))
    text = _continuation(run.last.text.strip(), Conversation((), 0), session)
    text = text.replace("Notes were kept while it lasted:", "A summary of it:", 1)
    return Compaction(text, "model", 0, why, run.usage)


def _whole(session: str) -> Conversation:
    """The newest part of the conversation since its last compaction, as much as fits."""
    try:
        records = since_compaction(read_end(session, 16 * 1024 * 1024))
    except OSError:
        return Conversation((), 0)
    size, first = 0, len(records)
    for number in range(len(records) - 1, -1, -1):
        size += _size(records[number])
        if size > MAX_SUMMARISED:
            break
        first = number
    return conversation(records[first:], limit=2 * MAX_SUMMARISED)


def _size(record: Record) -> int:
    return len(record.text) + 200 * len(record.tool_uses)
