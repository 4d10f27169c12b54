"""The parts of a memory in which dates are looked for."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.model import Span


def passages(document: Document) -> Iterator[tuple[int, str]]:
    """(offset, text) of the description, when it is on one line, and of the body."""
    header = document.frontmatter
    described = header.find("description") if header is not None else None
    if described is not None and described.style in ("plain", "single", "double"):
        span = described.value_span
        if described.style != "plain" and len(span) >= 2:
            span = Span(span.start + 1, span.end - 1)
        yield span.start, document.slice(span)
    yield document.body_start, document.body
