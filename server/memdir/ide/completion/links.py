"""Links to memories: `[[`, the target of a link, a whole index entry."""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.index_edit import Shape, entry_line, link_path, link_target
from memdir.core.lazy_re import lazy
from memdir.core.model import Span
from memdir.core.moving import relative_path
from memdir.core.rule import Context
from memdir.ide.completion.item import Item

_WIKI = lazy(r"\[\[(?P<name>[^\[\]\n|#]*)$")
_TARGET = lazy(r"\]\((?P<open><?)(?P<path>[^()\n<>]*)$")
_ENTRY = lazy(r"[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+(?P<text>\[?[^\[\]()\n]*)$")


def wikilinks(document: Document, context: Context, offset: int) -> list[Item] | None:
    """Names of memories behind `[[`; closes the brackets that are not closed yet."""
    m = _WIKI.search(_before(document, offset))
    if m is None or document.markdown.in_code(offset):
        return None
    span = Span(offset - len(m["name"]), offset)
    after = document.text[offset : offset + 2]
    closing = "" if after == "]]" else "]" if after.startswith("]") else "]]"
    return [
        Item(
            other.stem,
            span,
            other.stem + closing,
            "memory",
            detail=_detail(other),
            rel=other.rel,
            filter=f"{other.stem} {other.title}",
            rank=0 if other.scope == document.scope else 1,
        )
        for other in context.directory.topics()
        if other is not document
    ]


def targets(document: Document, context: Context, offset: int) -> list[Item] | None:
    """Files behind `](`; in an index, memories that no index lists come first."""
    m = _TARGET.search(_before(document, offset))
    if m is None or document.markdown.in_code(offset):
        return None
    span = Span(offset - len(m["path"]), offset)
    closing = "" if document.text[offset : offset + 1] in (")", ">") else (">" if m["open"] else "") + ")"
    items = []
    for other in context.directory.topics():
        if other is document:
            continue
        path = relative_path(document.rel, other.rel)
        bare = path if m["open"] else link_target(path)
        items.append(
            Item(
                path,
                span,
                bare + closing,
                "file",
                detail=_detail(other),
                rel=other.rel,
                filter=f"{path} {other.title}",
                rank=0 if document.kind == "index" and context.directory.is_orphan(other) else 1,
            )
        )
    return items


def entries(document: Document, context: Context, offset: int) -> list[Item] | None:
    """Whole entries behind the bullet of an index, for memories that it does not list."""
    if document.kind != "index" or document.markdown.in_code(offset):
        return None
    before = _before(document, offset)
    m = _ENTRY.match(before)
    if m is None:
        return None
    span = Span(offset - len(m["text"]), offset)
    if document.text[offset : offset + 1] == "]":  # the bracket that the editor closed
        span = Span(span.start, offset + 1)
    limit = context.settings.entry_info
    return [
        Item(
            other.title,
            span,
            entry_line(Shape(prefix=""), link_path(document, other), other, limit),
            "memory",
            detail=_detail(other),
            rel=other.rel,
            filter=f"{m['text'][:1]}{other.title} {other.stem}",
        )
        for other in context.directory.topics()
        if context.directory.is_orphan(other) and context.directory.index_for(other) is document
    ]


def _before(document: Document, offset: int) -> str:
    return document.text[document.lines.start(document.lines.line_of(offset)) : offset]


def _detail(document: Document) -> Message:
    if document.type:
        return msg("{type}: {text}", type=document.type, text=document.description or document.title)
    return msg("{text}", text=document.description or document.title)
