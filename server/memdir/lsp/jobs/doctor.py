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
            proposals = [await asyncio.to_thread(_proposal, case) for case in found.cases]
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
    cases = [_case(site, c, p) for c, p in zip(found.cases, proposals, strict=True)]
    server.spawn(asyncio.to_thread(_remember, site, found.repos))
    return {"cases": cases}


def _proposal(case: Case) -> ChangeSet | None:
    from memdir.store.doctor import proposal

    return proposal(case)


def _case(site: Site, case: Case, change: ChangeSet | None) -> ext_jobs.DoctorCase:
    from memdir.store.doctor import roots_of

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
        "directory": case.place.memory_dir,
        "owner": case.owner,
        "target": case.target,
        "certain": case.certain,
        "message": site.text(case.message),
        "review": ident,
    }


def _remember(site: Site, repos: Any) -> None:
    from memdir.store.identity import remember

    try:
        remember(site.state_dir, repos)
    except StoreError as error:
        site.server.log_message(error.message)
    except OSError as error:
        site.server.log_message(could_not_write(error))
