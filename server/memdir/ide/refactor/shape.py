"""Convert a header between the two shapes in use: `type:` at the top, or under `metadata:`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from memdir.core.document import Document
from memdir.core.frontmatter import Field, Frontmatter
from memdir.core.i18n import msg
from memdir.core.model import Edit, EditFile, Span
from memdir.core.rule import Context
from memdir.ide.refactor.action import Action

# Keys that today's client keeps under `metadata:`; the rest stays where it is.
_NESTED = ("type", "node_type", "originSessionId", "modified")


def offer(document: Document, span: Span, context: Context) -> Iterator[Action]:
    """For the file and for its whole directory, when the cursor stands in the header."""
    header = document.frontmatter
    if document.kind != "topic" or header is None or not header.span.touches(span.start) or not document.type:
        return
    nested = _type_of(header) == "flat"
    title, all_title = (
        (msg("Move type under metadata"), msg("Move type under metadata in every memory of this directory"))
        if nested
        else (
            msg("Move type to the top of the header"),
            msg("Move type to the top of the header in every memory of this directory"),
        )
    )
    edits = convert(document, nested=nested)
    if edits:
        yield Action(title, "refactor.rewrite", (document.edit(*edits),))

    def everything() -> tuple[EditFile, ...]:
        return tuple(convert_all(context.directory.topics(), nested=nested))

    if len(list(islice(convert_all(context.directory.topics(), nested=nested), 2))) > 1:
        yield Action(all_title, "refactor.rewrite", look_first=True, later=everything)


def convert_all(documents: Iterable[Document], *, nested: bool) -> Iterator[EditFile]:
    """Edits of every document that has the other shape."""
    for document in documents:
        edits = convert(document, nested=nested)
        if edits:
            yield document.edit(*edits)


def convert(document: Document, *, nested: bool) -> tuple[Edit, ...]:
    """The edits that give the header the shape asked for; none when it has it, or is broken or unusual."""
    header = document.frontmatter
    if header is None or not header.closed or header.problems or not document.type:
        return ()
    if (_type_of(header) == "nested") == nested:
        return ()
    return _to_nested(document, header) if nested else _to_flat(document, header)


def _type_of(header: Frontmatter) -> str:
    return "flat" if header.field("type") else "nested"


def _line(document: Document, field: Field) -> Span:
    """The whole lines of a field, with their break."""
    lines = document.lines
    first, last = (
        lines.line_of(field.key_span.start),
        lines.line_of(max(field.value_span.end - 1, field.key_span.start)),
    )
    return Span(lines.start(first), lines.start(last + 1))


def _to_nested(document: Document, header: Frontmatter) -> tuple[Edit, ...]:
    moving = [
        f for f in header.fields if len(f.path) == 1 and f.key in _NESTED and f.style not in ("map", "block")
    ]
    if header.field("metadata") or not any(f.key == "type" for f in moving):
        return ()
    newline = document.newline
    block = "metadata:" + newline
    edits = []
    for field in moving:
        line = _line(document, field)
        block += "  " + document.slice(line).rstrip("\r\n") + newline
        edits.append(Edit(line, ""))
    edits.append(Edit(Span(header.inner.end, header.inner.end), block))
    return tuple(edits)


def _to_flat(document: Document, header: Frontmatter) -> tuple[Edit, ...]:
    children = [f for f in header.fields if len(f.path) == 2 and f.path[0] == "metadata"]
    parent = header.field("metadata")
    if (
        parent is None
        or any(f.style in ("map", "block", "flow") for f in children)
        or any(header.field(f.key) for f in children)
    ):
        return ()
    lines = document.lines
    edits = [Edit(lines.span(lines.line_of(parent.key_span.start), with_break=True), "")]
    for field in children:
        line = lines.line_of(field.key_span.start)
        edits.append(Edit(Span(lines.start(line), field.key_span.start), ""))
    return tuple(edits)
