"""The inbox of a memory directory: proposals that wait for a person, in the state directory.

One JSON file, replaced whole under a lock, so that jobs, editors and the command line never lose each other's changes. A
file that can't be understood is put aside, not overwritten.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from memdir.agent.inbox_items import Item, Refused, item_from_json, item_to_json
from memdir.agent.inbox_known import knows, signature
from memdir.core.i18n import msg
from memdir.store.errors import StoreError
from memdir.store.files import atomic_write, read_file
from memdir.store.lock import hold
from memdir.store.state import private_dir

MAX_ITEMS = 200  # nobody reads more; further ones are not taken until some are decided
MAX_REFUSED = 1_000
MAX_BYTES = 16 * 1024 * 1024
T = TypeVar("T")


class InboxError(StoreError):
    """There is no such item. `message` says what there is."""


@dataclass(frozen=True, slots=True)
class Added:
    """What came of adding: the items with their ids, and how many were known, or had no room."""

    items: tuple[Item, ...] = ()
    known: int = 0
    no_room: int = 0


@dataclass(slots=True)
class _Content:
    items: list[Item]
    refused: list[Refused]
    next: int = 1


class Inbox:
    """The inbox of `memory_dir`. Every method reads or writes the file; nothing is cached. Raises StoreError, OSError."""

    def __init__(self, state_dir: str, memory_dir: str) -> None:
        real = os.path.realpath(memory_dir)
        self.memory_dir = memory_dir
        self._folder = os.path.join(state_dir, "inbox")
        key = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
        self.path = os.path.join(self._folder, key + ".json")

    def items(self) -> list[Item]:
        """What waits, oldest first."""
        return self._read().items

    def refused(self) -> list[Refused]:
        """What was refused, oldest first."""
        return self._read().refused

    def get(self, item_id: str) -> Item:
        """One item. InboxError when there is none."""
        found = next((i for i in self.items() if i.id == item_id), None)
        if found is None:
            raise InboxError(
                msg("There is no proposal {id} in the inbox; `memdir inbox` lists them.", id=item_id)
            )
        return found

    def add(self, items: Sequence[Item]) -> Added:
        """Take in what is neither waiting nor refused. A new consolidation takes the place of one that waits."""

        def change(content: _Content) -> Added:
            added: list[Item] = []
            known = no_room = 0
            for item in items:
                pending = [signature(i) for i in content.items]
                if knows([*pending, *content.refused], item) is not None:
                    known += 1
                    continue
                if item.kind == "consolidation":
                    content.items = [i for i in content.items if i.kind != "consolidation"]
                if len(content.items) >= MAX_ITEMS:
                    no_room += 1
                    continue
                numbered = replace(item, id=str(content.next))
                content.next += 1
                content.items.append(numbered)
                added.append(numbered)
            return Added(tuple(added), known, no_room)

        return self._change(change)

    def update(self, item: Item) -> None:
        """Replace the item with the same id. InboxError when it is gone."""

        def change(content: _Content) -> None:
            at = _position(content, item.id)
            content.items[at] = item

        self._change(change)

    def remove(self, item_ids: Iterable[str]) -> None:
        """Drop items that were accepted; unknown ids are fine."""
        ids = set(item_ids)

        def change(content: _Content) -> None:
            content.items = [i for i in content.items if i.id not in ids]

        self._change(change)

    def refuse(self, item_id: str, now: datetime) -> Item:
        """Drop an item for good: what it says will not be proposed again. InboxError when it is gone."""

        def change(content: _Content) -> Item:
            item = content.items.pop(_position(content, item_id))
            content.refused.append(signature(item, now.isoformat(timespec="seconds")))
            content.refused = content.refused[-MAX_REFUSED:]
            return item

        return self._change(change)

    def _change(self, change: Callable[[_Content], T]) -> T:
        private_dir(self._folder)
        with hold(self.path + ".lock"):
            content = self._read()
            result = change(content)
            atomic_write(self.path, _to_json(content), mode=0o600)
        return result

    def _read(self) -> _Content:
        try:
            data = json.loads(read_file(self.path, cap=MAX_BYTES).content)
            return _from_json(data)
        except FileNotFoundError:
            return _Content([], [])
        except (ValueError, TypeError, KeyError, RecursionError, AttributeError):
            with contextlib.suppress(
                OSError
            ):  # damaged, or of a later version: keep it for whoever can read it
                os.replace(self.path, self.path + ".damaged")
            return _Content([], [])


def _position(content: _Content, item_id: str) -> int:
    for number, item in enumerate(content.items):
        if item.id == item_id:
            return number
    raise InboxError(msg("There is no proposal {id} in the inbox; `memdir inbox` lists them.", id=item_id))


def _to_json(content: _Content) -> bytes:
    data = {
        "version": 1,
        "next": content.next,
        "items": [item_to_json(i) for i in content.items],
        "refused": [
            {"kind": r.kind, "name": r.name, "text": r.text, "quotes": list(r.quotes), "time": r.time}
            for r in content.refused
        ],
    }
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode()


def _from_json(data: Any) -> _Content:
    if data["version"] != 1:
        raise ValueError("a later version")
    refused = [
        Refused(str(r["kind"]), str(r["name"]), str(r["text"]), tuple(map(str, r["quotes"])), str(r["time"]))
        for r in data["refused"]
    ]
    return _Content([item_from_json(i) for i in data["items"]], refused, int(data["next"]))
