"""Which entries of an index are lost to a limit, and how a message names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.index import Entry
from memdir.core.model import Finding, Related, Span
from memdir.core.rule import Context

# A limit no index reaches: asks what the other limit alone would do.
_NO_LIMIT = 1 << 60
_SHOWN = 3
_MAX_RELATED = 100


@dataclass(frozen=True, slots=True)
class Losses:
    """`span` marks the first entry that is lost (the first lost line when no entry is); `data` is for JSON output."""

    span: Span
    entries: tuple[Entry, ...]
    related: tuple[Related, ...]
    data: Mapping[str, object]


def losses(context: Context, document: Document, limit: Literal["lines", "size"]) -> Losses:
    """What the limit costs the index. Only for an index that is over it."""
    settings, directory = context.settings, context.directory
    lines = settings.index_lines if limit == "lines" else _NO_LIMIT
    size = settings.index_size if limit == "size" else _NO_LIMIT
    at = directory.loaded(document, lines, size).lost_from
    at = len(document.text) if at is None else at
    lost = tuple(e for e in directory.entries(document) if e.span.end > at)
    span = lost[0].span if lost else document.lines.span(document.lines.line_of(at))
    related = tuple(
        Related(document.path, e.span, msg("lost: {title}", title=e.title))
        for e in lost[1 : _MAX_RELATED + 1]
    )
    rows = [{"line": e.line, "title": e.title, "target": e.targets[0].path} for e in lost]
    return Losses(span, lost, related, {"lost_from": at, "lost": rows})


def lost_finding(
    context: Context, document: Document, limit: Literal["lines", "size"], said: Message
) -> Finding:
    """The finding of an index over `limit`: what is `said` of it, then the first titles that are lost."""
    lost = losses(context, document, limit)
    if lost.entries:
        said = msg("{said} Lost entries: {titles}.", said=said, titles=shown_titles(lost.entries))
    return Finding(lost.span, said, (), lost.related, lost.data)


def shown_titles(entries: Sequence[Entry]) -> Message | str:
    """The first titles and how many more there are."""
    shown = ", ".join(f"“{e.title}”" for e in entries[:_SHOWN])
    more = len(entries) - _SHOWN
    return msg("{titles} and {count} more", titles=shown, count=more) if more > 0 else shown
