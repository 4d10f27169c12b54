"""Mechanical consolidation: what needs no judgement, as one proposal with a reason per file.

`consolidate` does all of it; `tidy` only what is right after anybody's changes (dates and indexes), so a model's work is
finished with it, too. Pure: text in, outcomes out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from memdir.core.changes import FileOutcome
from memdir.core.consolidate.dates import write_dates
from memdir.core.consolidate.duplicates import merge_duplicates
from memdir.core.consolidate.index import rebuild_indexes
from memdir.core.consolidate.logs import gather_logs
from memdir.core.consolidate.outcome import TITLE, Consolidation, consolidation, only, with_consent
from memdir.core.consolidate.work import Work
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.rule import Context

__all__ = [
    "TITLE",
    "Consolidation",
    "completed",
    "consolidate",
    "consolidation",
    "only",
    "tidy",
    "with_consent",
]


def consolidate(context: Context, *, since: date | None = None) -> Consolidation:
    """Everything mechanical over the context's directory. `since`: day of the last consolidation (logs before it have
    been gathered). The directory itself stays as it is."""
    work = Work.of(context)
    write_dates(work)
    merge_duplicates(work)
    gather_logs(work, since)
    rebuild_indexes(work)
    return consolidation(context.directory, work.outcomes(), tuple(work.notes), tuple(work.groups))


def tidy(context: Context) -> Work:
    """Dates written out and indexes rebuilt in a copy of the context's directory."""
    work = Work.of(context)
    write_dates(work)
    rebuild_indexes(work, keep_text=False)
    return work


def completed(context: Context, outcomes: Iterable[FileOutcome]) -> tuple[FileOutcome, ...]:
    """`outcomes` for files of the context's directory, with what `tidy` makes of the result."""
    given = {o.path: o for o in outcomes}
    root = context.directory.root
    documents = {d.rel: d for d in context.directory}
    for path, outcome in given.items():
        rel = path.removeprefix(root + "/")
        old = documents.pop(rel, None)
        if outcome.after is not None:
            mtime = old.mtime if old else context.now.timestamp()
            documents[rel] = Document(path, rel, outcome.after, mtime)
    work = tidy(replace(context, directory=Directory(root, documents.values())))
    tidied = {o.path: o for o in work.outcomes()}
    found = []
    for path in sorted({*given, *tidied}):
        first, second = given.get(path), tidied.get(path)
        before = first.before if first else second.before if second else None
        after = second.after if second else first.after if first else None
        if before != after:
            why = (*(first.reasons if first else ()), *(second.reasons if second else ()))
            found.append(FileOutcome(path, before, after, None, why))
    return tuple(found)
