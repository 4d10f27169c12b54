"""Hover: what a place in a memory means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memdir.core.citations import Citation
from memdir.core.dates.absolute import meaning
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.model import Diagnostic, Span
from memdir.core.rule import Context
from memdir.core.staleness import written
from memdir.core.suppress import suppressions
from memdir.core.taxonomy import MemoryType, type_named
from memdir.ide.card import joined, memory_card
from memdir.ide.dates import RelativeDate, relative_dates
from memdir.ide.pointers import Pointer, pointer_at
from memdir.ide.rule_page import rule_card

_MAX_LINES = 12  # of a cited range


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown for a place."""

    span: Span
    text: Message


def hover(
    document: Document, context: Context, offset: int, findings: Sequence[Diagnostic] = ()
) -> Hover | None:
    """What to show at `offset`; `findings` are the document's present diagnostics."""
    for comment in suppressions(document):
        for name, span in comment.rules:
            if span.touches(offset) and (card := rule_card(name)) is not None:
                return Hover(span, card)
    found = _type(document, offset) or _pointer(document, context, offset) or _date(document, context, offset)
    finding = _finding(findings, offset)
    if found is None or finding is None:
        return found or finding
    return Hover(found.span, joined([found.text, finding.text], "\n\n---\n\n"))


def _finding(findings: Sequence[Diagnostic], offset: int) -> Hover | None:
    here = [d for d in findings if d.span.touches(offset)]
    if not here:
        return None
    diagnostic = min(here, key=lambda d: (len(d.span), d.severity))
    card = rule_card(diagnostic.rule)
    return Hover(diagnostic.span, card) if card is not None else None


def _type(document: Document, offset: int) -> Hover | None:
    field = document.frontmatter.find("type") if document.frontmatter is not None else None
    if field is None or not (field.key_span.touches(offset) or field.value_span.touches(offset)):
        return None
    known = type_named(field.value)
    return Hover(field.value_span, type_card(known)) if known is not None else None


def type_card(type_: MemoryType) -> Message:
    """What belongs into a memory of this type and what does not."""
    parts = [
        msg("**{type}**: {holds}", type=type_.name, holds=type_.holds),
        msg("*When*: {when}", when=type_.when),
        msg("*Body*: {body}", body=type_.body),
        *(msg("- ✓ {example}", example=e) for e in type_.belongs),
        *(msg("- ✗ {example}", example=e) for e in type_.elsewhere),
        msg("*Scope*: {scope}", scope=type_.scope_rule),
    ]
    return joined(parts, "\n\n")


def _pointer(document: Document, context: Context, offset: int) -> Hover | None:
    pointer = pointer_at(document, context.directory, offset)
    if pointer is None:
        return None
    if pointer.citation is not None:
        return _citation(pointer.citation, document, context)
    memory = context.directory.get(pointer.rel) if pointer.rel is not None else None
    if memory is not None and memory is not document:
        return Hover(pointer.span, memory_card(memory, context))
    return Hover(pointer.span, _missing(pointer)) if memory is None and pointer.kind == "wikilink" else None


def _missing(pointer: Pointer) -> Message:
    return msg("There is no such memory yet. A link to one marks something worth writing.")


def _citation(citation: Citation, document: Document, context: Context) -> Hover:
    project = context.project
    if not project.exists(citation.path):
        text = msg("`{path}` is not in the repository.", path=citation.path)
        return Hover(citation.span, text)
    parts = [msg("`{path}`", path=citation.path)]
    if citation.lines is not None:
        first, last = citation.lines
        shown = project.read_lines(citation.path, first, min(last, first + _MAX_LINES - 1))
        if shown:
            parts.append(msg("{text}", text=_fenced(shown, citation.path)))
        else:
            count = project.line_count(citation.path)
            parts.append(msg("Line {line} is past the end ({count} lines).", line=first, count=count or 0))
    parts.append(_changed(citation, document, context))
    return Hover(citation.span, joined(parts))


def _fenced(lines: Sequence[str], path: str) -> str:
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    language = path.rsplit(".", 1)[-1] if "." in path else ""
    return "\n".join([fence + (language if language.isalnum() else ""), *lines, fence])


def _changed(citation: Citation, document: Document, context: Context) -> Message:
    changed, when = context.project.changed_at(citation.path), written(document, context.now.tzinfo)
    if changed is None or when is None:
        return msg("Whether it changed since is not known.")
    day = changed.astimezone(context.now.tzinfo).date().isoformat()
    since = changed > when.at and not (when.day_only and changed.date() == when.at.date())
    if since:
        return msg("Changed on {day}, after this memory was written: check the claim.", day=day)
    return msg("Unchanged since this memory was written (last change {day}).", day=day)


def _date(document: Document, context: Context, offset: int) -> Hover | None:
    here = next((d for d in relative_dates(document, context) if d.span.touches(offset)), None)
    return Hover(here.span, date_card(here)) if here is not None else None


def date_card(found: RelativeDate) -> Message:
    """The absolute date and where it was counted from."""
    day = found.reference.day.isoformat()
    if found.hit.earliest is None:
        return msg(
            "Names no day; it counts from the day of writing, {day} ({source}).",
            day=day,
            source=found.reference.named,
        )
    return msg(
        "**{meaning}**, counted from {day} ({source}).",
        meaning=meaning(found.hit),
        day=day,
        source=found.reference.named,
    )
