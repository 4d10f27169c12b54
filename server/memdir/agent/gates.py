"""Whether a consolidation is due, asked in the order of what the asking costs: the time, the sessions, the lock."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from datetime import datetime

from memdir.core.i18n import Message, msg
from memdir.core.settings import ConsolidateSettings
from memdir.store.consolidate_lock import LockState, last_consolidation, read_lock, state_file
from memdir.store.errors import StoreError
from memdir.store.files import atomic_write, read_file
from memdir.store.jobs import job_off
from memdir.store.locate import Location
from memdir.store.transcripts_find import find_sessions

SCAN_SECONDS = 600.0  # the session folders are looked through at most once in ten minutes


@dataclass(frozen=True, slots=True)
class Gate:
    """The answer. `why` is for people; `last` POSIX seconds; `sessions` None when they were not counted."""

    due: bool
    why: Message
    last: float | None = None
    sessions: int | None = None


def check_gates(
    location: Location,
    settings: ConsolidateSettings,
    *,
    now: datetime,
    state_dir: str,
    session: str = "",
    throttled: bool = True,
) -> Gate:
    """Whether the memory of `location` is due. `session`: id of the running session, which does not count.

    throttled: not to count the sessions again within ten minutes; a person who asks gets a fresh count.
    """
    off = job_off(location)
    if off is not None:
        return Gate(False, off)
    if not os.path.isdir(location.memory_dir):
        return Gate(False, msg("There are no memories yet."))
    moment = now.timestamp()
    try:
        last = last_consolidation(location.memory_dir, state_dir)
    except StoreError as error:
        return Gate(False, error.message)
    if last is not None:
        hours = max(moment - last, 0.0) / 3600
        if hours < settings.hours:
            if (state := read_lock(location.memory_dir)).held(moment):
                return Gate(False, _running(state), last)  # its time is the start of that run
            why = msg("Consolidated {hours} hours ago; due after {limit}.", hours=f"{hours:.1f}", limit=f"{settings.hours:g}")  # fmt: skip
            return Gate(False, why, last)
    count = _touched(location, last or 0.0, moment, state_dir, session, throttled=throttled)
    if count is None:
        return Gate(False, msg("The sessions were counted less than ten minutes ago."), last)
    if count < settings.sessions:
        why = msg(
            "Sessions since the last time: {count}; due from {limit}.", count=count, limit=settings.sessions
        )
        return Gate(False, why, last, count)
    state = read_lock(location.memory_dir)
    if state.held(moment):
        return Gate(
            False, msg("Process {pid} is consolidating these memories.", pid=str(state.pid)), last, count
        )
    return Gate(True, msg("Due; sessions since the last time: {count}.", count=count), last, count)


def _running(state: LockState) -> Message:
    return msg("Process {pid} is consolidating these memories.", pid=str(state.pid))


def _touched(
    location: Location, last: float, now: float, state_dir: str, session: str, *, throttled: bool
) -> int | None:
    """Sessions written since `last`, without `session`; None when they were counted a moment ago."""
    path = state_file(location.memory_dir, state_dir, ".scan.json")
    with contextlib.suppress(OSError, StoreError, ValueError, TypeError, KeyError):
        scanned = float(json.loads(read_file(path, cap=4096).content)["scanned"])
        if throttled and 0 <= now - scanned < SCAN_SECONDS:
            return None
    with contextlib.suppress(OSError, StoreError):
        atomic_write(path, json.dumps({"scanned": now}).encode(), mode=0o600)
    found = find_sessions(location, since_ns=int(last * 1e9))
    return sum(1 for s in found if s.id != session)
