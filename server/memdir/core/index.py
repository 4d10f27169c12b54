"""MEMORY.md: what of it the agent loads, and the entries it holds.

Loading follows the observed client (docs/facts/client-behaviour.md, "What reaches the model"): frontmatter and block-level
HTML comments are removed, line breaks become LF and NUL is dropped, the text is trimmed, then cut to 200 lines, then to
25,000 UTF-16 code units at the last line break that fits.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.markdown import Link
from memdir.core.model import Span
from memdir.core.text import units

MAX_LINES = 200
MAX_UNITS = 25_000

Truncated: TypeAlias = Literal["lines", "size", "both"]
EntryKind: TypeAlias = Literal["bullet", "table", "line"]

_BREAK = lazy(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Loaded:
    """The loaded part of an index.

    `text` is what reaches the model, without the client's warning; `lines`, `utf16` and `bytes` measure the whole
    loadable text before any cut, so that they can be compared with the limits. `lost_from` is the offset in the source
    of the first character that is lost, None when nothing is.
    """

    text: str
    truncated: Truncated | None
    lines: int
    utf16: int
    bytes: int
    lost_from: int | None
    loaded_lines: int
    loaded_utf16: int


@dataclass(frozen=True, slots=True)
class Target:
    """A file an entry points to: the path as written (decoded) and its place."""

    path: str
    span: Span
    external: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: `span` is its line without indentation and line break, `title` the link's text or the file name,
    `hook` what stands behind the link and its separator, `section` the heading above."""

    line: int
    span: Span
    kind: EntryKind
    title: str
    title_span: Span
    targets: tuple[Target, ...]
    hook: str
    section: str


def load(document: Document, max_lines: int = MAX_LINES, max_units: int = MAX_UNITS) -> Loaded:
    """What the client loads of this index."""
    source = document.text
    pieces, starts = _loadable(document)
    text = "".join(pieces)
    first = len(text) - len(text.lstrip())
    text = text.strip()
    total_lines = text.count("\n") + 1 if text else 0
    total_units = units(text)
    size = len(text.encode("utf-8", "surrogatepass")) if not text.isascii() else len(text)
    kept, by_lines = text, False
    if total_lines > max_lines:
        at = -1
        for _ in range(max_lines):
            at = text.index("\n", at + 1)
        kept, by_lines = text[:at], True
    # The client checks the size of the whole text, so that both limits can strike at once.
    by_size = total_units > max_units
    if units(kept) > max_units:
        kept = _cut_units(kept, max_units)
    truncated: Truncated | None = (
        "both" if by_lines and by_size else "lines" if by_lines else "size" if by_size else None
    )
    lost: int | None = None
    if truncated:
        pos = len(kept)
        while pos < len(text) and text[pos] == "\n":
            pos += 1
        lost = _source_offset(starts, first + pos, len(source))
    return Loaded(
        kept,
        truncated,
        total_lines,
        total_units,
        size,
        lost,
        kept.count("\n") + 1 if kept else 0,
        units(kept),
    )


def _cut_units(text: str, limit: int) -> str:
    """`text` cut at the last line break within `limit` UTF-16 units; hard when its first line alone is longer."""
    if text.isascii():
        end = limit
    else:
        end, used = 0, 0
        for c in text:
            used += 2 if c > "\uffff" else 1
            if used > limit:
                break
            end += 1
    at = text.rfind("\n", 0, end + 1)
    return text[:at] if at > 0 else text[:end]


def _loadable(document: Document) -> tuple[list[str], list[tuple[int, int]]]:
    """Pieces of text as the client joins them, and (offset in the joined text, offset in the source) of each piece."""
    source = document.text
    skip = [Span(0, document.body_start)] if document.body_start else []
    if "<!--" in source:
        skip += [_with_break(source, c.span) for c in document.markdown.comments if c.block]
    pieces: list[str] = []
    starts: list[tuple[int, int]] = []
    length, pos = 0, 0
    for gap in [*skip, Span(len(source), len(source))]:
        at = pos
        for m in _BREAK.finditer(source, pos, gap.start) if "\r" in source else ():
            length = _add(pieces, starts, source[at : m.start()], at, length)
            length = _add(pieces, starts, "\n", m.start(), length)
            at = m.end()
        if at < gap.start:
            length = _add(pieces, starts, source[at : gap.start], at, length)
        pos = max(pos, gap.end)
    return pieces, starts


def _add(pieces: list[str], starts: list[tuple[int, int]], piece: str, at: int, length: int) -> int:
    if "\0" in piece:
        for part in re.finditer(r"[^\0]+", piece):
            starts.append((length, at + part.start()))
            pieces.append(part[0])
            length += len(part[0])
        return length
    if piece:
        starts.append((length, at))
        pieces.append(piece)
    return length + len(piece)


def _with_break(source: str, span: Span) -> Span:
    """A block comment goes with the rest of its last line's break when nothing else stands there."""
    end = span.end
    while end < len(source) and source[end] in " \t":
        end += 1
    if source.startswith("\r\n", end):
        return Span(span.start, end + 2)
    return Span(span.start, end + 1) if end < len(source) and source[end] in "\r\n" else span


def _source_offset(starts: list[tuple[int, int]], offset: int, end: int) -> int:
    i = bisect_right(starts, offset, key=lambda s: s[0]) - 1
    return min(starts[i][1] + offset - starts[i][0], end) if i >= 0 else end


_BULLET = lazy(r"[ \t]*(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_MAX_NAME = 200  # characters of a bare file name
_SEPARATOR = lazy(r"[ \t*_`|)\]]*(?:—|–|--|-|:|：|/|\||→|=>)?[ \t*_]*")


def entries(document: Document) -> tuple[Entry, ...]:
    """Entries of an index (or of a second-level index) in order of lines.

    An entry is a line outside code and comments that links to a file or names one (`feedback_tests.md`), in any of the
    shapes seen in the field: bullets, bold links, tables, plain lines, several links in one line.
    """
    markdown = document.markdown
    text, lines = document.text, document.lines
    by_line: dict[int, list[Link]] = {}
    for link in markdown.links:
        if link.kind in ("inline", "reference") and (link.external or link.path):
            by_line.setdefault(lines.line_of(link.span.start), []).append(link)
    for span in _bare_names(text, document.body_start):
        line = lines.line_of(span.start)
        if line not in by_line and not _hidden(document, span.start):
            name = text[span.start : span.end]
            by_line[line] = [Link(span, name, name, span, "inline")]
    headings = markdown.headings
    heading_starts = [h.span.start for h in headings]
    found: list[Entry] = []
    for line in sorted(by_line):
        links = by_line[line]
        span = lines.span(line)
        raw = text[span.start : span.end]
        at = bisect_right(heading_starts, span.start) - 1
        if at >= 0 and headings[at].span.start <= links[0].span.start < headings[at].span.end:
            continue  # a link in a heading names a section, it is no entry
        first = links[0]
        bullet = _BULLET.match(raw)
        table = raw.lstrip().startswith("|")
        kind: EntryKind = "bullet" if bullet else "table" if table else "line"
        if kind == "line" and not _stands_alone(raw, first.span.start - span.start):
            continue  # a link inside prose is a reference, not an entry
        indent = len(raw) - len(raw.lstrip())
        hook = text[links[-1].span.end : span.end] if len(links) > 1 else text[first.span.end : span.end]
        hook = _SEPARATOR.sub("", hook, count=1).strip().strip("|").strip()
        title_start = (
            text.find(first.text, first.span.start, first.span.end) if first.text else first.span.start
        )
        title_span = Span(title_start, title_start + len(first.text)) if title_start >= 0 else first.span
        targets = tuple(Target(link.path, link.target_span, link.external) for link in links)
        found.append(
            Entry(
                line,
                Span(span.start + indent, span.end),
                kind,
                first.text.strip("*_` "),
                title_span,
                targets,
                hook,
                headings[at].text if at >= 0 else "",
            )
        )
    return tuple(found)


def _bare_names(text: str, start: int) -> Iterator[Span]:
    """Places of file names and paths that end in `.md` and stand as words, links or not."""
    at, floor = text.find(".md", start), start
    while at >= 0:
        end = at + 3
        after = text[end : end + 1]
        if not (after.isalnum() or (after and after in "_/-")):
            first, limit = at, max(floor, at - _MAX_NAME)
            while first > limit and (text[first - 1].isalnum() or text[first - 1] in "_./+@-"):
                first -= 1
            while first < at and text[first] in "-+@":
                first += 1
            if first < at and not text.startswith("//", first):
                yield Span(first, end)
            floor = end
        at = text.find(".md", end)


def _stands_alone(raw: str, at: int) -> bool:
    """The link opens its line (bold marks and quotes aside)."""
    return not raw[:at].strip(" \t*_>`0123456789.()#")


def _hidden(document: Document, offset: int) -> bool:
    markdown = document.markdown
    i = bisect_right(markdown.code, offset, key=lambda c: c.span.start) - 1
    if i >= 0 and offset in markdown.code[i].span and markdown.code[i].kind != "span":
        return True
    j = bisect_left(markdown.comments, offset, key=lambda c: c.span.end)
    return j < len(markdown.comments) and offset in markdown.comments[j].span


def resolve(rel: str, target: str) -> str | None:
    """The path relative to the memory directory that `target` means in the file `rel`; None when it leaves it.

    Absolute paths and drive letters leave it by definition. String work only: links on disk are the store's to resolve.
    """
    if (
        target[:1].isalnum()
        and "/" not in target
        and "/" not in rel
        and "\\" not in target
        and ":" not in target
    ):
        return target  # a plain file name, nearly always
    target = target.replace("\\", "/")
    if target.startswith(("/", "~")) or re.match(r"[A-Za-z]:", target):
        return None
    parts = rel.split("/")[:-1]
    for part in target.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
