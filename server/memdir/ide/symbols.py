"""Symbols: what a file is made of, and the memories of a directory by name, file or type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memdir.core.daily_log import ENTRY
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.model import Span
from memdir.core.prose import plain

SymbolKind: TypeAlias = Literal["header", "field", "section", "part", "entry", "event"]
LIMIT = 200  # of workspace symbols: nobody reads further, and editors ask again with every letter
_BOTTOM = 99  # level of what holds nothing else
_LABEL = lazy(r"(?:[ \t]*[-*+][ \t]+)?(?:\*\*|__)(?P<label>[^*_\n:：]{1,60})[:：]?(?:\*\*|__)[ \t]*[:：]?")
TYPE_ORDER = ("feedback", "project", "user", "reference")


@dataclass(slots=True)
class Symbol:
    """`span` is all of it, `name_span` (inside it) what is selected when it is chosen."""

    name: str
    detail: str
    kind: SymbolKind
    span: Span
    name_span: Span
    children: list[Symbol] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that answers a query. `name` holds the words that matched, for editors filter by it once more."""

    document: Document
    name: str


def document_symbols(document: Document, directory: Directory) -> list[Symbol]:
    """Header with its fields; sections, and in them labelled paragraphs, index entries or the events of a log."""
    roots = list(_header(document))
    stack: list[tuple[int, Symbol]] = []
    for level, symbol in sorted(_body(document, directory), key=lambda item: item[1].span.start):
        while stack and stack[-1][0] >= level:
            stack.pop()
        (stack[-1][1].children if stack else roots).append(symbol)
        if level < _BOTTOM:
            stack.append((level, symbol))
    return roots


def _header(document: Document) -> Iterator[Symbol]:
    header = document.frontmatter
    if header is None:
        return
    fields = [
        Symbol(
            ".".join(f.path),
            " ".join(f.value.split()),
            "field",
            Span(f.key_span.start, max(f.value_span.end, f.key_span.end)),
            f.key_span,
        )
        for f in header.fields
        if f.style != "map"
    ]
    yield Symbol(
        document.name or document.stem,
        document.type,
        "header",
        header.span,
        document.lines.span(0),
        sorted(fields, key=lambda s: s.span),
    )


def _body(document: Document, directory: Directory) -> Iterator[tuple[int, Symbol]]:
    headings = document.markdown.headings
    ends: dict[int, int] = {}
    begun: list[int] = []
    for number, heading in enumerate(headings):
        while begun and headings[begun[-1]].level >= heading.level:
            ends[begun.pop()] = heading.span.start
        begun.append(number)
    for number, heading in enumerate(headings):
        span = Span(heading.span.start, ends.get(number, len(document.text)))
        yield heading.level, Symbol(plain(heading.text), "", "section", span, heading.span)
    if document.kind == "log":
        yield from _events(document)
    elif document.kind == "index" or directory.is_listing(document):
        for e in directory.entries(document):
            yield _BOTTOM, Symbol(e.title, e.hook, "entry", e.span, _inside(e.title_span, e.span))
    else:
        yield from _parts(document)


def _events(document: Document) -> Iterator[tuple[int, Symbol]]:
    lines = document.lines
    for number in range(lines.line_of(document.body_start), lines.count):
        row = lines.line(number)
        found = ENTRY.match(row)
        if found is None:
            continue
        end = number
        while end + 1 < lines.count and lines.line(end + 1)[:1] in (" ", "\t"):
            end += 1
        span = Span(lines.start(number), lines.span(end).end)
        time = found[0].strip(" \t-*+[]`:,")
        symbol = Symbol(time, plain(row[found.end() :]), "event", span, lines.span(number))
        yield _BOTTOM, symbol


def _parts(document: Document) -> Iterator[tuple[int, Symbol]]:
    """Labelled paragraphs such as **Why:**, to the end of their paragraph."""
    lines = document.lines
    for number in range(lines.line_of(document.body_start), lines.count):
        row = lines.line(number)
        found = _LABEL.match(row)
        if found is None or not (":" in found[0] or "：" in found[0]):
            continue
        span = lines.span(number)
        if document.markdown.in_code(span.start):
            continue
        end = number
        while end + 1 < lines.count and lines.line(end + 1).strip() and not _starts_part(lines.line(end + 1)):
            end += 1
        detail = plain(row[found.end() :])
        yield (
            _BOTTOM,
            Symbol(found["label"].strip(), detail, "part", Span(span.start, lines.span(end).end), span),
        )


def _starts_part(row: str) -> bool:
    return row.startswith("#") or _LABEL.match(row) is not None


def _inside(span: Span, outer: Span) -> Span:
    return span if outer.start <= span.start and span.end <= outer.end else outer


def search(query: str, documents: Iterable[Document]) -> list[Found]:
    """At most LIMIT memories whose name, file, type or scope answers every word of `query`, the best first.

    A word may have its letters apart, as editors let people type. Without a query: all, by type.
    """
    words = query.casefold().split()
    ranked: list[tuple[int, int, str, str, Found]] = []
    for document in documents:
        title = document.title
        rank, name = _rank(document, title, words)
        if rank >= 0:
            type_ = TYPE_ORDER.index(document.type) if document.type in TYPE_ORDER else len(TYPE_ORDER)
            ranked.append((rank, type_, title.casefold(), document.path, Found(document, name)))
    ranked.sort(key=lambda row: row[:4])
    return [row[-1] for row in ranked[:LIMIT]]


def _rank(document: Document, title: str, words: list[str]) -> tuple[int, str]:
    """(how far from what was asked, 0 is best, -1 no answer; the name that holds the words)."""
    folded, stem, type_ = title.casefold(), document.stem.casefold(), document.type.casefold()
    total, shown = 0, ""
    for word in words:
        if folded.startswith(word):
            continue
        if word in folded:
            total += 1
        elif word in stem:
            total, shown = total + 2, document.stem
        elif type_.startswith(word) or document.scope == word:
            total += 2
            shown = shown or document.type if type_.startswith(word) else shown or document.scope
        elif _scattered(word, folded):
            total += 4
        elif _scattered(word, stem):
            total, shown = total + 5, document.stem
        else:
            return -1, ""
    return total, f"{title} ({shown})" if shown else title


def _scattered(word: str, text: str) -> bool:
    """The letters of `word` stand in `text` in this order."""
    letters = iter(text)
    return all(c in letters for c in word)
