"""What a refactoring offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.i18n import Message
from memdir.core.model import FileChange

Kind: TypeAlias = Literal["refactor.extract", "refactor.rewrite", "refactor.move", "source.organizeIndex"]


@dataclass(frozen=True, slots=True)
class Action:
    """`title` in the editor's menu, `kind` as LSP names it. `look_first`: show it before it is applied."""

    title: Message
    kind: Kind
    changes: tuple[FileChange, ...]
    look_first: bool = False
