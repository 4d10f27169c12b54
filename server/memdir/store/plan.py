"""From a change set to the items of a transaction: every path proved inside, every base checked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from memdir.core.changes import Clash, FileOutcome, intended, paths_of, project, rebase_paths
from memdir.core.i18n import msg
from memdir.core.model import ChangeSet, DeleteFile, RenameFile
from memdir.store.errors import ClashKind, Conflict, ConflictError, RefusedError
from memdir.store.files import MAX_BYTES, open_place, read_file, resolve_inside
from memdir.store.journal import Journal
from memdir.store.transact import ABSENT, Item, State, read_state


def plan(
    change_set: ChangeSet, roots: Sequence[str], journal: Journal, bases: Mapping[str, bytes]
) -> list[Item]:
    """The items of `change_set`, without names for their staged files.

    RefusedError for a path outside `roots`, ConflictError for files that are not as the set expects them, ValueError
    for edits that overlap.
    """
    real: dict[str, str] = {}
    root_of: dict[str, str] = {}
    moved = [c for c in change_set.changes if isinstance(c, RenameFile)]
    itself = {c.path for c in change_set.changes if isinstance(c, (DeleteFile, RenameFile))} | {
        c.new_path for c in moved
    }
    for path in paths_of(change_set):
        root, real[path] = resolve_inside(path, roots, keep_last=path in itself)
        root_of[real[path]] = root
    states = {path: look(root, path) for path, root in root_of.items()}

    def read(path: str) -> bytes | None:
        state = states[path]
        if state.kind == "link":  # hashed by what it leads to; deleting or renaming concerns the link
            return read_file(path).content if os.path.isfile(path) else b""
        return None if state.kind == "absent" else state.content

    outcomes, clashes = project(rebase_paths(change_set, real), read)
    if clashes:
        known = dict(bases)
        known |= journal.find(
            {b for c in clashes if (b := getattr(c.change, "base", None)) and b not in known}
        )
        raise ConflictError([_conflict(c, known) for c in clashes])
    items = []
    for outcome in outcomes:
        source = outcome.renamed_from or outcome.path
        after = _after(outcome, states[source], read(source))
        items.append(Item(root_of[outcome.path], outcome.path, states[outcome.path], after, ""))
    return [i for i in items if not i.before.same(i.after)]


def look(root: str, path: str) -> State:
    """What is under the real path `path` now; RefusedError for anything but a file of bounded size or a link."""
    try:
        with open_place(root, path) as place:
            state = read_state(place)
    except FileNotFoundError:
        return ABSENT
    if state.kind == "other":
        raise RefusedError(
            msg(
                "{path} is not an ordinary file of at most {limit} MiB, so it is left alone.",
                path=path,
                limit=MAX_BYTES >> 20,
            )
        )
    return state


def clash_of(item: Item, theirs: State) -> Conflict:
    """The conflict of an item whose path is in the state `theirs` instead of `item.before`."""
    kind: ClashKind = "changed"
    if theirs.kind == "absent":
        kind = "missing"
    elif item.before.kind == "absent":
        kind = "exists"
    return Conflict(item.path, kind, content_of(item.before), content_of(item.after), content_of(theirs))


def missing_dirs(items: Sequence[Item]) -> list[str]:
    """Directories that have to be made for `items`."""
    missing: dict[str, None] = {}
    for item in items:
        folder = os.path.dirname(item.path)
        while item.after.kind != "absent" and folder not in missing and not os.path.isdir(folder):
            missing[folder] = None
            folder = os.path.dirname(folder)
    return list(missing)


def _after(outcome: FileOutcome, source: State, present: bytes | None) -> State:
    """The state `outcome` asks for; `source` is the file it comes from, `present` its content."""
    if outcome.after is None:
        return ABSENT
    if outcome.renamed_from is not None and outcome.after == present:
        return source  # moved as it is: a link stays one, and a memory's age moves along
    if source.kind == "link":
        raise RefusedError(
            msg("{path} is a link, so it can only be moved or removed as it is.", path=outcome.path)
        )
    return State("file", outcome.after, source.mode)


def content_of(state: State) -> bytes | None:
    """Bytes of a state, None for no file."""
    return None if state.kind == "absent" else state.content


def _conflict(clash: Clash, bases: Mapping[str, bytes]) -> Conflict:
    base = bases.get(getattr(clash.change, "base", ""))
    return Conflict(clash.path, clash.kind, base, intended(clash.change, bases), clash.theirs)
