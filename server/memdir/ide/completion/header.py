"""Inside the header: keys that are missing, types with their meaning, names of other memories."""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.lazy_re import lazy
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.core.taxonomy import TYPES
from memdir.ide.completion.item import Item
from memdir.ide.hover import type_card
from memdir.ide.pointers import REFERENCE_KEYS

_KEY = lazy(r"(?P<indent>[ \t]*)(?P<key>[A-Za-z_][\w-]*)?$")
_VALUE = lazy(r"[ \t]*(?P<key>[A-Za-z_][\w-]*)[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<value>[^\"']*)$")


def _keys() -> tuple[tuple[str, Message], ...]:
    return (
        ("name", msg("What the memory is called.")),
        (
            "description",
            msg("One line that says what a question about this would ask: recall chooses by it."),
        ),
        ("type", msg("user, feedback, project or reference.")),
        ("modified", msg("The day on which the memory was last verified; its age counts from here.")),
        ("created", msg("The day on which the memory was written.")),
        ("tags", msg("Words of your own.")),
        ("supersedes", msg("The memory that this one replaces.")),
        ("superseded_by", msg("The memory that replaces this one.")),
        ("relates_to", msg("Other memories on the subject.")),
    )


def complete(document: Document, context: Context, offset: int) -> list[Item] | None:
    """Keys or values at `offset`; None outside the header."""
    header = document.frontmatter
    if header is None or not (header.inner.start <= offset <= header.inner.end) or document.kind != "topic":
        return None
    line = document.lines.span(document.lines.line_of(offset))
    before = document.text[line.start : offset]
    value = _VALUE.match(before)
    if value is not None:
        return _values(document, context, value["key"], Span(offset - len(value["value"].lstrip()), offset))
    key = _KEY.match(before)
    if key is None or key["indent"]:
        return []
    present = {f.key for f in header.fields}
    start = offset - len(key["key"] or "")
    end = offset
    while end < line.end and (document.text[end].isalnum() or document.text[end] in "_-"):
        end += 1
    colon = "" if document.text[end : end + 1] == ":" else ": "
    here = document.text[start:end]
    return [
        Item(name, Span(start, end), name + colon, "key", documentation=text, rank=rank, again=name == "type")
        for rank, (name, text) in enumerate(_keys())
        if name not in present or name == here
    ]


def _values(document: Document, context: Context, key: str, span: Span) -> list[Item]:
    if key == "type":
        return _types(document, context, span)
    if key in ("modified", "created", "updated"):
        today = context.now.date().isoformat()
        return [Item(today, span, today, "value", detail=msg("today"))]
    if key in REFERENCE_KEYS:
        return [
            Item(
                d.stem,
                span,
                d.stem,
                "memory",
                detail=msg("{text}", text=d.title),
                rel=d.rel,
                filter=f"{d.stem} {d.title}",
            )
            for d in context.directory.topics()
            if d is not document
        ]
    return []


def _types(document: Document, context: Context, span: Span) -> list[Item]:
    """The types, those that may stand in this scope first."""
    team = document.scope == "team"
    items = []
    for rank, type_ in enumerate(TYPES.values()):
        fits = type_.team_allowed or not team
        detail = type_.holds if fits else msg("never in team memory: {rule}", rule=type_.scope_rule)
        preferred = type_.default_scope == "team" if team else True
        order = rank + (0 if fits and preferred else 10 if fits else 20)
        items.append(
            Item(
                type_.name,
                span,
                type_.name,
                "value",
                detail=detail,
                documentation=type_card(type_),
                rank=order,
            )
        )
    own = (
        Item(t, span, t, "value", detail=msg("from your settings"), rank=30)
        for t in context.settings.extend_types
    )
    return [*items, *own]
