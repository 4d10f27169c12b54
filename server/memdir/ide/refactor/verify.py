"""Mark a memory as verified today: its `modified` date becomes today, so that its age starts again."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.header_edit import set_field
from memdir.core.i18n import msg
from memdir.core.model import Edit, Span
from memdir.core.rule import Context
from memdir.ide.refactor.action import Action


def offer(document: Document, span: Span, context: Context) -> Iterator[Action]:
    """When the cursor stands in the header or on the first line of the body."""
    header = document.frontmatter
    if (
        document.kind != "topic"
        or header is None
        or span.start > document.lines.span(document.lines.line_of(document.body_start)).end
    ):
        return
    edit = verified(document, context)
    if edit is not None:
        yield Action(msg("Mark as verified today"), "refactor.rewrite", (document.edit(edit),))


def verified(document: Document, context: Context) -> Edit | None:
    """The edit that sets today's date where the header keeps one (`modified`, else `updated`), None when it stands there."""
    header = document.frontmatter
    if header is None or not header.closed:
        return None
    today = context.now.date().isoformat()
    field = header.find("modified") or header.find("updated")
    if field is None:
        return set_field_plain(document, "modified", today)
    if field.value.strip()[:10] == today or field.style == "map":
        return None
    return Edit(field.value_span, today if field.value_span.start < field.value_span.end else " " + today)


def set_field_plain(document: Document, key: str, value: str) -> Edit:
    """A new header line with `value` as it is (dates need no quotes)."""
    header = document.frontmatter
    assert header is not None
    edit = set_field(document.text, header, key, value, newline=document.newline)
    return Edit(edit.span, edit.text.replace(f'"{value}"', value))
