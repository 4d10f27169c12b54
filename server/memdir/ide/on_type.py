"""Help while typing: a header behind `---` on the first line, `]]` behind `[[`."""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.fixing import type_from_stem, words_from_stem
from memdir.core.header_edit import quote
from memdir.core.model import Edit, Span
from memdir.core.rule import Context

TRIGGERS = ("-", "[")
_KNOWN = ("name", "description", "type", "metadata")


def typed(document: Document, context: Context, offset: int, character: str) -> list[Edit]:
    """The edits that help after `character` was typed right before `offset`; usually none."""
    if character == "-":
        return _header(document, context, offset)
    if character == "[":
        return _wikilink(document, offset)
    return []


def _header(document: Document, context: Context, offset: int) -> list[Edit]:
    """The rest of a header when its opening fence is complete; only the closing fence when there are keys below it."""
    if document.kind != "topic" or offset != 3 or document.lines.line(0) != "---":
        return []
    header, newline = document.frontmatter, document.newline
    if header is not None and any(f.path[0] in _KNOWN for f in header.fields):
        if header.closed:
            return []
        at = header.inner.end
        lead = "" if document.text[:at].endswith(("\n", "\r")) else newline
        return [Edit(Span(at, at), f"{lead}---{newline}")]
    lines = [
        "",
        f"name: {quote(words_from_stem(document.stem))}",
        "description: ",
        *_type_lines(document, context),
        "---",
    ]
    rest = document.text[offset:]
    tail = "" if rest.startswith(("\n", "\r")) else newline
    return [Edit(Span(offset, offset), newline.join(lines) + tail)]


def _type_lines(document: Document, context: Context) -> list[str]:
    """The type in the shape that the memories around use: at the top, or under `metadata:`."""
    type_ = type_from_stem(document.stem) or ""
    headers = [d.frontmatter for d in context.directory.topics() if d.frontmatter is not None]
    nested = sum(header.shape == "nested" for header in headers)
    return ["metadata:", f"  type: {type_}"] if nested * 2 > len(headers) else [f"type: {type_}"]


def _wikilink(document: Document, offset: int) -> list[Edit]:
    """`]]`, or the half of it that the editor has not closed already."""
    text = document.text
    if not text.startswith("[[", offset - 2) or text.startswith("[[[", offset - 3) or offset < 2:
        return []
    if offset < document.body_start or document.markdown.in_code(offset - 1):
        return []
    line = document.lines.span(document.lines.line_of(offset))
    rest = text[offset : line.end]
    if rest.startswith("]]") or "]]" in rest.partition("[")[0]:
        return []
    return [Edit(Span(offset, offset), "]" if rest.startswith("]") else "]]")]
