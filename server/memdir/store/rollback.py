"""Sorting out an interrupted transaction: back to before, keeping whatever somebody else wrote meanwhile."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from memdir.store.files import Place, resolve_inside
from memdir.store.transact import ABSENT, Folders, Item, State, put, read_state


def roll_back(
    items: Sequence[Item], dirs: Sequence[str], *, whole: bool = False
) -> tuple[tuple[str, ...], bool]:
    """Finish or revert what `transact.run` left. Gives (paths that somebody else changed and that stayed so, done).

    done: every target had come to `after`, so the transaction counts as carried out (never with `whole`: that reverts
    it then too). Else all went back to `before`, and the directories `dirs` made for it are removed when empty. Raises OSError or RefusedError when even that
    fails; calling it again later continues.
    """
    with Folders() as folders:
        found = [_look(item, folders) for item in items]
        rescued = {one.item.path for one in found if one.rescue()}
        foreign = tuple(one.item.path for one in found if one.item.path in rescued or one.foreign)
        done = not whole and not foreign and all(one.at_after for one in found)
        if not done:
            for one in found:
                one.revert()
            folders.sync()
        for one in found:
            one.tidy()
    if not done:
        remove_empty(dirs)
    return foreign, done


def remove_empty(dirs: Sequence[str]) -> None:
    """Remove the directories of `dirs` that are empty, deepest first."""
    for path in sorted(dirs, key=len, reverse=True):
        with suppress(OSError):
            os.rmdir(path)


@dataclass(slots=True)
class _Found:
    """An item as it is found after an interruption."""

    item: Item
    place: Place | None  # None: its directory is not there (any more)
    state: State
    aside: State  # under the temporary name

    @property
    def at_after(self) -> bool:
        return self.state.same(self.item.after)

    @property
    def foreign(self) -> bool:
        return not self.at_after and not self.state.same(self.item.before)

    def rescue(self) -> bool:
        """Put back a version by somebody else that the swap moved aside; True when there was one.

        After a swap the temporary name holds the old file; before it, what was staged (perhaps half of it). Only in
        the first case is the target already as after, so only then unknown content there is another's.
        """
        if self.place is None or self.aside.kind == "absent" or not self.at_after:
            return False
        if self.aside.same(self.item.before) or self.aside.same(self.item.after):
            return False
        self.place.sibling(self.item.tmp).replace(self.place)
        self.state, self.aside = self.aside, ABSENT
        return True

    def revert(self) -> None:
        before = self.item.before
        if self.foreign or self.state.same(before) or self.place is None:
            return
        if before.kind == "absent":
            self.place.unlink()
            return
        tmp = self.place.sibling(self.item.tmp)
        if not self.aside.same(before):  # else it is the old file itself, with its times
            tmp.unlink()
            put(tmp, before)
        tmp.replace(self.place)

    def tidy(self) -> None:
        if self.place is not None:
            self.place.sibling(self.item.tmp).unlink()


def _look(item: Item, folders: Folders) -> _Found:
    resolve_inside(item.path, [item.root], keep_last=True)
    try:
        place = folders.place(item)
    except FileNotFoundError:
        return _Found(item, None, ABSENT, ABSENT)
    return _Found(item, place, read_state(place), read_state(place.sibling(item.tmp)))
