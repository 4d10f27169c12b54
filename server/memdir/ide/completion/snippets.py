"""A whole new memory of each type, in an empty file or after its first fence."""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.fixing import type_from_stem, words_from_stem
from memdir.core.i18n import msg
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.core.taxonomy import TYPES, MemoryType
from memdir.ide.completion.item import Item, escape_snippet
from memdir.ide.hover import type_card


def complete(document: Document, context: Context, offset: int) -> list[Item] | None:
    """One snippet per type, while the file holds nothing else; the type that the file name announces first."""
    if (
        document.kind != "topic"
        or document.text.strip() not in ("", "-", "--", "---")
        or offset > 3 + len(document.newline)
    ):
        return None
    announced = type_from_stem(document.stem)
    team = document.scope == "team"
    return [
        Item(
            label=type_.name,
            span=Span(0, len(document.text)),
            text=snippet(type_, words_from_stem(document.stem)),
            kind="snippet",
            detail=msg("New {type} memory: {holds}", type=type_.name, holds=type_.holds),
            documentation=type_card(type_),
            filter="---" + type_.name,
            rank=0 if type_.name == announced else 1,
            snippet=True,
        )
        for type_ in TYPES.values()
        if type_.team_allowed or not team
    ]


def snippet(type_: MemoryType, name: str) -> str:
    """The text of a new memory with places to fill in."""
    lines = [
        "---",
        f"name: ${{1:{escape_snippet(name)}}}",
        "description: $2",
        f"type: {type_.name}",
        "---",
        "",
        "$3",
    ]
    for number, part in enumerate(type_.parts, 4):
        lines += ["", f"{part.label} ${number}"]
    return "\n".join(lines) + "\n$0"
