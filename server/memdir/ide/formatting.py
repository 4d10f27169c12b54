"""Formatting of an index and of headers: blanks and bullet marks, never words.

What a person or an agent wrote stays: the body of a memory is left alone, a daily log too (it is only ever appended to).
No line is added to an index, for lines are its budget, and no longer dash where it would push the end out of what is
loaded. Property tests hold that every value, entry, heading and word is the same afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.frontmatter import Field, Frontmatter
from memdir.core.index import Entry
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Span
from memdir.core.rule import Context
from memdir.core.text import units

_MARK = lazy(r"[ \t]*(?P<mark>[-*+])(?P<gap>[ \t]+)(?=\S)")
# Dashes in all the lengths that people type between link and hook; other separators are a choice and stay.
_DASH = lazy(r"(?P<close>[*_`]*)(?P<gap>[ \t]*)(?P<dash>—|–|--|-)(?P<after>[ \t]*)(?=\S)")
_BLANKS = " \t"


def format_document(document: Document, context: Context, span: Span | None = None) -> list[Edit]:
    """The edits that tidy an index, or the header of a memory, in order; none when all is tidy.

    With `span` only lines that it touches are changed.
    """
    if document.kind == "log":
        return []
    edits = list(_header(document))
    if document.kind == "index":
        edits += _index(document, context)
    edits = [e for e in edits if document.slice(e.span) != e.text]
    if span is not None:
        lines = document.lines
        first, last = lines.start(lines.line_of(span.start)), lines.line_of(span.end)
        if span.end > span.start and lines.start(last) == span.end:
            last -= 1  # whole lines were chosen: the one behind them was not
        end = lines.span(last, with_break=True).end
        edits = [e for e in edits if first <= e.span.start and e.span.end <= end]
    return sorted(edits)


def _header(document: Document) -> Iterator[Edit]:
    """Fences without blanks behind them, one blank behind each colon, no empty lines, children two blanks in."""
    header, lines = document.frontmatter, document.lines
    if header is None or not header.closed or header.problems:
        return
    last = lines.line_of(max(header.span.end - 1, 0))
    for fence in (0, last):
        yield _without_blanks(document, fence)
    plain = all(f.style in ("plain", "single", "double", "null", "map") for f in header.fields)
    simple = plain and _one_line_each(document, header)
    if simple:
        fields = {lines.line_of(f.key_span.start): f for f in header.fields}
        for number in range(1, last):
            if number in fields:
                yield from _field(document, fields[number])
            elif not lines.line(number).strip():
                yield Edit(lines.span(number, with_break=True), "")
    if document.kind != "index":  # its rows are tidied below
        yield from _gap(document, header)


def _one_line_each(document: Document, header: Frontmatter) -> bool:
    """Every line of the header is a field on its own, a comment or empty."""
    lines = document.lines
    rows = {lines.line_of(f.key_span.start) for f in header.fields}
    if len(rows) != len(header.fields):
        return False
    if any(lines.line_of(f.value_span.end) not in rows and f.style != "map" for f in header.fields):
        return False
    first, last = lines.line_of(header.inner.start), lines.line_of(header.inner.end)
    for number in range(first, last):
        row = lines.line(number).strip()
        if number not in rows and row and not row.startswith("#"):
            return False
    return True


def _field(document: Document, field: Field) -> Iterator[Edit]:
    text = document.text
    row = document.lines.span(document.lines.line_of(field.key_span.start))
    lead = Span(row.start, field.key_span.start)
    if len(field.path) <= 2 and not document.slice(lead).strip(" "):
        yield Edit(lead, "  " * (len(field.path) - 1))
    if field.style in ("map", "null"):
        colon = text.find(":", field.key_span.end, row.end)
        rest = text[colon + 1 : row.end] if colon >= 0 else "?"
        if not rest.strip(_BLANKS):
            yield Edit(Span(field.key_span.end, row.end), ":")
        return
    if text[field.key_span.end : field.value_span.start].strip(_BLANKS) == ":":
        yield Edit(Span(field.key_span.end, field.value_span.start), ": ")
    if field.value_span.end < row.end and not text[field.value_span.end : row.end].strip(_BLANKS):
        yield Edit(Span(field.value_span.end, row.end), "")


def _gap(document: Document, header: Frontmatter) -> Iterator[Edit]:
    """At most one empty line between header and body."""
    start, end = header.span.end, header.span.end
    lines = document.lines
    number = lines.line_of(start) if document.text[:start].endswith(("\n", "\r")) else lines.count
    while number < lines.count and not lines.line(number).strip(_BLANKS):
        end = lines.span(number, with_break=True).end
        number += 1
    if number >= lines.count or end == start:
        return
    yield Edit(Span(start, end), document.newline)


def _index(document: Document, context: Context) -> list[Edit]:
    """Entries with one kind of mark and dash; no blanks at ends of lines, no runs of empty lines, one break at the end."""
    settings = context.settings
    edits = [*_rows(document), *_ending(document)]
    longer: list[Edit] = []
    for entry in context.directory.entries(document):
        for edit in _entry(document, entry):
            grows = units(edit.text) > units(document.slice(edit.span))
            (longer if grows else edits).append(edit)
    if longer:
        loaded = context.directory.loaded(document, settings.index_lines, settings.index_size)
        growth = sum(units(e.text) - units(document.slice(e.span)) for e in longer)
        if loaded.utf16 + growth <= settings.index_size:
            edits += longer
    return edits


def _entry(document: Document, entry: Entry) -> Iterator[Edit]:
    text, lines = document.text, document.lines
    row = lines.span(entry.line)
    if entry.kind == "bullet" and (m := _MARK.match(text, row.start, row.end)):
        yield Edit(Span(*m.span("mark")), "-")
        if m["gap"] != " " and not _has_lines_below(
            document, entry.line
        ):  # they are indented by what stands here
            yield Edit(Span(*m.span("gap")), " ")
    if entry.kind == "table" or len(entry.targets) != 1 or not entry.hook:
        return
    target = entry.targets[0].span
    end = target.end
    if entry.title_span != target:  # `[title](target)`, not a bare name
        if text[end : end + 1] == ">":
            end += 1
        if text[end : end + 1] != ")":
            return
        end += 1
    elif text[end : end + 1] == "`":
        end += 1
    m = _DASH.match(text, end, row.end)
    if m is None or (m["dash"] == "-" and not (m["gap"] and m["after"])):
        return  # a single dash without blanks may be part of a word
    yield Edit(Span(m.start("gap"), m.end("after")), " — ")


def _has_lines_below(document: Document, number: int) -> bool:
    """Something behind the item is indented further than its mark, before another item or heading begins."""
    lines = document.lines
    own = _indent(lines.line(number))
    for below in range(number + 1, lines.count):
        row = lines.line(below)
        if row.strip(_BLANKS):
            if _indent(row) > own:
                return True
            if row.startswith("#") or _MARK.match(row):
                return False
    return False


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(_BLANKS))


def _rows(document: Document) -> Iterator[Edit]:
    """Blanks at the ends of lines (those of the last one belong to the end); runs of empty lines become one."""
    lines, literal = document.lines, _literal(document)
    empty_before = False
    for number in range(lines.line_of(document.body_start), _last_row(document)):
        row = lines.line(number)
        if number in literal:
            empty_before = False
        elif not row.strip(_BLANKS):
            if empty_before:
                yield Edit(lines.span(number, with_break=True), "")
            else:
                yield _without_blanks(document, number)
            empty_before = True
        else:
            empty_before = False
            if not _breaks(document, number):
                yield _without_blanks(document, number)


def _breaks(document: Document, number: int) -> bool:
    """Two blanks at the end break the line, unless the line is a heading or an item begins behind it."""
    row, below = document.lines.line(number), document.lines.line(number + 1).strip(_BLANKS)
    if not row.endswith("  ") or not below:
        return False
    return not (row.startswith("#") or below.startswith("#") or _MARK.match(below))


def _ending(document: Document) -> Iterator[Edit]:
    text, start = document.text, document.body_start
    end = len(text)
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    if end > start and document.lines.line_of(end - 1) not in _literal(document):
        yield Edit(Span(end, len(text)), document.newline)


def _last_row(document: Document) -> int:
    """The last line with text; what is behind it belongs to the end of the file."""
    number = document.lines.count - 1
    while number > 0 and not document.lines.line(number).strip(_BLANKS):
        number -= 1
    return number


def _literal(document: Document) -> set[int]:
    """Lines of code blocks and comments: every blank may count there."""
    lines, markdown = document.lines, document.markdown
    spans = [c.span for c in markdown.code if c.kind != "span"] + [c.span for c in markdown.comments]
    return {
        number
        for span in spans
        for number in range(lines.line_of(span.start), lines.line_of(max(span.end - 1, span.start)) + 1)
    }


def _without_blanks(document: Document, number: int) -> Edit:
    span = document.lines.span(number)
    end = span.end
    while end > span.start and document.text[end - 1] in _BLANKS:
        end -= 1
    return Edit(Span(end, span.end), "")
