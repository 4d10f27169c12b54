"""The doctor for an editor: memory directories that no client looks for, each with a proposal to review."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memdir.core.i18n import msg
from memdir.lsp import ext_jobs
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.review import Proposal
from memdir.lsp.jobs.site import Site, could_not_write, site_of
from memdir.lsp.progress import progress
from memdir.lsp.protocol import progress_token
from memdir.store.errors import StoreError

if TYPE_CHECKING:
    from memdir.core.doctor import Case
    from memdir.core.model import ChangeSet
    from memdir.lsp.server import MemdirServer


async def doctor(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.DoctorAnswer:
    """Look at every memory directory. What can be mended is proposed, nothing is written."""
    from memdir.store.doctor import examine

    site = await site_of(server, given)
    cwds = [f.path for f in server.session.folders.values() if not f.adopted] or [site.folder.path]
    async with progress(server, msg("Looking at memory directories"), progress_token.get()):
        try:
            found = await asyncio.to_thread(examine, site.environment, cwds, site.state_dir)
            # An earlier look's proposals are out of date; a case that is gone leaves none behind
            server.jobs.reviews.clear("doctor")
            cases = [await _case(site, case) for case in found.cases]
        except StoreError as error:
            raise JobError(error.message) from None
        except OSError as error:
            raise JobError(
                msg(
                    "{path} can't be read: {reason}.",
                    path=str(error.filename or ""),
                    reason=error.strerror or str(error),
                )
            ) from None
    server.spawn(asyncio.to_thread(_remember, site, found.repos))
    return {"cases": cases}


async def _case(site: Site, case: Case) -> ext_jobs.DoctorCase:
    from memdir.core.doctor_words import headline, why
    from memdir.store.doctor import proposal, roots_of

    change: ChangeSet | None = None
    message = site.text(case.message)
    try:
        change = await asyncio.to_thread(proposal, case)
    except StoreError as error:  # this one can't be mended from here; the others can
        message = f"{message} {site.text(error.message)}"
    sizes = await asyncio.to_thread(_sizes, case)
    ident = None
    if change:
        base = os.path.dirname(os.path.dirname(case.place.memory_dir))
        notes = [case.message] + (
            [] if case.certain else [msg("This is not certain; look before you take it.")]
        )
        ident = site.server.jobs.reviews.add(
            Proposal("doctor", site.folder.uri, change, roots_of(case), base, site.now, notes)
        )
    return {
        "kind": case.kind,
        "headline": site.text(headline(case)),
        "why": site.text(why(case)),
        "directory": case.place.memory_dir,
        "owner": case.owner,
        "target": case.target,
        "certain": case.certain,
        "message": message,
        "review": ident,
        "memories": sizes[0],
        "size": sizes[1],
        "targetMemories": sizes[2],
        "targetSize": sizes[3],
    }


def _sizes(case: Case) -> tuple[int, int, int | None, int]:
    """Markdown files and their bytes in the directory and in the one they belong in (None files: not there)."""
    from memdir.store.memory_dirs import measure

    memories, size, _ = measure(case.place.memory_dir)
    if case.target is None or not os.path.isdir(case.target):
        return memories, size, None, 0
    return memories, size, *measure(case.target)[:2]


def _remember(site: Site, repos: Any) -> None:
    from memdir.store.identity import remember

    try:
        remember(site.state_dir, repos)
    except StoreError as error:
        site.server.log_message(error.message)
    except OSError as error:
        site.server.log_message(could_not_write(error))
