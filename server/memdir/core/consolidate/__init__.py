"""Mechanical consolidation: what needs no judgement, as one proposal with a reason per file.

`consolidate` does all of it; `tidy` only what is right after anybody's changes (dates and indexes), so a model's work is
finished with it, too. Pure: text in, outcomes out.
"""

from __future__ import annotations

from datetime import date

from memdir.core.consolidate.dates import write_dates
from memdir.core.consolidate.duplicates import merge_duplicates
from memdir.core.consolidate.index import rebuild_indexes
from memdir.core.consolidate.logs import gather_logs
from memdir.core.consolidate.outcome import TITLE, Consolidation, consolidation, with_consent
from memdir.core.consolidate.work import Work
from memdir.core.rule import Context

__all__ = ["TITLE", "Consolidation", "consolidate", "consolidation", "tidy", "with_consent"]


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
