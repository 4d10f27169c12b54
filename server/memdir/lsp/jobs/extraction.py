"""Extraction on request: what the last session said and nobody wrote down, as proposals for the inbox."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memdir.agent.client import has_key, no_key
from memdir.agent.extract_job import Report, extract_session
from memdir.core.i18n import Message, msg
from memdir.lsp import ext_jobs
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.common import usage_notes
from memdir.lsp.jobs.site import Site, site_of
from memdir.lsp.jobs.workspaces import own_workspace
from memdir.lsp.params import text_of
from memdir.lsp.progress import progress
from memdir.lsp.protocol import progress_token

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

JOB = msg("Extraction")


async def extract(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.ExtractAnswer:
    """Extract from a session: `session` (its id), else the latest one of the repository. `noModel`: look for signals only."""
    site = await site_of(server, given)
    site.require_memory()
    path = await asyncio.to_thread(session_file, site, text_of(given, "session"))
    by_model = given.get("noModel") is not True and has_key(server.world.environ)
    side = server.jobs.side
    auto = site.settings.extract.auto
    # a person asks, so "off" means: not by itself
    workspace = own_workspace(
        site, extract=replace(site.settings.extract, auto="suggest" if auto == "off" else auto)
    )

    async def work() -> Report:
        return await extract_session(
            workspace,
            path,
            state_dir=site.state_dir,
            clock=server.world.clock,
            client=side.client if by_model else None,
        )

    async with progress(server, JOB, progress_token.get(), cancellable=True):
        report = await side.run(work)
    server.jobs.inboxes.changed()
    if report.applied:
        server.session.rescan(site.memory)
    notes = [] if by_model else [msg("Without a model: hints only. {reason}", reason=no_key().message)]
    return {
        "status": report.status,
        "session": path,
        "items": len(report.items),
        "known": report.known,
        "byModel": report.by_model,
        "message": site.text(_message(report)),
        "notes": [site.text(n) for n in (*notes, *usage_notes(site, report.usage))],
    }


def session_file(site: Site, ident: str) -> str:
    """The file of a session: the one with this id, or the latest. JobError when there is none. Reads directories."""
    from memdir.store.transcripts_find import find_sessions

    found = find_sessions(site.folder.workspace.location)
    if not found:
        raise JobError(msg("No session of this repository was found, so there is nothing to extract from."))
    if not ident:
        return found[0].path
    session = next((s for s in found if s.id == ident), None)
    if session is None:
        raise JobError(msg("There is no session {id} of this repository.", id=os.path.basename(ident)))
    return session.path


def _message(report: Report) -> Message:
    if report.applied:
        return msg("Written at once: {count} memories.", count=len(report.applied))
    if report.items:
        return msg("New in the inbox: {count}.", count=len(report.items))
    if report.why is not None:
        return report.why
    if report.known:
        return msg("Nothing new: what was found waits already or was refused.")
    return msg("Nothing worth remembering was found since the last time.")
