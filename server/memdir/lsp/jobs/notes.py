"""The notes of running sessions, for reading, and the text to go on with from them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memdir.agent.client import has_key
from memdir.agent.client_types import ModelError
from memdir.agent.notes_store import NotesFile
from memdir.agent.notes_text import is_empty, sections
from memdir.core.i18n import msg
from memdir.lsp import ext_jobs
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.common import usage_notes
from memdir.lsp.jobs.extraction import session_file
from memdir.lsp.jobs.site import Site, site_of
from memdir.lsp.jobs.workspaces import own_workspace
from memdir.lsp.params import text_of
from memdir.lsp.progress import progress
from memdir.lsp.protocol import progress_token

if TYPE_CHECKING:
    from memdir.agent.notes_compact import Compaction
    from memdir.lsp.server import MemdirServer

RUNNING = timedelta(minutes=10)  # a session that was written to within this time is taken for a running one
MAX_SESSIONS = 50


async def notes(server: MemdirServer, given: Mapping[str, Any]) -> list[ext_jobs.SessionNotes]:
    """The notes of the repository's sessions, the latest session first; empty ones are left out."""
    site = await site_of(server, given)
    return await asyncio.to_thread(_read, site)


async def continue_session(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.ContinueAnswer:
    """The text with which an agent goes on with `session` (its id; the latest by default)."""
    from memdir.agent.notes_compact import CompactError, compact

    site = await site_of(server, given)
    site.require_memory()
    path = await asyncio.to_thread(session_file, site, text_of(given, "session"))
    workspace, side = own_workspace(site), server.jobs.side
    by_model = has_key(server.world.environ)

    async def work() -> Compaction:
        return await compact(
            workspace, path, state_dir=site.state_dir, client=side.client if by_model else None
        )

    try:
        async with progress(
            server, msg("Going on from the session notes"), progress_token.get(), cancellable=True
        ):
            found = await side.run(work)
    except (CompactError, ModelError) as error:
        raise JobError(error.message) from None
    why = [found.why] if found.why is not None else []
    return {
        "text": found.text,
        "source": found.source,
        "notes": [site.text(n) for n in (*why, *usage_notes(site, found.usage))],
    }


def _read(site: Site) -> list[ext_jobs.SessionNotes]:
    from memdir.store.transcripts_find import find_sessions

    found: list[ext_jobs.SessionNotes] = []
    now = site.now
    for session in find_sessions(site.folder.workspace.location)[:MAX_SESSIONS]:
        file = NotesFile(session.path, site.state_dir)
        text = file.read()
        if text is None or is_empty(text):
            continue
        written = datetime.fromtimestamp(session.mtime_ns / 1e9, now.tzinfo)
        bodies = {s.heading: s.body for s in sections(text)}
        found.append(
            {
                "session": session.id,
                "path": session.path,
                "uri": site.uri(file.path),
                "title": bodies.get("Title", "").strip() or os.path.basename(session.cwd) or session.id,
                "state": bodies.get("State", "").strip(),
                "text": text,
                "updated": datetime.fromtimestamp(os.stat(file.path).st_mtime, now.tzinfo).isoformat(),
                "running": now - written < RUNNING,
            }
        )
    return found
