"""Where the notes of a session lie, and how far they go: beside the session's own file, for as long as it runs.

`<project>/<session>/session-notes/summary.md`. They are not kept for later sessions: what a task stood at would mislead
those. When a session gets its first notes, those of sessions that ended are removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass

from memdir.agent.notes_text import NAME
from memdir.core.transcript import Record
from memdir.store.errors import StoreError
from memdir.store.files import atomic_write, read_file
from memdir.store.lock import hold
from memdir.store.state import private_dir
from memdir.store.transcripts import Reader

FOLDER = "session-notes"
ENDED_SECONDS = 86_400.0  # a session that was not written to for a day is over
_MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Reached:
    """How far the notes go: the last message in them begins at `start` and has `uuid`; the next one is behind `offset`.

    `tokens`: size of the context at the last update.
    """

    offset: int
    start: int
    uuid: str
    tokens: int


class NotesFile:
    """The notes of one session file."""

    def __init__(self, session: str, state_dir: str) -> None:
        self.session = session
        self.folder = os.path.join(session.removesuffix(".jsonl"), FOLDER)
        self.path = os.path.join(self.folder, NAME)
        key = hashlib.sha256(os.fsencode(os.path.realpath(session))).hexdigest()[:16]
        self._lock = os.path.join(state_dir, "notes", key + ".lock")

    def read(self) -> str | None:
        """The notes, None when there are none."""
        try:
            return read_file(self.path, cap=_MAX_BYTES, follow_links=False).content.decode("utf-8", "replace")
        except (OSError, StoreError):
            return None

    def reached(self) -> Reached | None:
        """How far they go, None when that is unknown."""
        try:
            data = json.loads(read_file(self._state_path, cap=65_536, follow_links=False).content)
            return Reached(int(data["offset"]), int(data["start"]), str(data["uuid"]), int(data["tokens"]))
        except (OSError, StoreError, ValueError, TypeError, KeyError):
            return None

    def boundary(self) -> Record | None:
        """The last message that the notes hold, as it stands in the session; None when it is not there (any more)."""
        reached = self.reached()
        if reached is None:
            return None
        with contextlib.suppress(OSError):
            for record in Reader(self.session, reached.start).read(limit=reached.offset):
                return record if record.uuid == reached.uuid and record.start == reached.start else None
        return None

    def write(self, text: str, reached: Reached) -> None:
        """Keep new notes. Raises OSError or StoreError."""
        private_dir(self.folder)
        atomic_write(self.path, text.encode("utf-8", "replace"), mode=0o600)
        data = {
            "offset": reached.offset,
            "start": reached.start,
            "uuid": reached.uuid,
            "tokens": reached.tokens,
        }
        atomic_write(self._state_path, json.dumps({"version": 1, **data}).encode(), mode=0o600)

    @contextlib.contextmanager
    def updating(self, timeout: float = 0.0) -> Iterator[None]:
        """Keep other updates out for the time of a block. LockedError when one runs for longer than `timeout` seconds."""
        private_dir(os.path.dirname(self._lock))
        with hold(self._lock, timeout=timeout):
            yield

    def remove_ended(self, now: float) -> None:
        """Remove the notes of other sessions of the same folder that are over."""
        base = os.path.dirname(self.session)
        with contextlib.suppress(OSError), os.scandir(base) as entries:
            for entry in entries:
                notes = os.path.join(entry.path, FOLDER)
                if not entry.is_dir(follow_symlinks=False) or notes == self.folder or os.path.islink(notes):
                    continue
                if os.path.isdir(notes) and _ended(entry.path + ".jsonl", now):
                    shutil.rmtree(notes, ignore_errors=True)

    @property
    def _state_path(self) -> str:
        return os.path.join(self.folder, "state.json")


def _ended(session: str, now: float) -> bool:
    try:
        return now - os.stat(session).st_mtime > ENDED_SECONDS
    except OSError:
        return True
