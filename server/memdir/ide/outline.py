"""Symbols: what a document is made of, and the memories of a directory by words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.markdown import Heading
from memdir.core.model import Span
from memdir.ide.pointers import name_span

SymbolKind: TypeAlias = Literal["memory", "header", "field", "section", "entry"]
LIMIT = 200  # of workspace symbols: nobody reads further


@dataclass(slots=True)
class Symbol:
    """`span` is all of it, `name_span` what to show when it is chosen."""

    name: str
    detail: str
    kind: SymbolKind
    span: Span
    name_span: Span
    children: list[Symbol] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that answers a query."""

    document: Document
    span: Span


def document_symbols(document: Document, directory: Directory) -> list[Symbol]:
    """Header with its fields, sections as a tree, index entries in their sections."""
    roots = [*_header(document)]
    sections = _sections(document)
    entries = (
        directory.entries(document) if document.kind == "index" or directory.is_listing(document) else ()
    )
    tops: list[Symbol] = []
    stack: list[tuple[int, Symbol]] = []
    items: list[tuple[int, Symbol]] = sorted(
        [
            *((level, symbol) for level, symbol in sections),
            *((99, Symbol(e.title, e.hook, "entry", e.span, e.title_span)) for e in entries),
        ],
        key=lambda item: item[1].span.start,
    )
    for level, symbol in items:
        while stack and stack[-1][0] >= level:
            stack.pop()
        (stack[-1][1].children if stack else tops).append(symbol)
        if level < 99:
            stack.append((level, symbol))
    return roots + tops


def _header(document: Document) -> Iterator[Symbol]:
    header = document.frontmatter
    if header is None:
        return
    fields = [
        Symbol(
            ".".join(f.path),
            f.value,
            "field",
            Span(f.key_span.start, max(f.value_span.end, f.key_span.end)),
            f.key_span,
        )
        for f in header.fields
        if f.style != "map"
    ]
    shown = document.name or document.stem
    yield Symbol(shown, document.type, "header", header.span, document.lines.span(0), fields)


def _sections(document: Document) -> Iterator[tuple[int, Symbol]]:
    headings = document.markdown.headings
    for i, heading in enumerate(headings):
        end = _section_end(headings[i + 1 :], heading, len(document.text))
        name = heading.text or "#" * heading.level
        yield heading.level, Symbol(name, "", "section", Span(heading.span.start, end), heading.span)


def _section_end(following: Iterable[Heading], heading: Heading, end: int) -> int:
    return next((h.span.start for h in following if h.level <= heading.level), end)


def search(query: str, directories: Iterable[Directory]) -> list[Found]:
    """Memories whose name, file, type or description holds every word of `query`, the best first.

    A word such as `feedback` or `team` also means the type or the scope. Letters of a word may be apart in names, as
    editors let people type them.
    """
    words = query.casefold().split()
    ranked: list[tuple[int, str, Document]] = []
    for directory in directories:
        for document in directory.topics():
            rank = _rank(document, words)
            if rank is not None:
                ranked.append((rank, document.title.casefold(), document))
    ranked.sort(key=lambda r: (r[0], r[1], r[2].path))
    return [Found(d, name_span(d)) for _, _, d in ranked[:LIMIT]]


def _rank(document: Document, words: list[str]) -> int | None:
    title, stem = document.title.casefold(), document.stem.casefold()
    rest = f"{document.description} {document.type} {document.scope}".casefold()
    total = 0
    for word in words:
        if title.startswith(word) or stem.startswith(word):
            continue
        if word in title or word in stem:
            total += 1
        elif word in rest:
            total += 2
        elif _scattered(word, title) or _scattered(word, stem):
            total += 4
        else:
            return None
    return total


def _scattered(word: str, text: str) -> bool:
    letters = iter(text)
    return all(c in letters for c in word)
