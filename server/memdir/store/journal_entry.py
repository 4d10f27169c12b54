"""What a journal entry says, and how it is written as JSON."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from memdir.core.i18n import Message, Value
from memdir.store.transact import State

Outcome: TypeAlias = Literal["pending", "swapped", "committed", "rolled-back"]
FINAL: tuple[Outcome, ...] = ("committed", "rolled-back")


@dataclass(frozen=True, slots=True)
class Touched:
    """One path of an entry. Hashes are "" where there is no file before or after."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One change as the journal tells it. `undone_by` is the entry that undid it and is itself in force.

    `dirs` are directories made for it, `leaves` those that it leaves behind and that go when they are empty. `kept` are
    files that somebody else changed before an interrupted change could be taken back.
    """

    id: str
    time: datetime
    origin: str
    title: Message
    touched: tuple[Touched, ...]
    roots: tuple[str, ...]
    dirs: tuple[str, ...]
    leaves: tuple[str, ...]
    undoes: str | None
    outcome: Outcome
    kept: tuple[str, ...] = ()
    undone_by: str | None = None
    size: int = 0

    @property
    def in_force(self) -> bool:
        """Carried out and not undone."""
        return self.outcome == "committed" and self.undone_by is None


def read_entry(header: dict[str, Any], tail: bytes, size: int) -> Entry | None:
    """The entry of a file with this header line and these last bytes; None when it is not complete."""
    ready, outcome, kept = False, "pending", ()
    for line in tail.split(b"\n")[:-1]:  # what follows the last line break is half written
        if line.startswith(b'{"ready"'):
            ready = True
        elif line.startswith(b'{"outcome"'):
            with contextlib.suppress(
                ValueError
            ):  # half written by a process that died, ended by the next one
                data = json.loads(line)
                outcome, kept = data["outcome"], tuple(data["kept"])
    if not ready:
        return None
    return Entry(
        id=header["id"],
        time=datetime.fromisoformat(header["time"]),
        origin=header["origin"],
        title=message_from_json(header["title"]),
        touched=tuple(Touched(i["path"], i["before"]["hash"], i["after"]["hash"]) for i in header["items"]),
        roots=tuple(header["roots"]),
        dirs=tuple(header["dirs"]),
        leaves=tuple(header["leaves"]),
        undoes=header["undoes"],
        outcome=outcome,  # type: ignore[arg-type]  # written by `mark` only
        kept=kept,
        size=size,
    )


def state_to_json(state: State) -> dict[str, object]:
    """A state without its content, which has a line of its own."""
    return {"kind": state.kind, "hash": state.hash, "mode": state.mode, "mtime_ns": state.mtime_ns}


def state_from_json(data: Mapping[str, Any], blobs: Mapping[str, bytes]) -> State:
    """Inverse of `state_to_json`, with the contents by hash."""
    content = blobs[data["hash"]] if data["kind"] != "absent" else b""
    return State(data["kind"], content, data["mode"], data["mtime_ns"])


def message_to_json(message: Message) -> dict[str, object]:
    """A message as JSON values: template and arguments, so that it can be shown in another locale later."""
    args = {k: message_to_json(v) if isinstance(v, Message) else v for k, v in message.args}
    return {"template": message.template, "args": args}


def message_from_json(data: Mapping[str, Any]) -> Message:
    """Inverse of `message_to_json`."""
    args: dict[str, Value] = {
        k: message_from_json(v) if isinstance(v, dict) else v for k, v in data["args"].items()
    }
    return Message(data["template"], tuple(args.items()))
