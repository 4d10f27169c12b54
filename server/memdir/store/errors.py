"""What can go wrong at the disk, as errors that carry a message for people.

Every error of the store derives from `StoreError`; callers print `error.message` in their locale and need to know
nothing else. A clash is richer: it carries the texts of a three-way view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.i18n import Message, msg


class StoreError(Exception):
    """Something at the disk was refused or failed; `message` says what, where and what helps."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class RefusedError(StoreError):
    """A path that can't be proved to be inside the given roots, or that is no ordinary file (fail closed)."""


class LockedError(StoreError):
    """Another process kept a lock for longer than the caller was willing to wait."""


class JournalError(StoreError):
    """The journal has no such entry, or its entry can't be used any more."""


ClashKind: TypeAlias = Literal["changed", "exists", "missing"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """One file that is not as the change expected it.

    `base`: what the change was made against, if known; `mine`: what the change wanted (None: no file, or the base is
    unknown); `theirs`: what is there now (None: no file). `kind` says how it differs: the file was changed meanwhile,
    exists where a new one should go, or is missing.
    """

    path: str
    kind: ClashKind
    base: bytes | None
    mine: bytes | None
    theirs: bytes | None

    @property
    def message(self) -> Message:
        """One sentence that names the file and the remedy."""
        if self.kind == "exists":
            return msg(
                "{path}: a file with this name exists already; nothing was written over it.", path=self.path
            )
        if self.kind == "missing":
            return msg("{path}: the file is gone, so the change can't be applied to it.", path=self.path)
        return msg(
            "{path}: the file was changed meanwhile; its present text was kept. Look at both and try again.",
            path=self.path,
        )


class ConflictError(StoreError):
    """Files changed since the proposal was made. Nothing was written; `conflicts` has every clash."""

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        self.conflicts = tuple(conflicts)
        super().__init__(self.conflicts[0].message)
