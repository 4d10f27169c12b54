"""Consolidating on request, and deciding about a proposal that waits in the inbox: whole, by file, by hunk, or not at all."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from memdir.agent.client import has_key, no_key
from memdir.agent.client_types import ModelError
from memdir.agent.consolidate_job import consolidate_memories, to_inbox
from memdir.agent.gates import check_gates
from memdir.core.consolidate import TITLE, only
from memdir.core.i18n import Message, files, msg
from memdir.core.model import ChangeSet
from memdir.core.outcome import change_set_of
from memdir.lsp import ext_jobs
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.common import in_thread, inbox_of, review_id, usage_notes
from memdir.lsp.jobs.site import Site, could_not_write, site_of
from memdir.lsp.jobs.workspaces import own_workspace
from memdir.lsp.progress import progress
from memdir.lsp.protocol import progress_token
from memdir.store.errors import StoreError

if TYPE_CHECKING:
    from memdir.agent.consolidate_job import Consolidated
    from memdir.agent.dream import Step
    from memdir.lsp.server import MemdirServer

T = TypeVar("T")
JOB = msg("Consolidation")


async def consolidate(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.ConsolidateAnswer:
    """Make a proposal. `force`: also when it is not due; `noModel`: only what needs no judgement."""
    site = await site_of(server, given)
    site.require_memory()
    if not os.path.isdir(site.root):
        raise JobError(msg("There are no memories yet."))
    if given.get("force") is not True:
        gate = await asyncio.to_thread(
            check_gates,
            site.folder.workspace.location,
            site.settings.consolidate,
            now=site.now,
            state_dir=site.state_dir,
            throttled=False,
        )
        if not gate.due:
            return {
                "due": False,
                "message": site.text(gate.why),
                "review": None,
                "byModel": False,
                "notes": [],
            }
    by_model = given.get("noModel") is not True and has_key(server.world.environ)
    found = await _propose(site, by_model=by_model)
    notes = [] if by_model else [_why_mechanical(given.get("noModel") is True)]
    notes += usage_notes(site, found.usage) if by_model else []
    added = await in_thread(lambda: to_inbox(found, inbox_of(site), site.now))
    server.jobs.inboxes.changed()
    review = review_id(site, added.items[0].id) if added.items else None
    if review is None:
        message = (
            msg("There is nothing to consolidate.")
            if not found.consolidation
            else msg("The same was proposed before and refused; nothing new came up.")
        )
    else:
        message = msg("Proposed: changes to {files}.", files=files(len(found.consolidation.outcomes)))
    return {
        "due": True,
        "message": site.text(message),
        "review": review,
        "byModel": by_model,
        "notes": [site.text(n) for n in notes],
    }


async def merge(server: MemdirServer, given: Mapping[str, Any]) -> bool:
    """Bring the memories `uris`, near duplicates, together as a mechanical consolidation would; the editor shows it first."""
    from memdir.core.consolidate import consolidate as mechanically
    from memdir.core.similarity import prepare
    from memdir.lsp.carry_out import carry_out
    from memdir.lsp.convert import Annotation
    from memdir.lsp.jobs.review_files import paths_of_uris

    paths = paths_of_uris(given.get("uris"))
    site = await site_of(server, {"uri": next(iter(given.get("uris") or ()), "")})
    workspace = own_workspace(site)

    def find() -> ChangeSet:
        store = workspace.stores[0]
        store.refresh()
        context = workspace.context(store, site.now)
        prepare(context.directory)
        found = mechanically(context)
        groups = [g for g in found.groups if g & paths]
        wanted = {p for g in groups for p in g} | {d.path for d in context.directory.indexes()}
        part = only(found, context.directory, workspace.settings, wanted if groups else ())
        return change_set_of(part.outcomes, TITLE, "consolidate")

    change_set = await asyncio.to_thread(find)
    if not change_set:
        raise JobError(
            msg("Nothing can be merged without judgement: each of them says something of its own.")
        )
    note = Annotation(
        change_set.title, msg("Reaches beyond this file; look before you take it."), confirm=True
    )
    return await carry_out(server, change_set, note)


def _why_mechanical(asked: bool) -> Message:
    if asked:
        return msg("Without a model: dates, duplicates, logs and the index only.")
    return msg(
        "Without a model: dates, duplicates, logs and the index only. {reason}", reason=no_key().message
    )


async def _propose(site: Site, *, by_model: bool) -> Consolidated:
    server, side = site.server, site.server.jobs.side
    loop = asyncio.get_running_loop()
    workspace = own_workspace(site)
    async with progress(server, JOB, progress_token.get(), cancellable=True) as shown:

        def step(now: Step) -> None:
            percent = round(100 * (now.number - 1 + min(now.turn / 10, 0.9)) / now.of)
            loop.call_soon_threadsafe(shown.report, now.title, percent)

        async def work() -> Consolidated:
            return await consolidate_memories(
                workspace,
                state_dir=site.state_dir,
                clock=server.world.clock,
                client=side.client if by_model else None,
                progress=step,
            )

        try:
            return await side.run(work)
        except (ModelError, StoreError) as error:
            raise JobError(error.message) from None
        except OSError as error:
            raise JobError(could_not_write(error)) from None
