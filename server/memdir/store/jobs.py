"""Whether a memory job may run here at all: one switch for all of them, and the sentence that says why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.store.locate import Location

Job: TypeAlias = Literal["prompt", "extract", "consolidate", "notes", "team"]


def job_off(location: Location) -> Message | None:
    """Why no job runs for this location, None when they may.

    Memory that is off is off for all jobs. Settings of the client that can't be read might say so, too, and a job spends
    and writes: it waits until they can be read (fail closed).
    """
    if not location.enabled:
        used = next(s for s in location.switches if s.used)
        return msg("Memory is off here: {source} decides ({why}).", source=used.source, why=used.why)
    if not location.settings_readable:
        from memdir.store.client_settings import UNREADABLE

        problem = next(p for p in location.problems if p.rule == UNREADABLE)
        return msg(
            "A settings file can't be used, so nothing runs until it can: {problem}", problem=problem.message
        )
    return None
