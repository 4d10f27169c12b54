"""Definition, references and highlights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.document import Document
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.ide.pointers import (
    Pointer,
    anchor_span,
    name_span,
    pointer_at,
    pointers,
    pointers_to,
    pointers_to_path,
)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a pointer leads: a memory file (`rel`, `span` in it), or a file of the repository (`path` relative to it,
    `lines` 1-based and inclusive). `origin` is the place that was asked about."""

    origin: Span
    rel: str | None = None
    span: Span | None = None
    path: str | None = None
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place that mentions what was asked about. `declaration`: the thing itself."""

    document: Document
    span: Span
    declaration: bool = False


def definition(document: Document, context: Context, offset: int) -> Target | None:
    """Where the pointer at `offset` leads; None when there is none, or it leads nowhere."""
    pointer = pointer_at(document, context.directory, offset)
    return target_of(pointer, context) if pointer is not None else None


def target_of(pointer: Pointer, context: Context) -> Target | None:
    """Where a pointer leads."""
    if pointer.rel is not None:
        document = context.directory.get(pointer.rel)
        if document is None:
            return None
        place = anchor_span(document, pointer.anchor) if pointer.anchor else None
        return Target(pointer.span, pointer.rel, place or name_span(document))
    if pointer.citation is not None and context.project.exists(pointer.citation.path):
        return Target(pointer.span, path=pointer.citation.path, lines=pointer.citation.lines)
    return None


def references(
    document: Document, context: Context, offset: int, *, declaration: bool = True
) -> Iterator[Occurrence]:
    """Every place of the directory that points to what is meant at `offset`: the memory or repository file of a pointer,
    or the document itself, asked about in its header or on a heading."""
    directory = context.directory
    pointer = pointer_at(document, directory, offset)
    if pointer is not None and pointer.citation is not None:
        for source, found in pointers_to_path(pointer.citation.path, directory):
            yield Occurrence(source, found.span)
        return
    rel = pointer.rel if pointer is not None else _own(document, offset)
    meant = directory.get(rel) if rel is not None else None
    if meant is None:
        return
    if declaration:
        yield Occurrence(meant, name_span(meant), True)
    for source, found in pointers_to(meant.rel, directory):
        yield Occurrence(source, found.span)


def highlights(document: Document, context: Context, offset: int) -> Iterator[Occurrence]:
    """The places of this document that mean the same as the one at `offset`."""
    directory = context.directory
    here = pointer_at(document, directory, offset)
    if here is None:
        return
    for other in pointers(document, directory):
        same_file = here.rel is not None and other.rel == here.rel
        same_path = (
            here.citation is not None
            and other.citation is not None
            and other.citation.path == here.citation.path
        )
        if same_file or same_path or (here.url and other.url == here.url):
            yield Occurrence(document, other.span)


def _own(document: Document, offset: int) -> str | None:
    header = document.frontmatter
    in_header = header is not None and header.span.touches(offset)
    on_heading = any(h.span.touches(offset) for h in document.markdown.headings)
    return document.rel if document.kind == "topic" and (in_header or on_heading) else None
