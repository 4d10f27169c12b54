"""What completion offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.i18n import Message
from memdir.core.model import Span

ItemKind: TypeAlias = Literal["key", "value", "memory", "file", "folder", "snippet", "rule"]
Browse: TypeAlias = Callable[[str], Sequence[tuple[str, bool]]]


@dataclass(frozen=True, slots=True)
class Item:
    """`text` replaces `span`; with `snippet` it holds `$1`, `${1:…}` and `$0`.

    `rank` sorts before the label. `rel` names a memory whose card is the documentation, looked up on demand; else
    `documentation` is. `again`: ask for completion once more after this one.
    """

    label: str
    span: Span
    text: str
    kind: ItemKind
    detail: Message | None = None
    documentation: Message | None = None
    rel: str | None = None
    filter: str = ""
    rank: int = 0
    snippet: bool = False
    again: bool = False


def escape_snippet(text: str) -> str:
    """`text` inside a snippet, as it is."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
