"""Proposals that wait for a person: shown file by file and hunk by hunk, taken whole or in part, or refused.

Those of the doctor live as long as the connection, those of consolidation wait in the inbox (ids `inbox:<item>:<folder>`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memdir.core.diff import FileDiff, diff_files, select
from memdir.core.i18n import Message, msg
from memdir.core.model import ChangeSet
from memdir.lsp import ext_review
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.review_files import file_of, paths_of_uris, read_present
from memdir.lsp.jobs.site import Site, could_not_write, site_of
from memdir.lsp.params import text_of
from memdir.store.errors import StoreError

if TYPE_CHECKING:
    from memdir.agent.inbox_items import Item
    from memdir.lsp.server import MemdirServer


@dataclass(slots=True)
class Proposal:
    """`change_set` holds what still waits. `roots`: where it may write; `base`: paths are shown relative to it.

    consent: absolute path -> why taking that file needs explicit consent.
    """

    kind: ext_review.ReviewKind
    folder: str
    change_set: ChangeSet
    roots: Sequence[str]
    base: str
    time: datetime
    notes: Sequence[Message] = ()
    consent: Mapping[str, Message] = field(default_factory=dict)


class Reviews:
    """The proposals of one connection, by id."""

    def __init__(self, server: MemdirServer) -> None:
        self._server = server
        self._open: dict[str, Proposal] = {}
        self._serial = 0

    def add(self, proposal: Proposal) -> str:
        """Keep a proposal; gives its id. One of the same kind that writes to the same places is replaced."""
        for ident, known in list(self._open.items()):
            same = (known.kind, known.folder, tuple(known.roots)) == (
                proposal.kind,
                proposal.folder,
                tuple(proposal.roots),
            )
            if same:
                del self._open[ident]
        self._serial += 1
        ident = str(self._serial)
        self._open[ident] = proposal
        self._server.jobs.announce()
        return ident

    def get(self, ident: str) -> Proposal:
        """JobError when it is gone."""
        found = self._open.get(ident)
        if found is None:
            raise _gone()
        return found

    def remove(self, ident: str) -> None:
        if self._open.pop(ident, None) is not None:
            self._server.jobs.announce()

    def clear(self, kind: ext_review.ReviewKind) -> None:
        """Forget every proposal of a kind."""
        for ident in [i for i, p in self._open.items() if p.kind == kind]:
            self.remove(ident)

    def items(self) -> list[tuple[str, Proposal]]:
        """(id, proposal), the oldest first."""
        return list(self._open.items())

    def __len__(self) -> int:
        return len(self._open)


async def reviews(server: MemdirServer, given: Mapping[str, Any]) -> list[ext_review.ReviewInfo]:
    """Everything that waits, of one folder or of all."""
    folder = text_of(given, "folder")
    locale = server.client.locale
    from memdir.core.i18n import render

    return [
        {
            "id": ident,
            "kind": p.kind,
            "folder": p.folder,
            "title": render(p.change_set.title, locale),
            "files": len({c.path for c in p.change_set.changes}),
            "time": p.time.isoformat(),
        }
        for ident, p in server.jobs.reviews.items()
        if not folder or p.folder == folder
    ]


async def review(server: MemdirServer, given: Mapping[str, Any]) -> ext_review.Review:
    """The proposal `id` in full. Files that changed since are left out, and a note says so."""
    ident = text_of(given, "id")
    waiting = await _of_inbox(server, ident)
    if waiting is not None:
        from memdir.lsp.jobs.proposals import review_item

        return await review_item(waiting[0], ident, waiting[1])
    proposal = server.jobs.reviews.get(ident)
    site = await site_of(server, {"folder": proposal.folder})
    found = await _diffs(proposal)
    notes = [site.text(n) for n in proposal.notes]
    shown = {p for d in found for p in (d.path, d.old_path)}
    stale = sorted({c.path for c in proposal.change_set.changes} - shown)
    if stale:
        notes.append(
            site.text(
                msg(
                    "Changed meanwhile, so nothing is proposed for it any more: {path}", path=", ".join(stale)
                )
            )
        )
    return {
        "id": ident,
        "kind": proposal.kind,
        "folder": proposal.folder,
        "title": site.text(proposal.change_set.title),
        "time": proposal.time.isoformat(),
        "notes": notes,
        "files": [
            file_of(
                site,
                d,
                proposal.base,
                consent=proposal.consent.get(d.path) or proposal.consent.get(d.old_path),
            )
            for d in found
        ],
        "clashes": [],  # what mends a directory is made anew by asking the doctor again
    }


async def accept(server: MemdirServer, given: Mapping[str, Any]) -> ext_review.AcceptAnswer:
    """Take of the proposal `id` the `files` (URIs) and `hunks` (ids), or all of it.

    Files that need consent are taken only when `consent` lists them. What is not taken goes on waiting. Of the doctor's
    proposals files are taken whole.
    """
    ident = text_of(given, "id")
    waiting = await _of_inbox(server, ident)
    if waiting is not None:
        from memdir.lsp.jobs.proposals import accept_item

        named = isinstance(given.get("files"), list) or isinstance(given.get("hunks"), list)
        return await accept_item(
            *waiting,
            files=paths_of_uris(given.get("files")) if named else None,
            hunks=_names(given.get("hunks")),
            consent=paths_of_uris(given.get("consent")),
        )
    proposal = server.jobs.reviews.get(ident)
    site = await site_of(server, {"folder": proposal.folder})
    found = await _diffs(proposal)
    files = _chosen(given, found, paths_of_uris(given.get("consent")), proposal)
    if not files:
        raise JobError(
            msg("Nothing was taken: what is left deletes or shortens files, and needs your explicit consent.")
        )
    try:
        chosen = await asyncio.to_thread(select, proposal.change_set, read_present, files=sorted(files))
    except ValueError:
        raise JobError(msg("The proposal has changed; look at it again.")) from None
    except (StoreError, OSError) as error:
        raise _unreadable(error) from None
    done = await site.apply(chosen, proposal.roots)
    touched = {p for d in found if d.path in files for p in (d.path, d.old_path)}
    rest = tuple(c for c in proposal.change_set.changes if c.path not in touched)
    proposal.change_set = replace(proposal.change_set, changes=rest)
    if not rest:
        server.jobs.reviews.remove(ident)
    return {"done": done, "left": len({c.path for c in rest})}


async def refuse(server: MemdirServer, given: Mapping[str, Any]) -> int:
    """Drop the proposal `id`, or only its `files` (URIs) or `hunks` (ids). Gives how many files still wait."""
    ident = text_of(given, "id")
    waiting = await _of_inbox(server, ident)
    if waiting is not None:
        from memdir.lsp.jobs.proposals import refuse_item

        return await refuse_item(
            *waiting, files=paths_of_uris(given.get("files")), hunks=_names(given.get("hunks"))
        )
    proposal = server.jobs.reviews.get(ident)
    files = paths_of_uris(given.get("files"))
    files |= _of_hunks(await _diffs(proposal), _names(given.get("hunks")))
    rest = tuple(c for c in proposal.change_set.changes if files and c.path not in files)
    proposal.change_set = replace(proposal.change_set, changes=rest)
    if not rest:
        server.jobs.reviews.remove(ident)
    return len({c.path for c in rest})


async def _of_inbox(server: MemdirServer, ident: str) -> tuple[Site, Item] | None:
    """The item of an inbox that an id names; None for other ids. JobError when it is gone."""
    kind, _, rest = ident.partition(":")
    if kind != "inbox":
        return None
    from memdir.agent.inbox import InboxError
    from memdir.lsp.jobs.common import inbox_of

    number, _, folder = rest.partition(":")
    site = await site_of(server, {"folder": folder})
    try:
        return site, await asyncio.to_thread(inbox_of(site).get, number)
    except InboxError:
        raise _gone() from None
    except (StoreError, OSError) as error:
        raise _unreadable(error) from None


def _gone() -> JobError:
    return JobError(msg("This proposal is no longer there; it was taken, refused or replaced."))


async def _diffs(proposal: Proposal) -> tuple[FileDiff, ...]:
    try:
        return await asyncio.to_thread(diff_files, proposal.change_set, read_present)
    except (StoreError, OSError) as error:
        raise _unreadable(error) from None


def _unreadable(error: StoreError | OSError) -> JobError:
    return JobError(error.message if isinstance(error, StoreError) else could_not_write(error))


def _chosen(
    given: Mapping[str, Any], found: Sequence[FileDiff], consent: set[str], proposal: Proposal
) -> set[str]:
    """The paths to take, without what lacks consent."""
    named = isinstance(given.get("files"), list) or isinstance(given.get("hunks"), list)
    files = paths_of_uris(given.get("files")) if named else {d.path for d in found}
    files |= _of_hunks(found, _names(given.get("hunks")))
    barred = {p for p in proposal.consent if p not in consent}
    return {
        d.path
        for d in found
        if (d.path in files or d.old_path in files)
        and (not {d.path, d.old_path} & barred or {d.path, d.old_path} & consent)
    }


def _of_hunks(found: Sequence[FileDiff], hunks: set[str]) -> set[str]:
    """Paths of the files that hold one of these hunks."""
    return {d.path for d in found if any(h.id in hunks for h in d.hunks)}


def _names(value: object) -> set[str]:
    return {v for v in value if isinstance(v, str)} if isinstance(value, list) else set()
