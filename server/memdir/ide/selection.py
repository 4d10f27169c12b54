"""Selection ranges: what a growing selection takes in, from the word to the whole file."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.markdown import Heading
from memdir.core.model import Span

_WORD = lazy(r"[\w]+(?:['’-]\w+)*")
_SENTENCE = lazy(r"(?<=[.!?])[ \t]+|(?<=[。！？])")
_ITEM = lazy(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_LABEL = lazy(r"\*\*[^*\n]{1,60}:\*\*[ \t]*|[^\s:][^:\n]{0,60}:[ \t]+")


def selections(document: Document, directory: Directory, offset: int) -> list[Span]:
    """Spans around `offset`, the smallest first, each inside the next; the last one is the whole document."""
    found = {s for s in _candidates(document, directory, offset) if s.touches(offset) and len(s) > 0}
    whole = Span(0, len(document.text))
    chain: list[Span] = []
    for span in sorted(found - {whole}, key=lambda s: (len(s), -s.start)):
        inside = not chain or (span.start <= chain[-1].start and span.end >= chain[-1].end)
        if inside:
            chain.append(span)
    return [*chain, whole]


def _candidates(document: Document, directory: Directory, offset: int) -> Iterator[Span]:
    line = document.lines.span(document.lines.line_of(offset))
    for m in _WORD.finditer(document.text, line.start, line.end):
        yield Span(*m.span())
    header = document.frontmatter
    if header is not None and offset < document.body_start:
        yield from _in_header(document, line)
        return
    yield from _inline(document, line)
    yield from _entry(document, directory, line)
    yield from _lines(document, line, offset)
    yield from _sections(document)
    yield Span(document.body_start, _trimmed(document.text, document.body_start, len(document.text)))


def _in_header(document: Document, line: Span) -> Iterator[Span]:
    header = document.frontmatter
    assert header is not None
    groups: dict[str, Span] = {}
    for field in header.fields:
        value = field.value_span
        if field.style in ("single", "double") and len(value) >= 2:
            yield Span(value.start + 1, value.end - 1)
        yield value
        whole = Span(field.key_span.start, max(value.end, field.key_span.end))
        yield whole
        group = groups.get(field.path[0], whole)
        groups[field.path[0]] = Span(min(group.start, whole.start), max(group.end, whole.end))
    yield from groups.values()
    yield line
    yield Span(header.inner.start, _trimmed(document.text, header.inner.start, header.inner.end))
    yield Span(header.span.start, _trimmed(document.text, header.span.start, header.span.end))


def _inline(document: Document, line: Span) -> Iterator[Span]:
    """Links, wikilinks and code that stand on the line."""
    markdown = document.markdown
    for link in markdown.links:
        if link.span.overlaps(line):
            yield link.target_span
            start = document.text.find(link.text, link.span.start, link.span.end) if link.text else -1
            if start >= 0:
                yield Span(start, start + len(link.text))
            yield link.span
    for wiki in markdown.wikilinks:
        if wiki.span.overlaps(line):
            yield wiki.name_span
            yield Span(wiki.span.start + 2, wiki.span.end - 2)
            yield wiki.span
    for code in markdown.code:
        if code.span.overlaps(line):
            yield code.inner
            yield code.span


def _entry(document: Document, directory: Directory, line: Span) -> Iterator[Span]:
    """The hook of an index entry."""
    if document.kind != "index" and not directory.is_listing(document):
        return
    number = document.lines.line_of(line.start)
    for entry in directory.entries(document):
        if entry.line == number and entry.hook:
            at = document.text.rfind(entry.hook, entry.span.start, entry.span.end)
            if at >= 0:
                yield Span(at, at + len(entry.hook))


def _lines(document: Document, line: Span, offset: int) -> Iterator[Span]:
    """Sentence, item without its mark, line, item with what is indented below it, paragraph."""
    text, lines = document.text, document.lines
    if not text[line.start : line.end].strip():
        return
    item = _ITEM.match(text, line.start, line.end)
    start = item.end() if item else line.start + _indent(text[line.start : line.end])
    end = _trimmed(text, start, line.end)
    label = _LABEL.match(text, start, end)
    first = label.end() if label else start
    yield Span(first, end)
    for m in (*_SENTENCE.finditer(text, first, end), None):
        yield Span(first, m.start() if m else end)
        first = m.end() if m else end
    yield Span(start, end)
    yield Span(line.start + _indent(text[line.start : line.end]), end)
    number = lines.line_of(offset)
    yield from _items_around(document, number)
    top, bottom = number, number
    floor = lines.line_of(document.body_start)
    while top > floor and lines.line(top - 1).strip():
        top -= 1
    while bottom + 1 < lines.count and lines.line(bottom + 1).strip():
        bottom += 1
    yield Span(max(lines.start(top), document.body_start), lines.span(bottom).end)


def _items_around(document: Document, number: int) -> Iterator[Span]:
    """The list item of the line with its indented lines, and the items that this one lies in."""
    lines = document.lines
    limit = len(lines.line(number)) + 1
    at, floor = number, lines.line_of(document.body_start)
    while at >= floor:
        row = lines.line(at)
        if row.strip():
            indent = _indent(row)
            if indent < limit:
                if _ITEM.match(row):
                    yield Span(lines.start(at) + indent, _item_end(document, at, indent))
                elif at != number and indent == 0:
                    return
                limit = indent if _ITEM.match(row) or at != number else indent + 1
                if indent == 0 and _ITEM.match(row):
                    return
        at -= 1


def _item_end(document: Document, number: int, indent: int) -> int:
    lines, last = document.lines, number
    for below in range(number + 1, lines.count):
        row = lines.line(below)
        if row.strip():
            if _indent(row) <= indent:
                break
            last = below
    return lines.span(last).end


def _sections(document: Document) -> Iterator[Span]:
    """Every section, with and without its heading."""
    text = document.text
    headings = document.markdown.headings
    open_sections: list[Heading] = []
    for heading in (*headings, None):
        level = heading.level if heading else 0
        end = heading.span.start if heading else len(text)
        while open_sections and open_sections[-1].level >= level:
            begun = open_sections.pop()
            stop = _trimmed(text, begun.span.start, end)
            yield Span(begun.span.start, stop)
            inner = begun.span.end
            while inner < stop and text[inner] in " \t\r\n":
                inner += 1
            yield Span(inner, stop)
        if heading is not None:
            open_sections.append(heading)


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" \t"))


def _trimmed(text: str, start: int, end: int) -> int:
    """`end` without the blanks and line breaks before it."""
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    return end
