"""The changes that the journal knows, and taking one back."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memdir.core.i18n import msg
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.site import Site, clashes, could_not_write, site_of
from memdir.lsp.params import text_of
from memdir.store.errors import ConflictError, StoreError

if TYPE_CHECKING:
    from memdir.lsp import ext_jobs
    from memdir.lsp.server import MemdirServer
    from memdir.store.journal import Entry


async def changes(server: MemdirServer, given: Mapping[str, Any]) -> list[ext_jobs.PastChange]:
    """The changes to a folder's memory, the newest first."""
    from memdir.store.apply import list_entries

    site = await site_of(server, given)
    try:
        entries = await asyncio.to_thread(list_entries, site.state_dir, _within(site))
    except (StoreError, OSError) as error:
        raise _failed(error) from None
    return [_past(site, e) for e in entries]


async def undo(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.Done:
    """Take back the change `id`, by default the latest one of the folder."""
    from memdir.store.apply import undo as take_back
    from memdir.store.journal import Limits

    site = await site_of(server, given)
    ident = text_of(given, "id")
    if ident and not ident.isdecimal():
        raise JobError(msg("“{id}” is no number of a change.", id=ident))

    try:
        applied = await asyncio.to_thread(
            take_back,
            ident or None,
            state_dir=site.state_dir,
            now=site.now,
            within=() if ident else _within(site),
            limits=Limits.of(site.settings),
        )
    except ConflictError as error:
        raise JobError(error.message, {"clashes": clashes(site, error)}) from None
    except (StoreError, OSError) as error:
        raise _failed(error) from None
    server.session.disk_changed({*applied.changed, *applied.created, *applied.deleted})
    return site.done(applied)


def _within(site: Site) -> list[str]:
    return [m.root for m in site.folder.memories]


def _failed(error: StoreError | OSError) -> JobError:
    return JobError(error.message if isinstance(error, StoreError) else could_not_write(error))


def _past(site: Site, entry: Entry) -> ext_jobs.PastChange:
    return {
        "id": entry.id,
        "time": entry.time.isoformat(),
        "title": site.text(entry.title),
        "origin": entry.origin,
        "files": [
            {
                "uri": site.uri(t.path),
                "change": "created" if not t.before else "deleted" if not t.after else "changed",
            }
            for t in entry.touched
        ],
        "inForce": entry.in_force,
        "undoes": entry.undoes,
        "undoneBy": entry.undone_by,
    }
