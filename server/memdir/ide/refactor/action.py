"""What a refactoring offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.i18n import Message
from memdir.core.model import FileChange

Kind: TypeAlias = Literal["refactor.extract", "refactor.rewrite", "refactor.move", "source.organizeIndex"]


@dataclass(frozen=True, slots=True)
class Action:
    """`title` in the editor's menu, `kind` as LSP names it. `look_first`: show it before it is applied.

    `later` makes the changes where that costs more than a menu is worth.
    """

    title: Message
    kind: Kind
    changes: tuple[FileChange, ...] = ()
    look_first: bool = False
    later: Callable[[], tuple[FileChange, ...]] | None = None

    def all_changes(self) -> tuple[FileChange, ...]:
        """The changes, made now if they were left for later."""
        return self.later() if self.later is not None else self.changes
