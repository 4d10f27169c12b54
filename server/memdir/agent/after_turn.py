"""What happens behind the agent's back when a turn is finished: extraction, session notes, and a consolidation when it is due.

One call for both who can hear of it, the hook of the client and a watcher of transcripts. Every part reports by itself;
none can stop another.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memdir.agent.client_types import ModelClient, ModelError
from memdir.agent.consolidate_job import consolidate_memories, decide_logs, item_of, to_inbox
from memdir.agent.extract_job import Report, extract_session
from memdir.agent.gates import check_gates
from memdir.agent.inbox import Added, Inbox
from memdir.agent.inbox_accept import rest_of
from memdir.agent.notes_job import NotesReport, update_notes
from memdir.core.consolidate import TITLE, with_consent
from memdir.core.i18n import Message, msg
from memdir.core.outcome import change_set_of
from memdir.store.errors import StoreError
from memdir.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class DueReport:
    """What became of a consolidation: not due (`why`), proposed (`item` in the inbox), applied (journal id), or failed."""

    why: Message
    item: str = ""
    applied: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class AfterTurn:
    """The reports of all parts."""

    extraction: Report
    notes: NotesReport
    consolidation: DueReport


async def after_turn(
    workspace: Workspace,
    session: str,
    *,
    state_dir: str,
    clock: Callable[[], datetime],
    client: ModelClient | None,
) -> AfterTurn:
    """Run what is switched on and due. `session` is the session's file; `client` None: what works without a model."""
    extraction = await extract_session(workspace, session, state_dir=state_dir, clock=clock, client=client)
    notes = await update_notes(workspace, session, clock=clock, state_dir=state_dir, client=client)
    return AfterTurn(
        extraction,
        notes,
        await consolidate_when_due(
            workspace, state_dir=state_dir, clock=clock, client=client, session=session_id(session)
        ),
    )


async def consolidate_when_due(
    workspace: Workspace,
    *,
    state_dir: str,
    clock: Callable[[], datetime],
    client: ModelClient | None,
    session: str = "",
) -> DueReport:
    """Consolidate when the gates say so. The outcome waits in the inbox, unless the person chose to have it written:
    then deletions and large shrinkages still wait."""
    settings = workspace.settings.consolidate
    if settings.auto == "off":
        return DueReport(msg("Consolidation is switched off (consolidate.auto)."))
    gate = check_gates(workspace.location, settings, now=clock(), state_dir=state_dir, session=session)
    if not gate.due:
        return DueReport(gate.why)
    try:
        found = await consolidate_memories(
            workspace, state_dir=state_dir, clock=clock, client=client, session=session
        )
        store = workspace.stores[0]
        inbox = Inbox(state_dir, store.root)
        if settings.auto != "apply" or not found.consolidation:
            added = to_inbox(found, inbox, clock())
            return DueReport(gate.why, item=added.items[0].id if added.items else "")
        from memdir.store.apply import apply

        part = with_consent(found.consolidation, store.directory, workspace.settings, ())
        changes = change_set_of(part.outcomes, TITLE, "consolidate")
        done = apply(changes, roots=[store.root], state_dir=state_dir, now=clock(), bases=found.bases)
        decide_logs(store.root, state_dir, clock())
        store.refresh()
        rest = rest_of(item_of(found.consolidation, store.root, clock()), workspace.context(store, clock()))
        added = inbox.add([rest]) if rest is not None else Added()
        return DueReport(gate.why, item=added.items[0].id if added.items else "", applied=done.id or "")
    except ModelError as error:
        return DueReport(error.message, failed=True)
    except StoreError as error:
        return DueReport(error.message, failed=True)
    except (OSError, ValueError) as error:
        return DueReport(msg("{error}", error=str(error)), failed=True)


def session_id(path: str) -> str:
    """The id of the session in a file."""
    return os.path.basename(path).removesuffix(".jsonl")
