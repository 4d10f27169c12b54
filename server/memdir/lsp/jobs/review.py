"""Proposals that wait for a person: shown file by file and hunk by hunk, taken whole or in part, or refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memdir.core.diff import FileDiff, diff_files, select
from memdir.core.i18n import Message, msg
from memdir.core.model import ChangeSet
from memdir.core.text import decode
from memdir.lsp import ext_jobs
from memdir.lsp.buffers import path_of
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.site import Site, could_not_write, site_of
from memdir.lsp.params import text_of
from memdir.store.errors import StoreError

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

Outcome = Callable[[str, bool], Awaitable[None]]


@dataclass(slots=True)
class Proposal:
    """`change_set` holds what still waits. `roots`: where it may write; `base`: paths are shown relative to it.

    consent: absolute path -> why taking that file needs explicit consent. lost: path -> what its result no longer says.
    ended: hears the id and whether anything was taken, once nothing waits any more.
    """

    kind: ext_jobs.ReviewKind
    folder: str
    change_set: ChangeSet
    roots: Sequence[str]
    base: str
    time: datetime
    notes: Sequence[Message] = ()
    consent: Mapping[str, Message] = field(default_factory=dict)
    lost: Mapping[str, Sequence[Message]] = field(default_factory=dict)
    ended: Outcome | None = None
    taken: bool = False


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
            raise JobError(msg("This proposal is no longer there; it was taken, refused or replaced."))
        return found

    def remove(self, ident: str) -> None:
        if self._open.pop(ident, None) is not None:
            self._server.jobs.announce()

    def items(self) -> list[tuple[str, Proposal]]:
        """(id, proposal), the oldest first."""
        return list(self._open.items())

    def __len__(self) -> int:
        return len(self._open)


async def reviews(server: MemdirServer, given: Mapping[str, Any]) -> list[ext_jobs.ReviewInfo]:
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


async def review(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.Review:
    """The proposal `id` in full. Files that changed since are left out, and a note says so."""
    ident = text_of(given, "id")
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
        "files": [_file(site, proposal, d) for d in found],
    }


async def accept(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.AcceptAnswer:
    """Take of the proposal `id` the `files` (URIs) and `hunks` (ids), or all of it.

    Files that need consent are taken only when `consent` lists them. Of a file that is taken in part, the rest is
    dropped; files that are not taken go on waiting.
    """
    ident = text_of(given, "id")
    proposal = server.jobs.reviews.get(ident)
    site = await site_of(server, {"folder": proposal.folder})
    found = await _diffs(proposal)
    files, hunks = _chosen(given, found, _paths(given.get("consent")), proposal)
    if not files and not hunks:
        raise JobError(
            msg("Nothing was taken: what is left deletes or shortens files, and needs your explicit consent.")
        )
    try:
        chosen = await asyncio.to_thread(
            select, proposal.change_set, read_present, files=sorted(files), hunks=sorted(hunks)
        )
    except ValueError:
        raise JobError(msg("The proposal has changed; look at it again.")) from None
    except (StoreError, OSError) as error:
        raise _unreadable(error) from None
    done = await site.apply(chosen, proposal.roots)
    proposal.taken = True
    touched = {d.old_path for d in found if d.path in files or d.old_path in files}
    touched |= {d.old_path for d in found for h in d.hunks if h.id in hunks}
    touched |= {d.path for d in found if d.old_path in touched}
    rest = tuple(c for c in proposal.change_set.changes if c.path not in touched)
    proposal.change_set = replace(proposal.change_set, changes=rest)
    if not rest:
        await _end(server, ident, proposal)
    else:
        server.jobs.announce()
    return {"done": done, "left": len({c.path for c in rest})}


async def refuse(server: MemdirServer, given: Mapping[str, Any]) -> int:
    """Drop the proposal `id`, or only its `files` (URIs). Gives how many files still wait."""
    ident = text_of(given, "id")
    proposal = server.jobs.reviews.get(ident)
    files = _paths(given.get("files"))
    rest = tuple(c for c in proposal.change_set.changes if files and c.path not in files)
    proposal.change_set = replace(proposal.change_set, changes=rest)
    if not rest:
        await _end(server, ident, proposal)
    else:
        server.jobs.announce()
    return len({c.path for c in rest})


def read_present(path: str) -> bytes | None:
    """Present content of a file, None when there is none."""
    from memdir.store.files import read_file

    try:
        return read_file(path).content
    except (FileNotFoundError, NotADirectoryError):
        return None


async def _end(server: MemdirServer, ident: str, proposal: Proposal) -> None:
    server.jobs.reviews.remove(ident)
    if proposal.ended is not None:
        await proposal.ended(ident, proposal.taken)


async def _diffs(proposal: Proposal) -> tuple[FileDiff, ...]:
    try:
        return await asyncio.to_thread(diff_files, proposal.change_set, read_present)
    except (StoreError, OSError) as error:
        raise _unreadable(error) from None


def _unreadable(error: StoreError | OSError) -> JobError:
    return JobError(error.message if isinstance(error, StoreError) else could_not_write(error))


def _chosen(
    given: Mapping[str, Any], found: Sequence[FileDiff], consent: set[str], proposal: Proposal
) -> tuple[set[str], set[str]]:
    """(paths taken whole, ids of hunks taken alone), without what lacks consent."""
    barred = {
        d.old_path
        for d in found
        if (d.path in proposal.consent or d.old_path in proposal.consent)
        and not {d.path, d.old_path} & consent
    }
    named = isinstance(given.get("files"), list) or isinstance(given.get("hunks"), list)
    files = _paths(given.get("files")) if named else {d.path for d in found}
    hunks = {h for h in given.get("hunks") or () if isinstance(h, str)}
    allowed = [d for d in found if d.old_path not in barred]
    whole = {d.path for d in allowed if d.path in files or d.old_path in files}
    return whole, {h.id for d in allowed if d.path not in whole for h in d.hunks if h.id in hunks}


def _paths(value: object) -> set[str]:
    """Paths of a list of URIs."""
    uris = value if isinstance(value, list) else ()
    return {p for u in uris if isinstance(u, str) and (p := path_of(u)) is not None}


def _file(site: Site, proposal: Proposal, diff: FileDiff) -> ext_jobs.ReviewFile:
    def text(content: bytes | None) -> str | None:
        return None if content is None else decode(content)[0].encode("utf-8", "replace").decode()

    consent = proposal.consent.get(diff.path) or proposal.consent.get(diff.old_path)
    lost = [*proposal.lost.get(diff.path, ())]
    return {
        "uri": site.uri(diff.path),
        "oldUri": site.uri(diff.old_path) if diff.old_path != diff.path else None,
        "label": _label(diff.path, proposal.base),
        "kind": diff.kind,
        "before": text(diff.before),
        "after": text(diff.after),
        "reasons": [site.text(r) for r in dict.fromkeys(diff.reasons)],
        "consent": site.text(consent) if consent else None,
        "lost": [site.text(m) for m in lost],
        "hunks": [
            {
                "id": h.id,
                "header": h.header,
                "lines": [line.encode("utf-8", "replace").decode() for line in h.lines],
            }
            for h in diff.hunks
        ],
    }


def _label(path: str, base: str) -> str:
    prefix = base.rstrip("/\\")
    return path[len(prefix) + 1 :] if path.startswith((prefix + "/", prefix + "\\")) else path
