"""Carrying out change sets: the only way, besides the editor's own edits, that memory files are written.

`apply` proves every path inside the given roots, checks base hashes, writes the journal, then changes all files or
none. `undo` goes back byte for byte, times included. What a killed process left is for `memdir.store.recovery`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from memdir.core.changes import FileOutcome
from memdir.core.i18n import Message, msg
from memdir.core.model import ChangeSet
from memdir.store.errors import ConflictError, JournalError, StoreError
from memdir.store.files import resolve_inside
from memdir.store.journal import Entry, Journal, Limits
from memdir.store.plan import clash_of, content_of, look, missing_dirs, plan
from memdir.store.recovery import settle
from memdir.store.rollback import remove_empty, roll_back
from memdir.store.transact import ChangedError, Item, State, Step, run, tidy


@dataclass(frozen=True, slots=True)
class Applied:
    """What was done. `id` is the journal's entry, None when there was nothing to change; paths are real paths."""

    id: str | None
    changed: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


def _no_step(_: str) -> None:
    return


def apply(
    change_set: ChangeSet,
    *,
    roots: Sequence[str],
    state_dir: str,
    now: datetime,
    bases: Mapping[str, bytes] | None = None,
    limits: Limits | None = None,
    timeout: float = 10.0,
    step: Step = _no_step,
) -> Applied:
    """Change all files of `change_set` or none, and remember how to undo it.

    roots: the directories that may be written to (they need not exist yet); paths outside, after resolving links, raise
    RefusedError. bases: contents by hash the changes were made against, for the three-way view of a clash (the
    journal's own are known anyway). limits: what the journal keeps afterwards
    (`Limits.of(settings)`); None prunes nothing. timeout: seconds to wait for another process. step: hears each step before it is
    taken (tests end the process there).
    Raises ConflictError when files are not as the set expects them, LockedError, ValueError for overlapping edits,
    StoreError or OSError when writing fails; nothing has changed then.
    """
    journal = Journal(state_dir)
    with journal.lock(timeout):
        unsettled = {t.path for r in settle(journal, now) if r.failed for t in r.entry.touched}
        items = plan(change_set, roots, journal, bases or {})
        entry_id = journal.next_id()
        items = [_named(i, entry_id, n) for n, i in enumerate(items)]
        for item in items:
            if item.path in unsettled:
                raise StoreError(
                    msg(
                        "{path} is part of an interrupted change that could not be undone yet.",
                        path=item.path,
                    )
                )
        if not items:
            return Applied(None)
        _transact(
            journal,
            items,
            entry_id=entry_id,
            title=change_set.title,
            origin=change_set.origin,
            now=now,
            step=step,
            limits=limits,
        )
    return _applied(entry_id, items)


def undo(
    entry_id: str | None = None,
    *,
    state_dir: str,
    now: datetime,
    within: Sequence[str] = (),
    timeout: float = 10.0,
    limits: Limits | None = None,
    step: Step = _no_step,
) -> Applied:
    """Undo the change `entry_id`, by default the latest one that is in force (undoing an undo repeats the change).

    within: directories; the default is then the latest change to files in one of them.
    Raises JournalError when there is nothing to undo, ConflictError when a file changed since: then nothing is undone.
    """
    journal = Journal(state_dir)
    with journal.lock(timeout):
        settle(journal, now)
        if entry_id is None:
            entry_id = _latest(journal, within)
        entry, done = journal.load(entry_id)
        if not entry.in_force:
            raise JournalError(msg("Change {id} is not in force, so there is nothing to undo.", id=entry_id))
        new_id = journal.next_id()
        items = [_named(_inverse(item), new_id, n) for n, item in enumerate(done)]
        clashes = [clash_of(i, present) for i in items if not i.before.same(present := _present(i))]
        if clashes:
            raise ConflictError(clashes)
        items = [_with_present(i) for i in items]
        title = msg("Undo: {title}", title=entry.title)
        _transact(
            journal,
            items,
            entry_id=new_id,
            title=title,
            origin=entry.origin,
            undone=entry,
            now=now,
            step=step,
            limits=limits,
        )
    return _applied(new_id, items)


def list_entries(state_dir: str, within: Sequence[str] = ()) -> list[Entry]:
    """Every change the journal knows, the newest first; with `within`, those that touched files in these directories."""
    entries = Journal(state_dir).entries()
    return [e for e in entries if _touches(e, within)] if within else entries


def undo_outcomes(
    entry_id: str | None, *, state_dir: str, within: Sequence[str] = ()
) -> tuple[Entry, tuple[FileOutcome, ...]]:
    """What `undo` would do, for a preview: the entry and its files. JournalError as `undo`."""
    journal = Journal(state_dir)
    entry, items = journal.load(entry_id or _latest(journal, within))
    return entry, tuple(FileOutcome(i.path, content_of(i.after), content_of(i.before)) for i in items)


def _latest(journal: Journal, within: Sequence[str]) -> str:
    for entry in journal.entries():
        if entry.in_force and entry.undoes is None and (not within or _touches(entry, within)):
            return entry.id
    raise JournalError(msg("There is no change to undo."))


def _touches(entry: Entry, within: Sequence[str]) -> bool:
    folders = tuple(os.path.realpath(folder).rstrip(os.sep) + os.sep for folder in within)
    return any(t.path.startswith(folders) for t in entry.touched)


def _transact(
    journal: Journal,
    items: list[Item],
    *,
    entry_id: str,
    title: Message,
    origin: str,
    now: datetime,
    step: Step,
    limits: Limits | None,
    undone: Entry | None = None,
) -> None:
    """All of `items` or none. ConflictError when a file changed at the last moment."""
    leaves = undone.dirs if undone else ()
    dirs: list[str] = []
    step("journal")
    journal.begin(
        entry_id,
        items,
        time=now,
        origin=origin,
        title=title,
        roots=dict.fromkeys(i.root for i in items),
        dirs=missing_dirs(items),
        leaves=leaves,
        undoes=undone.id if undone else None,
    )
    step("journaled")
    try:
        run(items, step=step, made=dirs.append)
        step("mark")
        journal.mark(entry_id, "swapped", now)
    except BaseException as error:
        kept, _ = roll_back(items, dirs, whole=True)
        journal.mark(entry_id, "rolled-back", now, kept)
        if isinstance(error, ChangedError):
            raise ConflictError([clash_of(error.item, error.theirs)]) from error
        raise
    step("marked")
    with suppress(OSError):  # carried out and known to be; the next `recover` finishes what fails here
        tidy(items, step=step)
        remove_empty(leaves)
        step("commit")
        journal.mark(entry_id, "committed", now)
    if limits is not None:
        journal.prune(limits, now)


def _named(item: Item, entry_id: str, number: int) -> Item:
    return Item(
        item.root,
        item.path,
        item.before,
        item.after,
        f".memdir-{entry_id}-{number}-{os.urandom(3).hex()}.tmp",
    )


def _inverse(item: Item) -> Item:
    return Item(item.root, item.path, item.after, item.before, "")


def _present(item: Item) -> State:
    resolve_inside(item.path, [item.root], keep_last=True)
    return look(item.root, item.path)


def _with_present(item: Item) -> Item:
    """With mode and time of the file as it is now, so that undoing the undo brings those back too."""
    return Item(item.root, item.path, _present(item), item.after, item.tmp)


def _applied(entry_id: str, items: Sequence[Item]) -> Applied:
    created = tuple(i.path for i in items if i.before.kind == "absent")
    deleted = tuple(i.path for i in items if i.after.kind == "absent")
    changed = tuple(i.path for i in items if "absent" not in (i.before.kind, i.after.kind))
    return Applied(entry_id, changed, created, deleted)
