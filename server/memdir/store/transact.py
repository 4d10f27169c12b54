"""Several files from one state to another, all or none, also when the process is killed in between.

A transaction is described completely before it begins (the journal has it by then): every item with the state
before and after. New content is staged beside its target first, so a full disk is met before anything has changed;
then each target is swapped with its staged file. What an interruption left is sorted out by `store.rollback`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.model import content_hash
from memdir.store.exchange import exchange
from memdir.store.files import Place, open_folder, read_file, stage

Kind: TypeAlias = Literal["absent", "file", "link", "other"]
# Called before each step with its name; a test's hook ends the process or raises there.
Step: TypeAlias = Callable[[str], None]

# From this many files on, one sync of the whole system is cheaper than one flush per file.
_SYNC_ALL_FROM = 64


@dataclass(frozen=True, slots=True)
class State:
    """What is under a path: nothing, a file, a link (`content` is where it points), or something never touched."""

    kind: Kind
    content: bytes = b""
    mode: int | None = None
    mtime_ns: int | None = None

    @property
    def hash(self) -> str:
        """Hash of the content; "" for nothing."""
        return content_hash(self.content) if self.kind in ("file", "link") else ""

    def same(self, other: State) -> bool:
        """Equal in kind and bytes; mode and time don't count. Directories and devices are never the same."""
        return self.kind == other.kind != "other" and self.content == other.content


ABSENT = State("absent")


@dataclass(frozen=True, slots=True)
class Item:
    """One path of a transaction; `root` and `path` are real paths, `tmp` the name of its staged file."""

    root: str
    path: str
    before: State
    after: State
    tmp: str


class ChangedError(Exception):
    """A target was not in its `before` state when its turn came."""

    def __init__(self, item: Item, theirs: State) -> None:
        super().__init__(item.path)
        self.item = item
        self.theirs = theirs


class Folders:
    """Opens each directory of a transaction once, for the length of a `with` block."""

    def __init__(self, made: Callable[[str], None] | None = None) -> None:
        self._made = made
        self._stack = ExitStack()
        self._open: dict[tuple[str, str], int | None] = {}

    def __enter__(self) -> Folders:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def place(self, item: Item) -> Place:
        """Where `item` is; FileNotFoundError when its directory is missing and none may be made."""
        folder, name = os.path.split(item.path)
        key = (item.root, folder)
        if key not in self._open:
            self._open[key] = self._stack.enter_context(open_folder(item.root, folder, made=self._made))
        fd = self._open[key]
        return Place(fd, item.path if fd is None else name)

    def sync(self) -> None:
        """Flush every directory opened so far."""
        for fd in self._open.values():
            if fd is not None:
                os.fsync(fd)


def read_state(place: Place) -> State:
    """The state under `place`, links not followed; what is no file, or too large for one, is "other"."""
    info = place.stat()
    if info is None:
        return ABSENT
    if stat.S_ISLNK(info.st_mode):
        return State("link", os.fsencode(os.readlink(place.name, dir_fd=place.fd)))
    if not stat.S_ISREG(info.st_mode):
        return State("other")
    try:
        found = read_file(place.name, follow_links=False, dir_fd=place.fd)
    except FileNotFoundError:
        return ABSENT
    return State("other") if found.truncated else State("file", found.content, found.mode, found.mtime_ns)


def run(items: Sequence[Item], *, step: Step, made: Callable[[str], None]) -> None:
    """Bring every item from before to after; the old files stay under the temporary names until `tidy`.

    Raises ChangedError or OSError half way: then call `store.rollback.roll_back`. `made` hears of each directory that
    had to be created.
    """
    with Folders(made) as folders:
        places = [folders.place(item) for item in items]
        each = len(items) < _SYNC_ALL_FROM
        for number, (item, place) in enumerate(zip(items, places, strict=True)):
            step(f"stage {number}")
            put(place.sibling(item.tmp), item.after, flush=each)
            _keep_owner(place, place.sibling(item.tmp))
        if not each and hasattr(os, "sync"):
            os.sync()
        step("staged")
        for number in _order(items):
            step(f"swap {number}")
            _swap(items[number], places[number], step, number)
        folders.sync()


def tidy(items: Sequence[Item], *, step: Step) -> None:
    """Remove what `run` left under temporary names, after the journal knows that it came to its end."""
    with Folders() as folders:
        for number, item in enumerate(items):
            step(f"tidy {number}")
            with suppress(FileNotFoundError):
                folders.place(item).sibling(item.tmp).unlink()


def put(tmp: Place, state: State, *, flush: bool = True) -> None:
    """Make `state` under the free name `tmp`; nothing for an absent one."""
    if state.kind == "file":
        stage(tmp, state.content, mode=state.mode, mtime_ns=state.mtime_ns, flush=flush)
    elif state.kind == "link":
        os.symlink(os.fsdecode(state.content), tmp.name, dir_fd=tmp.fd)


def _order(items: Sequence[Item]) -> list[int]:
    """Numbers of `items`, removals last: a renamed memory is never missing, at worst there twice."""
    return sorted(range(len(items)), key=lambda n: items[n].after.kind == "absent")


def _keep_owner(place: Place, tmp: Place) -> None:
    """Give the staged file the owner of the one it replaces, where we may: root must not take a person's files."""
    old, new = place.stat(), tmp.stat()
    if (
        old is None
        or new is None
        or (old.st_uid, old.st_gid) == (new.st_uid, new.st_gid)
        or not hasattr(os, "chown")
    ):
        return
    with suppress(PermissionError):
        os.chown(tmp.name, old.st_uid, old.st_gid, dir_fd=tmp.fd, follow_symlinks=False)


def _swap(item: Item, place: Place, step: Step, number: int) -> None:
    """One target from before to after; the old file ends under the temporary name."""
    tmp = place.sibling(item.tmp)
    present = read_state(place)
    if not present.same(item.before):
        raise ChangedError(item, present)
    step(f"checked {number}")
    if item.before.kind == "absent":
        try:
            tmp.move_new(place)
        except FileExistsError:
            raise ChangedError(item, read_state(place)) from None
        return
    if item.after.kind == "absent":
        place.replace(tmp)
    elif not exchange(tmp, place):
        tmp.replace(place)  # no swap on this system: the check a moment ago is all there is
        return
    step(f"moved {number}")
    displaced = read_state(tmp)
    if displaced.same(item.before):
        return
    # Somebody wrote between check and swap: theirs goes back.
    if item.after.kind != "absent":
        exchange(tmp, place)
    else:
        with suppress(FileExistsError):
            tmp.move_new(place)
    raise ChangedError(item, displaced)


def steps_of(items: Sequence[Item]) -> Iterator[str]:
    """Names of the steps that `run` and then `tidy` announce for `items`, in order, where the system can swap."""
    yield from (f"stage {n}" for n in range(len(items)))
    yield "staged"
    for number in _order(items):
        yield from (f"swap {number}", f"checked {number}")
        if items[number].before.kind != "absent":
            yield f"moved {number}"
    yield from (f"tidy {n}" for n in range(len(items)))
