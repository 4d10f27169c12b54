"""What became of the places that a memory cites."""

from __future__ import annotations

from dataclasses import dataclass

from memdir.core.citations import Citation, citations
from memdir.core.document import Document
from memdir.core.facts import ProjectFacts
from memdir.core.index import resolve
from memdir.core.rule import Context
from memdir.core.staleness import Written, written


@dataclass(frozen=True, slots=True)
class CitationReport:
    """Citations by what became of them. `unknown`: there, but whether it changed can't be told."""

    holds: tuple[Citation, ...]
    changed: tuple[Citation, ...]
    broken: tuple[Citation, ...]
    unknown: tuple[Citation, ...]


def verify_citations(document: Document, context: Context) -> CitationReport:
    """Look at every citation of the repository: file and line there, and unchanged since the memory was written?

    A file that is named without a line holds as long as it is there: that it changes does not make it wrong to name it.
    """
    project, when = context.project, written(document, context.now.tzinfo)
    holds: list[Citation] = []
    changed: list[Citation] = []
    broken: list[Citation] = []
    unknown: list[Citation] = []
    for citation in citations(document):
        if citation.lines is None and (resolve(document.rel, citation.path) or "") in context.directory:
            continue  # another memory
        if not project.exists(citation.path) or _past_end(citation, project):
            broken.append(citation)
        elif citation.lines is None:
            holds.append(citation)
        else:
            after = _changed_after(citation, project, when)
            (unknown if after is None else changed if after else holds).append(citation)
    return CitationReport(tuple(holds), tuple(changed), tuple(broken), tuple(unknown))


def _past_end(citation: Citation, project: ProjectFacts) -> bool:
    count = project.line_count(citation.path) if citation.lines is not None else None
    return citation.lines is not None and count is not None and citation.lines[1] > count


def _changed_after(citation: Citation, project: ProjectFacts, when: Written | None) -> bool | None:
    at = project.changed_at(citation.path)
    if at is None or when is None:
        return None
    if when.day_only:
        return at.astimezone(when.at.tzinfo).date() > when.at.date()
    return at > when.at
