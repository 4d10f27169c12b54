"""What became of the places that a memory cites."""

from __future__ import annotations

from dataclasses import dataclass

from memdir.core.citations import Citation, citations
from memdir.core.document import Document
from memdir.core.rule import Context
from memdir.core.staleness import written


@dataclass(frozen=True, slots=True)
class CitationReport:
    """Citations by what became of them. `unknown`: there, but whether it changed can't be told."""

    holds: tuple[Citation, ...]
    changed: tuple[Citation, ...]
    broken: tuple[Citation, ...]
    unknown: tuple[Citation, ...]


def verify_citations(document: Document, context: Context) -> CitationReport:
    """Look at every citation: file and line there, and unchanged since the memory was written?"""
    project, when = context.project, written(document, context.now.tzinfo)
    holds, changed, broken, unknown = [], [], [], []
    for citation in citations(document):
        count = project.line_count(citation.path) if citation.lines is not None else None
        past_end = citation.lines is not None and count is not None and citation.lines[1] > count
        if not project.exists(citation.path) or past_end:
            broken.append(citation)
            continue
        at = project.changed_at(citation.path)
        if at is None or when is None:
            unknown.append(citation)
        elif at > when.at and not (when.day_only and at.date() == when.at.date()):
            changed.append(citation)
        else:
            holds.append(citation)
    return CitationReport(tuple(holds), tuple(changed), tuple(broken), tuple(unknown))
