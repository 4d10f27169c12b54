"""What the storage gives: versions of entries, pages of them, outcomes of writes."""

from __future__ import annotations

from dataclasses import dataclass

from memdir.team.protocol import Tag


@dataclass(frozen=True, slots=True)
class Stored:
    """One version of an entry; `content` is None for a removal or when only facts were asked for."""

    key: str
    version: int
    sha256: str
    size: int
    removed: bool
    content: bytes | None = None
    author: str = ""
    created: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Entries in the order of their versions up to `tag`; `more` when the state at the service is ahead of `tag`."""

    tag: Tag
    entries: tuple[Stored, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Written:
    """Outcome of a write: the new state, and which keys it changed."""

    tag: Tag
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
