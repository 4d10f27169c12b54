"""Folding: header, sections, entries with what is indented below them, blocks of entries, code and comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.lazy_re import lazy

FoldKind: TypeAlias = Literal["header", "section", "entry", "block", "code", "comment"]
_ITEM = lazy(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines `first` to `last` (0-based, inclusive, at least two) fold into the first."""

    first: int
    last: int
    kind: FoldKind


def folds(document: Document, directory: Directory) -> list[Fold]:
    """Everything that can be folded, in order; of two folds that begin on one line the longer comes first, no two are
    the same lines."""
    found: dict[tuple[int, int], Fold] = {}
    for fold in _all(document, directory):
        above = _line_above(document, fold.first) if fold.kind == "block" else fold.first
        if fold.last > fold.first and (above == fold.first or (above, -fold.last) not in found):
            found.setdefault((fold.first, -fold.last), fold)  # else the heading above folds just these lines
    return [found[key] for key in sorted(found)]


def _line_above(document: Document, number: int) -> int:
    """The nearest line with text above `number`, -1 for none."""
    number -= 1
    while number >= 0 and not document.lines.line(number).strip():
        number -= 1
    return number


def _all(document: Document, directory: Directory) -> Iterator[Fold]:
    lines, markdown = document.lines, document.markdown
    header = document.frontmatter
    if header is not None:
        yield Fold(0, _last_line(document, header.span.end), "header")
    open_sections: list[tuple[int, int]] = []  # level, line
    for heading in (*markdown.headings, None):
        level = heading.level if heading else 0
        end = heading.span.start if heading else len(document.text)
        while open_sections and open_sections[-1][0] >= level:
            yield Fold(open_sections.pop()[1], _last_line(document, end), "section")
        if heading is not None:
            open_sections.append((level, lines.line_of(heading.span.start)))
    for code in markdown.code:
        if code.kind != "span":
            yield Fold(lines.line_of(code.span.start), _last_line(document, code.span.end), "code")
    for comment in markdown.comments:
        yield Fold(lines.line_of(comment.span.start), _last_line(document, comment.span.end), "comment")
    yield from _items(document)
    if document.kind == "index" or directory.is_listing(document):
        yield from _blocks(document, directory)


def _last_line(document: Document, end: int) -> int:
    """The last line with text before `end`."""
    text = document.text
    while end > 0 and text[end - 1] in " \t\r\n":
        end -= 1
    return document.lines.line_of(end - 1) if end else 0


def _items(document: Document) -> Iterator[Fold]:
    """List items with the lines that belong to them by indentation."""
    lines = document.lines
    hidden = _literal_lines(document)
    open_items: list[tuple[int, int]] = []  # indentation, line
    last = -1  # the last line with text
    for number in range(lines.line_of(document.body_start), lines.count):
        text = lines.line(number)
        if not text.strip():
            continue
        indent = len(text) - len(text.lstrip(" \t"))
        if number not in hidden:
            while open_items and open_items[-1][0] >= indent:
                yield Fold(open_items.pop()[1], last, "entry")
            if _ITEM.match(text):
                open_items.append((indent, number))
        last = number
    for _, first in open_items:
        yield Fold(first, last, "entry")


def _literal_lines(document: Document) -> set[int]:
    """Lines of code blocks behind the first one: what looks like a list there is none."""
    lines = document.lines
    return {
        number
        for code in document.markdown.code
        if code.kind != "span"
        for number in range(lines.line_of(code.span.start), _last_line(document, code.span.end) + 1)
    }


def _blocks(document: Document, directory: Directory) -> Iterator[Fold]:
    """Runs of two and more entries without an empty line or a heading between them."""
    lines = document.lines
    headings = {lines.line_of(h.span.start) for h in document.markdown.headings}
    rows = [e.line for e in directory.entries(document)]
    at = 0
    while at < len(rows):
        first, end = rows[at], rows[at] + 1
        while end < lines.count and lines.line(end).strip() and end not in headings:
            end += 1
        while at < len(rows) and rows[at] < end:
            at += 1
        if rows[at - 1] > first:
            yield Fold(first, end - 1, "block")
