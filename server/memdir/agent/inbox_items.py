"""What waits in the inbox: proposals of background jobs, with the words they rest on, as values and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from memdir.core.changes import FileOutcome
from memdir.core.document import Document
from memdir.core.i18n import Message
from memdir.store.journal import message_from_json, message_to_json

# memory: one file that extraction proposes. signal: words that may be worth a memory, for a person to write.
# consolidation: a change of many files.
ItemKind: TypeAlias = Literal["memory", "signal", "consolidation"]
KINDS: tuple[ItemKind, ...] = ("memory", "signal", "consolidation")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of a conversation. `path` is the session file, `line` 1-based, `offset` in bytes; `who` person or agent."""

    quote: str
    who: str
    path: str = ""
    line: int = 0
    offset: int = 0
    uuid: str = ""


@dataclass(frozen=True, slots=True)
class ProposedFile:
    """One file, relative to the memory directory; None for no file. `before` is what the proposal was made against."""

    rel: str
    before: bytes | None
    after: bytes | None
    reasons: tuple[Message, ...] = ()

    def outcome(self, root: str) -> FileOutcome:
        return FileOutcome(f"{root}/{self.rel}", self.before, self.after, None, self.reasons)

    def document(self, root: str) -> Document:
        """The file as it is proposed."""
        return Document(f"{root}/{self.rel}", self.rel, self.after or b"")


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the inbox. `type` is a suggested memory type, `signal` the kind of a signal; `id` is "" until added."""

    kind: ItemKind
    title: Message
    created: datetime
    files: tuple[ProposedFile, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    type: str = ""
    signal: str = ""
    id: str = ""
    notes: tuple[Message, ...] = ()
    groups: tuple[frozenset[str], ...] = ()

    @property
    def file(self) -> ProposedFile | None:
        """The one file of a memory, None for the others."""
        return self.files[0] if self.kind == "memory" and self.files else None


@dataclass(frozen=True, slots=True)
class Refused:
    """What a person did not want, in as few words as it takes to know it again."""

    kind: str
    name: str
    text: str
    quotes: tuple[str, ...]
    time: str


def item_to_json(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "kind": item.kind,
        "title": message_to_json(item.title),
        "created": item.created.isoformat(),
        "type": item.type,
        "signal": item.signal,
        "files": [
            {
                "rel": f.rel,
                "before": _text(f.before),
                "after": _text(f.after),
                "reasons": [message_to_json(r) for r in f.reasons],
            }
            for f in item.files
        ],
        "evidence": [
            {
                "quote": e.quote,
                "who": e.who,
                "path": e.path,
                "line": e.line,
                "offset": e.offset,
                "uuid": e.uuid,
            }
            for e in item.evidence
        ],
        "notes": [message_to_json(n) for n in item.notes],
        "groups": [sorted(g) for g in item.groups],
    }


def item_from_json(data: Mapping[str, Any]) -> Item:
    """Raises KeyError, TypeError or ValueError for anything that is no item."""
    kind = data["kind"]
    if kind not in KINDS:
        raise ValueError(f"no such kind: {kind!r}")
    return Item(
        kind=kind,
        title=message_from_json(data["title"]),
        created=datetime.fromisoformat(data["created"]),
        files=tuple(
            ProposedFile(
                str(f["rel"]),
                _bytes(f["before"]),
                _bytes(f["after"]),
                tuple(message_from_json(r) for r in f["reasons"]),
            )
            for f in data["files"]
        ),
        evidence=tuple(
            Evidence(
                str(e["quote"]),
                str(e["who"]),
                str(e["path"]),
                int(e["line"]),
                int(e["offset"]),
                str(e["uuid"]),
            )
            for e in data["evidence"]
        ),
        type=str(data["type"]),
        signal=str(data["signal"]),
        id=str(data["id"]),
        notes=tuple(message_from_json(n) for n in data["notes"]),
        groups=tuple(frozenset(map(str, g)) for g in data["groups"]),
    )


def _text(content: bytes | None) -> str | None:
    """Bytes as a JSON string that gives the same bytes back, also for files that are not UTF-8."""
    return None if content is None else content.decode("utf-8", "surrogateescape")


def _bytes(text: object) -> bytes | None:
    if text is None:
        return None
    if not isinstance(text, str):
        raise TypeError("content is no text")
    return text.encode("utf-8", "surrogateescape")
