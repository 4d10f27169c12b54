"""Deciding about a consolidation that waits in the inbox: whole, by file, by hunk, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from memdir.agent.consolidate_job import decide_logs
from memdir.agent.inbox_accept import proposal_of, rest_of, stale_files
from memdir.core.changes import FileOutcome
from memdir.core.consolidate import TITLE, Consolidation, only, with_consent
from memdir.core.diff import FileDiff, diff_outcomes
from memdir.core.i18n import Message, msg
from memdir.core.model import content_hash
from memdir.core.outcome import change_set_of
from memdir.core.text import apply_edits, decode, encode
from memdir.lsp import ext_review
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.clash import clash_of
from memdir.lsp.jobs.common import in_thread, inbox_of
from memdir.lsp.jobs.site import Site
from memdir.lsp.jobs.workspaces import own_workspace

if TYPE_CHECKING:
    from memdir.agent.inbox_items import Item, ProposedFile
    from memdir.core.preservation import Losses
    from memdir.core.rule import Context

T = TypeVar("T")


async def review_item(site: Site, ident: str, item: Item) -> ext_review.Review:
    """A consolidation of the inbox in full, judged against the memories as they are now."""
    found, context = await _judged(site, item)
    diffs = await asyncio.to_thread(diff_outcomes, found.outcomes)
    stale = _stale(found.outcomes, context)
    lost = lost_by_path(found.lost, context.directory.path_of)
    groups = _numbered(found)
    from memdir.lsp.jobs.review_files import file_of

    return {
        "id": ident,
        "kind": "consolidate",
        "folder": site.folder.uri,
        "title": site.text(item.title),
        "time": item.created.isoformat(),
        "notes": [site.text(n) for n in found.notes],
        "files": [
            file_of(
                site,
                diff,
                site.root,
                consent=found.consent.get(diff.path),
                lost=lost.get(diff.path, ()),
                group=groups.get(diff.path, 0),
            )
            for diff in diffs
            if diff.path not in stale
        ],
        "clashes": [clash_of(site, file, context) for file in stale_files(item, context)],
    }


async def accept_item(
    site: Site, item: Item, *, files: Collection[str] | None, hunks: Collection[str], consent: Collection[str]
) -> ext_review.AcceptAnswer:
    """Take of a consolidation the files (absolute paths; None: all) and single hunks; what is left goes on waiting."""
    found, context = await _judged(site, item)
    stale = _stale(found.outcomes, context)
    directory, settings = context.directory, site.settings

    def choose() -> Consolidation:
        some, paths = _chosen(found, files, hunks)
        return with_consent(only(some, directory, settings, paths - stale), directory, settings, consent)

    part = await asyncio.to_thread(choose)
    if not part:
        raise JobError(
            msg("Nothing was taken: what is left deletes or shortens files, and needs your explicit consent.")
        )
    bases = {content_hash(o.before): o.before for o in part.outcomes if o.before is not None}
    done = await site.apply(change_set_of(part.outcomes, TITLE, "consolidate"), bases=bases)
    left = await in_thread(lambda: _keep_rest(site, _after(item, site.root, part)))
    site.server.jobs.inboxes.changed()
    return {"done": done, "left": left}


async def refuse_item(
    site: Site, item: Item, *, files: Collection[str] = (), hunks: Collection[str] = ()
) -> int:
    """Refuse a consolidation, or only `files` (absolute paths) or `hunks` of it. Gives how many files still wait."""

    def work() -> int:
        rest = _without(item, site.root, files, hunks) if files or hunks else ()
        inbox = inbox_of(site)
        if rest:
            inbox.update(replace(item, files=rest))
        else:
            inbox.refuse(item.id, site.now)
            decide_logs(site.root, site.state_dir, item.created)
        return len(rest)

    left = await in_thread(work)
    site.server.jobs.inboxes.changed()
    return left


def _without(
    item: Item, root: str, files: Collection[str], hunks: Collection[str]
) -> tuple[ProposedFile, ...]:
    """The files of a consolidation that still wait when these are refused; a group goes as a whole."""
    prefix = root.rstrip("/") + "/"
    gone = {f.rel for f in item.files if prefix + f.rel in files}
    kept: list[ProposedFile] = []
    for file in item.files:
        outcome = file.outcome(root.rstrip("/"))
        [diff] = diff_outcomes([outcome]) or [None]
        refused = {h.id for h in diff.hunks if h.id in hunks} if diff else set()
        if diff is not None and refused:
            left = {h.id for h in diff.hunks} - refused
            if not left or any(file.rel in group for group in item.groups):
                gone.add(file.rel)
            else:
                kept.append(replace(file, after=_partly(outcome, diff, left).after))
                continue
        kept.append(file)
    for group in item.groups:
        if group & gone:
            gone |= {rel for rel in group if not rel.endswith("MEMORY.md")}
    return tuple(f for f in kept if f.rel not in gone)


def _after(item: Item, root: str, part: Consolidation) -> Item:
    """The item after `part` was written: of a file that was taken in part, the rest still waits."""
    taken = {o.path: o.after for o in part.outcomes}
    files = []
    for file in item.files:
        path = f"{root.rstrip('/')}/{file.rel}"
        partly = path in taken and taken[path] != file.after
        files.append(replace(file, before=taken[path]) if partly else file)
    return replace(item, files=tuple(files))


def lost_by_path(lost: Losses, path_of: Callable[[str], str]) -> dict[str, list[Message]]:
    """What a result no longer holds, by the file it stood in."""
    found: dict[str, list[Message]] = {}
    for one in lost.gone:
        found.setdefault(path_of(one.rel), []).append(msg("no longer said: {text}", text=one.text))
    for one in lost.reworded:
        found.setdefault(path_of(one.rel), []).append(
            msg("said otherwise: {text} → {nearest}", text=one.text, nearest=one.nearest)
        )
    for one in lost.links:
        found.setdefault(path_of(one.rel), []).append(msg("link no longer there: {target}", target=one.text))
    for one in lost.dates:
        found.setdefault(path_of(one.rel), []).append(msg("date no longer there: {day}", day=one.text))
    return found


async def _judged(site: Site, item: Item) -> tuple[Consolidation, Context]:
    """The proposal and the memories on the disk as they are now."""
    workspace = own_workspace(site)

    def read() -> tuple[Consolidation, Context]:
        store = workspace.stores[0]
        store.refresh()
        context = workspace.context(store, site.now)
        return proposal_of(item, context), context

    return await asyncio.to_thread(read)


def _stale(outcomes: Sequence[FileOutcome], context: Context) -> set[str]:
    """Paths that are no longer what the proposal was made against."""
    root = context.directory.root + "/"
    stale = set()
    for outcome in outcomes:
        present = context.directory.get(outcome.path.removeprefix(root))
        if (present.content if present else None) != outcome.before:
            stale.add(outcome.path)
    return stale


def _chosen(
    found: Consolidation, files: Collection[str] | None, hunks: Collection[str]
) -> tuple[Consolidation, set[str]]:
    """`found` with files cut to the chosen hunks, and the paths that were chosen. A file of a group counts whole, with
    the group."""
    if files is None:
        return found, {o.path for o in found.outcomes}
    grouped = {p: g for g in found.groups for p in g}
    paths = set(files)
    partly: dict[str, FileOutcome] = {}
    diffs = {d.path: d for d in diff_outcomes(found.outcomes)} if hunks else {}
    for outcome in found.outcomes:
        diff = diffs.get(outcome.path)
        wanted = {h.id for h in diff.hunks if h.id in hunks} if diff else set()
        if diff is None or not wanted or outcome.path in paths:
            continue
        paths.add(outcome.path)
        if outcome.path not in grouped and len(wanted) < len(diff.hunks):
            partly[outcome.path] = _partly(outcome, diff, wanted)
    paths |= {p for path in paths & set(grouped) for p in grouped[path]}
    outcomes = tuple(partly.get(o.path, o) for o in found.outcomes)
    return replace(found, outcomes=outcomes), paths


def _partly(outcome: FileOutcome, diff: FileDiff, hunks: Collection[str]) -> FileOutcome:
    """The outcome with some of its hunks."""
    text, bom = decode(outcome.before or b"")
    edits = [e for h in diff.hunks if h.id in hunks for e in h.edits]
    return replace(outcome, after=encode(apply_edits(text, edits), bom))


def _numbered(found: Consolidation) -> dict[str, int]:
    return {path: number for number, group in enumerate(found.groups, 1) for path in group}


def _keep_rest(site: Site, item: Item) -> int:
    """Leave in the inbox what still waits; gives the number of its files."""
    workspace = own_workspace(site)
    store = workspace.stores[0]
    store.refresh()
    rest = rest_of(item, workspace.context(store, site.now))
    inbox = inbox_of(site)
    if rest is None:
        inbox.remove([item.id])
        decide_logs(site.root, site.state_dir, item.created)
        return 0
    inbox.update(rest)
    return len(rest.files)
