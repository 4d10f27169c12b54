"""Keeping the notes of the running session: an update by a model on a staged copy, checked before it is kept."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, TypeAlias

from memdir.agent.client import no_key
from memdir.agent.client_loop import run_tools
from memdir.agent.client_prompts import prompt
from memdir.agent.client_types import ModelClient, ModelError, Usage
from memdir.agent.conversation import Conversation, conversation
from memdir.agent.extract_review import TwoRounds
from memdir.agent.notes_due import Measure, due, measure
from memdir.agent.notes_store import NotesFile, Reached
from memdir.agent.notes_text import NAME, template, violation
from memdir.agent.prefix import Caching, job_request
from memdir.agent.staging import Stage
from memdir.agent.toolbox import Toolbox, Write
from memdir.core.i18n import Message, msg
from memdir.core.injection import find_injections
from memdir.core.secrets import scan
from memdir.core.transcript import Record
from memdir.store.errors import LockedError, StoreError
from memdir.store.jobs import job_off
from memdir.store.transcripts import Reader
from memdir.store.workspace import Workspace

Status: TypeAlias = Literal["off", "not-due", "busy", "updated", "unchanged", "refused", "failed"]
MAX_TURNS = 4
DEADLINE_SECONDS = 120.0
MAX_READ = 16 * 1024 * 1024  # bytes of a session that one update looks at
MAX_STRETCHES = 3


@dataclass(frozen=True, slots=True)
class NotesReport:
    """What an update did. `why` says so for people, where there is something to say."""

    status: Status
    why: Message | None = None
    usage: Usage = field(default_factory=Usage)
    tokens: int = 0
    denied: int = 0


def notes_off(workspace: Workspace, client: ModelClient | None) -> Message | None:
    """Why no notes are kept, None when they are."""
    off = job_off(workspace.location)
    if off is not None:
        return off
    if not workspace.settings.notes.enabled:
        return msg("Session notes are switched off (notes.enabled).")
    return (
        None if client is not None else msg("Session notes need a model. {reason}", reason=no_key().message)
    )


async def update_notes(
    workspace: Workspace,
    session: str,
    *,
    state_dir: str,
    clock: Callable[[], datetime],
    client: ModelClient | None,
    force: bool = False,
) -> NotesReport:
    """Bring the notes of the session file up to date when that is due (`force`: also when not). Never raises for what a
    model, a session or a disk does."""
    off = notes_off(workspace, client)
    if off is not None or client is None:
        return NotesReport("off", off)
    notes = NotesFile(session, state_dir)
    try:
        with notes.updating():
            return await _update(workspace, notes, clock, client, state_dir, force=force)
    except LockedError:
        return NotesReport("busy", msg("The notes are being updated already."))
    except ModelError as error:
        return NotesReport("failed", error.message)
    except StoreError as error:
        return NotesReport("failed", error.message)
    except OSError as error:
        return NotesReport("failed", msg("{error}", error=str(error)))


async def _update(
    workspace: Workspace,
    notes: NotesFile,
    clock: Callable[[], datetime],
    client: ModelClient,
    state_dir: str,
    *,
    force: bool,
) -> NotesReport:
    reached = notes.reached()
    text = notes.read()
    if text is None or violation(text) is not None or notes.boundary() is None:
        reached, text = None, None  # a person or a program changed them: begin anew
    records, said = await asyncio.to_thread(_read, notes.session, reached)
    size = measure(records)
    if reached is not None and not size.counted:
        size = replace(size, tokens=reached.tokens + size.tokens)
    if not force and not due(size, reached.tokens if reached else None, workspace.settings.notes):
        return NotesReport("not-due", tokens=size.tokens)
    if text is None:
        await asyncio.to_thread(notes.remove_ended, clock().timestamp())
    report = NotesReport("unchanged", tokens=size.tokens)
    for _ in range(MAX_STRETCHES):
        if not any(not m.earlier for m in said.messages):
            return report
        outcome = await _write(workspace, notes, text or template(), said, client, state_dir, size)
        report = replace(outcome, usage=report.usage + outcome.usage, denied=report.denied + outcome.denied)
        if outcome.status not in ("updated", "unchanged") or said.complete:
            return report
        text, reached = notes.read(), notes.reached()
        _, said = await asyncio.to_thread(_read, notes.session, reached)
    return report


async def _write(
    workspace: Workspace,
    notes: NotesFile,
    text: str,
    said: Conversation,
    client: ModelClient,
    state_dir: str,
    size: Measure,
) -> NotesReport:
    """One update with one stretch of the conversation."""
    material = [f"The notes ({NAME}):\n\n{text}", f"The messages:\n\n{said.lines()}"]
    request = job_request(workspace.settings.agent.model, prompt("notes"), material)
    with Stage.of({NAME: text.encode()}, notes.folder, state_dir) as stage:
        box = Toolbox(stage, review=review_notes)
        run = await run_tools(
            Caching(client), request, TwoRounds(box), max_turns=MAX_TURNS, deadline=DEADLINE_SECONDS
        )
        after = stage.read(NAME).decode("utf-8", "replace")
    wrong = violation(after)
    if wrong is not None:  # each write was reviewed, so this is the last line of defence
        return NotesReport("refused", wrong, run.usage, size.tokens, len(box.denied))
    last = next((m for m in reversed(said.messages) if not m.earlier), None)
    assert last is not None
    await asyncio.to_thread(notes.write, after, Reached(said.end, last.start, last.uuid, size.tokens))
    status: Status = "updated" if after != text else "unchanged"
    return NotesReport(status, None, run.usage, size.tokens, len(box.denied))


def review_notes(write: Write) -> str | None:
    """Why a change of the notes is denied, None when it may be made."""
    if write.key != NAME:
        return f"Denied: {NAME} is the only file of this job."
    if write.after is None:
        return "Denied: the notes are not removed."
    wrong = violation(write.after)
    if wrong is not None:
        return f"Denied: {wrong}"
    known = set((write.before or "").splitlines())
    added = "\n".join(line for line in write.after.splitlines() if line not in known)
    if any(True for _ in find_injections(added)):
        return "Denied: the text tells an agent to get around its rules. Leave it out."
    secrets = scan(added)
    if secrets:
        return f"Denied: the text holds what looks like a {secrets[0].label}. Say where it is kept instead."
    return None


def _read(session: str, reached: Reached | None) -> tuple[list[Record], Conversation]:
    """New records (of a session without notes: its end), and the conversation in them."""
    offset = reached.offset if reached else 0
    start = reached.start if reached else 0
    try:
        if reached is None:
            start = offset = max(os.stat(session).st_size - MAX_READ, 0)
        records = list(Reader(session, start).read(limit=offset + MAX_READ))
    except OSError:
        return [], Conversation((), offset)
    new = [r for r in records if r.start >= offset]
    if reached is None:  # what a compaction has cut off is not in the context any more
        cut = next((r.end for r in reversed(new) if r.boundary), 0)
        records = [r for r in records if r.start >= cut]
    return new, conversation(records, offset, since=offset)
