"""What a synchronisation did and how things stand, as values for the command line and the editor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memdir.core.i18n import Message

Outcome: TypeAlias = Literal["ok", "waiting", "suppressed", "failed"]


@dataclass(slots=True)
class Report:
    """One run. `waiting`: a passing failure, tried again by itself; `suppressed`: nothing was tried, for the same reasons as last time.

    Keys: `pulled` were written here, `pushed` sent; `pruned` were removed at the team, since
    a consolidation removed them here; `returned` had been deleted here and came back; `merged` are indexes whose
    entries were joined; `conflicts` were changed on both sides (ours is in the journal). `missed` could not be written now.
    """

    outcome: Outcome = "ok"
    message: Message | None = None
    wait: float = 0.0
    pulled: list[str] = field(default_factory=list)
    pushed: list[str] = field(default_factory=list)
    pruned: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    missed: dict[str, Message] = field(default_factory=dict)

    @property
    def changed(self) -> bool:
        """Something moved in either direction."""
        return bool(self.pulled or self.pushed or self.pruned)


@dataclass(frozen=True, slots=True)
class ConflictView:
    """Both texts of a conflict; `mine` is None when the journal has forgotten it."""

    key: str
    mine: str | None
    theirs: str | None
    author: str
    time: str
    entry: str


@dataclass(frozen=True, slots=True)
class Status:
    """How things stand, without asking the network."""

    transport: str
    url: str
    repository: str
    root: str
    last_pull: str
    last_push: str
    pending: tuple[str, ...]
    conflicts: tuple[str, ...]
    blocked: dict[str, Message]
    refused: dict[str, Message]
    held: dict[str, list[Message]]
    removed: tuple[str, ...]
    returned: tuple[str, ...]
    failure: Message | None
    not_before: str
    suppressed: bool
    notes: tuple[Message, ...] = ()
