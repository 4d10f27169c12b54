"""`.consolidate-lock`: who consolidates a memory directory now, and when it was last done.

The agent's client uses the same file in the same way: its content is the PID of the holder, its time is the last
consolidation; a dead holder, or one that has had an hour, loses it; a run that failed sets the time back. So both keep out
of each other's way. Between Memdir's own processes a kernel lock makes taking it atomic; against the client, which knows no
such lock, the file is read again after writing, and once more before an outcome is used.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.i18n import msg
from memdir.store.errors import LockedError, RefusedError, StoreError
from memdir.store.files import atomic_write, open_place, read_file, stage
from memdir.store.lock import hold
from memdir.store.process import process_alive, process_started, process_token
from memdir.store.state import private_dir

NAME = ".consolidate-lock"
STALE_SECONDS = 3600.0  # the client's own limit: after an hour a holder is taken for hung
# A process that started after the file was written is another one with the holder's number. Start times are good to about
# a second, and file times may come from another clock (network mounts).
_REUSE_SLACK = 10.0
_FOLDER = "consolidate"


@dataclass(frozen=True, slots=True)
class LockState:
    """What the file says at one moment: `last` is its time (POSIX seconds; None: no file), `pid` its content."""

    last: float | None = None
    pid: int | None = None

    def held(self, now: float) -> bool:
        """True while a living holder has had it for less than an hour."""
        if self.pid is None or self.last is None or now - self.last >= STALE_SECONDS:
            return False
        if not process_alive(self.pid):
            return False
        started = process_started(self.pid)
        return started is None or started <= self.last + _REUSE_SLACK


class ConsolidationLock:
    """The lock while this process holds it. End it with `finish` (it is consolidated now) or `roll_back` (it is not)."""

    def __init__(self, memory_dir: str, state_dir: str, prior: float | None) -> None:
        self._memory = memory_dir
        self._state = state_dir
        self._prior = prior
        self._over = False

    def still_ours(self) -> bool:
        """False when somebody took it over meanwhile; the outcome must not be used then."""
        return not self._over and read_lock(self._memory).pid == os.getpid()

    def finish(self, now: float) -> None:
        """Free it; `now` is the time of the last consolidation from here on."""
        self._end(now)

    def roll_back(self) -> None:
        """Free it and leave the time of the last consolidation as it was (no file, when there was none)."""
        self._end(self._prior)

    def _end(self, last: float | None) -> None:
        if self._over:
            return
        with _guard(self._memory, self._state):
            if self.still_ours():
                _leave(self._memory, last)
            _forget_run(self._memory, self._state)
        self._over = True


def read_lock(memory_dir: str) -> LockState:
    """The file as it is; a link or anything else in its place counts as nothing."""
    try:
        found = read_file(os.path.join(memory_dir, NAME), cap=64, follow_links=False)
    except (OSError, RefusedError):
        return LockState()
    text = found.content.strip()
    pid = int(text) if text.isdigit() and len(text) < 12 else None
    return LockState(found.mtime_ns / 1e9, pid)


def last_consolidation(memory_dir: str, state_dir: str) -> float | None:
    """When the directory was last consolidated (POSIX seconds); None: never. A run of ours that was killed does not count."""
    _undo_killed_run(memory_dir, state_dir)
    return read_lock(memory_dir).last


def take_lock(memory_dir: str, state_dir: str, now: float) -> ConsolidationLock:
    """Take the lock of an existing memory directory. LockedError when another process holds it, OSError.

    `now` becomes the file's time; it is set back by `roll_back`.
    """
    memory_dir = os.path.realpath(memory_dir)
    with _guard(memory_dir, state_dir):
        _undo_killed_run(memory_dir, state_dir, guarded=True)
        present = read_lock(memory_dir)
        if present.held(now):
            raise _busy(present)
        _remember_run(memory_dir, state_dir, present.last)
        _write(memory_dir, b"%d" % os.getpid(), now)
        again = read_lock(memory_dir)
        if again.pid != os.getpid():  # the client, which does not know our guard, was a moment later
            _forget_run(memory_dir, state_dir)
            raise _busy(again)
    return ConsolidationLock(memory_dir, state_dir, present.last)


def _busy(state: LockState) -> LockedError:
    return LockedError(
        msg(
            "Process {pid} is consolidating these memories; try again when it is done.",
            pid=str(state.pid or "?"),
        )
    )


def _leave(memory_dir: str, last: float | None) -> None:
    """The free lock: no content, so that this living process is not taken for a holder."""
    if last is None:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(memory_dir, NAME))
    else:
        _write(memory_dir, b"", last)


def _write(memory_dir: str, content: bytes, last: float) -> None:
    """Replace the file in one step; a link planted in its place is replaced, not followed."""
    with open_place(memory_dir, os.path.join(memory_dir, NAME)) as place:
        tmp = place.sibling(f".consolidate-{os.getpid():x}-{os.urandom(3).hex()}.tmp")
        try:
            stage(tmp, content, mtime_ns=int(last * 1e9), flush=False)
            tmp.replace(place)
        except BaseException:
            tmp.unlink()
            raise


def _key(memory_dir: str) -> str:
    return hashlib.sha256(os.fsencode(os.path.realpath(memory_dir))).hexdigest()[:16]


def state_file(memory_dir: str, state_dir: str, suffix: str) -> str:
    """Path of a file that the state directory keeps about a memory directory; its folder is made."""
    folder = private_dir(os.path.join(state_dir, _FOLDER))
    return os.path.join(folder, _key(memory_dir) + suffix)


@contextlib.contextmanager
def _guard(memory_dir: str, state_dir: str) -> Iterator[None]:
    with hold(state_file(memory_dir, state_dir, ".lock")):
        yield


def _remember_run(memory_dir: str, state_dir: str, prior: float | None) -> None:
    record = {"pid": os.getpid(), "token": process_token(os.getpid()), "prior": prior}
    atomic_write(state_file(memory_dir, state_dir, ".run.json"), json.dumps(record).encode(), mode=0o600)


def _forget_run(memory_dir: str, state_dir: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(state_file(memory_dir, state_dir, ".run.json"))


def _undo_killed_run(memory_dir: str, state_dir: str, *, guarded: bool = False) -> None:
    """Set the time back after a run of ours that was killed: it consolidated nothing."""
    try:
        path = state_file(memory_dir, state_dir, ".run.json")
        if not os.path.exists(path):
            return
        record = json.loads(read_file(path, cap=4096).content)
        pid, token, prior = int(record["pid"]), str(record["token"]), record["prior"]
    except (OSError, StoreError, ValueError, TypeError, KeyError):
        return
    if process_alive(pid) and (not token or process_token(pid) == token):
        return
    if not guarded:
        with contextlib.suppress(LockedError), _guard(memory_dir, state_dir):
            _undo_killed_run(memory_dir, state_dir, guarded=True)
        return
    if read_lock(memory_dir).pid == pid:
        with contextlib.suppress(OSError):
            _leave(memory_dir, float(prior) if isinstance(prior, (int, float)) else None)
    _forget_run(memory_dir, state_dir)
