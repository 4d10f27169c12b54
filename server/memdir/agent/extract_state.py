"""What extraction remembers between runs: how far each session has been read, and that only one run works at a time.

A run that finds another one at work leaves a note and goes; whoever works looks for a note when done and goes on with it.
The newest note wins: it covers what the older ones wanted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass

from memdir.store.errors import LockedError, StoreError
from memdir.store.files import atomic_write, read_file
from memdir.store.lock import hold
from memdir.store.state import private_dir

FIRST_BYTES = 512 * 1024  # of a session that was never read: its last part, what is older is no news
_KEPT_SESSIONS = 300


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where the next extraction of a session begins. `context`: where to read from, so that it makes sense; `fresh`: the
    session was never read, and both are near its end."""

    offset: int
    context: int
    fresh: bool = False


class ExtractState:
    """The state of one memory directory. Methods raise StoreError or OSError when the state directory can't be used."""

    def __init__(self, state_dir: str, memory_dir: str) -> None:
        key = hashlib.sha256(os.fsencode(os.path.realpath(memory_dir))).hexdigest()[:16]
        self._folder = os.path.join(state_dir, "extract")
        self._base = os.path.join(self._folder, key)

    def cursor(self, session: str) -> Cursor:
        """Where to go on in a session file. A file that was replaced by another one is begun anew."""
        info = os.stat(session)
        entry = self._sessions().get(session)
        if entry is not None and entry["inode"] == info.st_ino and entry["offset"] <= info.st_size:
            return Cursor(entry["offset"], entry["context"])
        start = max(info.st_size - FIRST_BYTES, 0)
        return Cursor(start, start, True)

    def move(self, session: str, offset: int, context: int | None = None) -> None:
        """The session has been read up to `offset`; what the agent said last begins at `context`."""
        private_dir(self._folder)
        with hold(self._base + ".lock"):
            sessions = self._sessions()
            sessions.pop(session, None)  # the latest ones stand last
            sessions[session] = {
                "offset": offset,
                "context": offset if context is None else min(context, offset),
                "inode": os.stat(session).st_ino,
            }
            kept = dict(list(sessions.items())[-_KEPT_SESSIONS:])
            data = json.dumps({"version": 1, "sessions": kept}).encode("utf-8", "surrogatepass")
            atomic_write(self._base + ".json", data, mode=0o600)

    @contextlib.contextmanager
    def alone(self, session: str) -> Iterator[bool]:
        """True inside when no other run works; else a note for it is left, and the answer is False."""
        private_dir(self._folder)
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(hold(self._base + ".run", timeout=0.0))
            except LockedError:
                atomic_write(self._base + ".next", os.fsencode(session), mode=0o600)
                yield False
            else:
                yield True

    def waiting(self) -> str | None:
        """Take the note that was left: the session that is to be read next."""
        path = self._base + ".next"
        try:
            session = os.fsdecode(read_file(path, cap=64 * 1024).content)
            os.unlink(path)
        except (OSError, StoreError):
            return None
        return session or None

    def _sessions(self) -> dict[str, dict[str, int]]:
        try:
            data = json.loads(read_file(self._base + ".json", cap=4_000_000).content)
            return {
                str(name): {key: int(entry[key]) for key in ("offset", "context", "inode")}
                for name, entry in data["sessions"].items()
            }
        except (OSError, StoreError, ValueError, TypeError, KeyError, AttributeError):
            return {}
