"""One consolidation from beginning to end: the lock, a model or the mechanical part, the lock's time afterwards.

What it finds is a proposal; whoever called decides. Failing or cancelled, nothing has changed, and the time of the last
consolidation is what it was.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from memdir.agent.client_types import ModelClient, Usage
from memdir.agent.dream import Step, context_of, dream
from memdir.agent.inbox import Added, Inbox
from memdir.agent.inbox_items import Item, ProposedFile
from memdir.agent.staging import staged
from memdir.core.consolidate import TITLE, Consolidation, consolidate
from memdir.core.i18n import msg
from memdir.core.similarity import prepare
from memdir.store.consolidate_lock import ConsolidationLock, last_consolidation, state_file, take_lock
from memdir.store.errors import LockedError, StoreError
from memdir.store.files import atomic_write, read_file
from memdir.store.transcripts_find import find_sessions
from memdir.store.workspace import Workspace

MAX_SESSIONS = 20  # transcripts that may be searched, the latest


@dataclass(frozen=True, slots=True)
class Consolidated:
    """The proposal and where it comes from. `bases` are the texts it was made against, by hash."""

    consolidation: Consolidation
    by_model: bool
    bases: Mapping[str, bytes]
    usage: Usage = field(default_factory=Usage)
    summary: str = ""
    turns: int = 0
    denied: int = 0


async def consolidate_memories(
    workspace: Workspace,
    *,
    state_dir: str,
    clock: Callable[[], datetime],
    client: ModelClient | None = None,
    session: str = "",
    keep_time: bool = False,
    progress: Callable[[Step], None] = lambda step: None,
) -> Consolidated:
    """A proposal for the workspace's memory directory, which exists. `client` None: the mechanical part.

    session: id of the running session, whose transcript is left alone. keep_time: only a look; the time of the last
    consolidation stays. Raises LockedError while another process consolidates, ModelError, OSError.
    """
    root = workspace.stores[0].root
    last = await asyncio.to_thread(last_consolidation, root, state_dir)
    lock = await asyncio.to_thread(take_lock, root, state_dir, clock().timestamp())
    try:
        found = await _propose(workspace, state_dir, clock, client, session, last, progress)
        if not await asyncio.to_thread(lock.still_ours):
            raise LockedError(
                msg("Another process began to consolidate these memories meanwhile; nothing was proposed.")
            )
    except BaseException:
        await _end(lock, None)
        raise
    await _end(lock, None if keep_time else clock().timestamp())
    return found


async def _end(lock: ConsolidationLock, now: float | None) -> None:
    """Give the lock back, also while being cancelled."""
    work = asyncio.ensure_future(
        asyncio.to_thread(lock.roll_back) if now is None else asyncio.to_thread(lock.finish, now)
    )
    try:
        await asyncio.shield(work)
    except asyncio.CancelledError:
        await work
        raise


async def _propose(
    workspace: Workspace,
    state_dir: str,
    clock: Callable[[], datetime],
    client: ModelClient | None,
    session: str,
    last: float | None,
    progress: Callable[[Step], None],
) -> Consolidated:
    store = workspace.stores[0]
    async with staged(store.root, state_dir) as stage:
        await asyncio.to_thread(store.refresh)
        context = context_of(stage, workspace.context(store, clock()), clock())
        await asyncio.to_thread(prepare, context.directory)
        if client is None:
            since = await asyncio.to_thread(logs_decided, store.root, state_dir)
            found = await asyncio.to_thread(consolidate, context, since=since)
            return Consolidated(found, False, stage.bases())
        sessions = await asyncio.to_thread(_sessions, workspace, last, session)
        settings = workspace.settings.agent
        done = await dream(
            stage,
            context,
            client=client,
            model=settings.model,
            turns=settings.consolidate_turns,
            sessions=sessions,
            progress=progress,
        )
        return Consolidated(
            done.consolidation, True, stage.bases(), done.usage, done.summary, done.turns, done.denied
        )


def _sessions(workspace: Workspace, last: float | None, running: str) -> dict[str, str]:
    found = find_sessions(workspace.location, since_ns=int((last or 0.0) * 1e9))
    return {s.id: s.path for s in found[: MAX_SESSIONS + 1] if s.id != running}


def logs_decided(memory_dir: str, state_dir: str) -> date | None:
    """The day from which on logs have not been gathered yet by a consolidation that a person decided on."""
    try:
        data = json.loads(read_file(state_file(memory_dir, state_dir, ".logs.json"), cap=4096).content)
        return date.fromisoformat(data["until"])
    except (OSError, StoreError, ValueError, TypeError, KeyError):
        return None


def decide_logs(memory_dir: str, state_dir: str, made: datetime) -> None:
    """A consolidation made at `made` was accepted or refused: the logs of the days before need not be gathered again."""
    path = state_file(memory_dir, state_dir, ".logs.json")
    until = max(made.date(), logs_decided(memory_dir, state_dir) or made.date())
    atomic_write(path, json.dumps({"until": until.isoformat()}).encode(), mode=0o600)


def item_of(found: Consolidation, root: str, now: datetime) -> Item:
    """The proposal as an item of the inbox of the memory directory `root`."""
    prefix = root.rstrip("/") + "/"
    files = tuple(
        ProposedFile(o.path.removeprefix(prefix), o.before, o.after, o.reasons) for o in found.outcomes
    )
    groups = tuple(frozenset(p.removeprefix(prefix) for p in g) for g in found.groups)
    return Item("consolidation", TITLE, now, files, notes=found.notes, groups=groups)


def to_inbox(found: Consolidated, inbox: Inbox, now: datetime) -> Added:
    """Keep the proposal for a person. A proposal that was refused before is not kept again."""
    if not found.consolidation:
        return Added()
    return inbox.add([item_of(found.consolidation, inbox.memory_dir, now)])
