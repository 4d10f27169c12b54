"""Code lenses above a memory: how old it is and when it was last verified, who refers to it, whether an index lists it,
and looking up what it cites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.age import age_words, days_old
from memdir.core.citations import citations
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.core.staleness import parse_time, written

LensAction: TypeAlias = Literal["mark", "references", "show", "list", "verify"]


@dataclass(frozen=True, slots=True)
class Lens:
    """A fact above a memory; `action` names what choosing it does."""

    span: Span
    title: Message
    action: LensAction


def lenses(document: Document, context: Context) -> Iterator[Lens]:
    """The lenses of a memory, in the order in which they stand; none for indexes, logs and empty files."""
    if document.kind != "topic" or not document.text.strip():
        return
    span, directory = document.lines.span(0), context.directory
    age = _age(document, context)
    if age is not None:
        yield Lens(span, age, "mark")
    count = sum(source.kind != "index" for source in directory.cited_by(document.rel))
    yield Lens(span, _referenced(count), "references")
    if document.rel in directory.reachable:
        yield Lens(span, msg("listed in the index"), "show")
    elif directory.indexes():
        yield Lens(span, msg("not in the index: add it"), "list")
    if citations(document):
        yield Lens(span, msg("verify citations"), "verify")


def _age(document: Document, context: Context) -> Message | None:
    """Since when the memory is there, as far as its header says so, and when it was last verified or changed."""
    when = written(document, context.now.tzinfo)
    if when is None:
        return None
    age = age_words(days_old(when.at, context.now))
    if when.source == "created":
        return msg("created {age}, not verified since", age=age)
    if when.source == "mtime":
        return msg("last changed {age}, never verified", age=age)
    header = document.frontmatter
    created = parse_time(header.get("created"), context.now.tzinfo) if header is not None else None
    if created is None:
        return msg("last verified {age}", age=age)
    return msg(
        "created {created}, last verified {age}",
        created=age_words(days_old(created[0], context.now)),
        age=age,
    )


def _referenced(count: int) -> Message:
    if count == 0:
        return msg("referenced by no memory")
    return msg("referenced by 1 memory") if count == 1 else msg("referenced by {count} memories", count=count)
