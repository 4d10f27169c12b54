"""A lock between processes that a dead owner can't keep.

The kernel's file lock does the excluding, so it is free the moment its holder dies. What the kernel can't see is a
holder that died while a child still has the file open; for that the lock file names its holder (PID, start of that
process, host), and a waiter who finds that holder dead puts a new file in place. Who holds a lock checks that the
file under the path is still the one it locked, so a taken-over lock is never held twice.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memdir.core.i18n import msg
from memdir.store.errors import LockedError
from memdir.store.process import process_alive, process_token

_FLAGS = (
    os.O_RDWR
    | os.O_CREAT
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)
_FAR = 1 << 30  # Windows locks are mandatory: lock a byte far behind the holder's record, which others read
_FIRST_WAIT, _LONGEST_WAIT = 0.001, 0.05  # seconds between two tries


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock, as written in the lock file."""

    pid: int
    token: str
    host: str

    def dead(self) -> bool:
        """True when it is certain that the holder is gone: same host, and no such process or a later one."""
        if self.host != host_name():
            return False
        if not process_alive(self.pid):
            return True
        token = process_token(self.pid)
        return bool(token and self.token and token != self.token)


def host_name() -> str:
    """Name of this machine: a PID means something only together with it."""
    if hasattr(os, "uname"):
        return os.uname().nodename
    import socket

    return socket.gethostname()


@contextlib.contextmanager
def hold(
    path: str,
    *,
    timeout: float = 10.0,
    clock: Callable[[], float] = time.monotonic,
    wait: Callable[[float], object] = time.sleep,
) -> Iterator[None]:
    """Hold the lock file `path` (created, 0600; its directory exists) for the time of a `with` block.

    Waits at most `timeout` seconds for another process or thread; then LockedError, naming the holder. Not reentrant.
    """
    fd = _acquire(path, timeout, clock, wait)
    try:
        yield
    finally:
        os.ftruncate(fd, 0)  # a free lock names nobody
        _unlock(fd)
        os.close(fd)


@contextlib.contextmanager
def hold_file(fd: int, *, timeout: float = 2.0) -> Iterator[None]:
    """Hold an open data file against others who do the same, for moments only.

    A courtesy for appenders: after `timeout` seconds, or where the file system has no locks, the block runs without.
    """
    end = time.monotonic() + timeout
    held = False
    with contextlib.suppress(LockedError):
        while not (held := _try_lock(fd)) and time.monotonic() < end:
            time.sleep(_FIRST_WAIT)
    try:
        yield
    finally:
        if held:
            _unlock(fd)


def holder_of(path: str) -> Holder | None:
    """Who the lock file says holds it (or held it last), or None when it says nothing readable."""
    try:
        with open(path, "rb") as file:
            data = json.loads(file.read(4096) or b"null")
        return Holder(int(data["pid"]), str(data["token"]), str(data["host"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _acquire(path: str, timeout: float, clock: Callable[[], float], wait: Callable[[float], object]) -> int:
    end = clock() + timeout
    pause = _FIRST_WAIT
    while True:
        fd = os.open(path, _FLAGS, 0o600)
        try:
            if _try_lock(fd):
                if _sign(fd, path):
                    return fd
                os.close(fd)
                continue  # the file was replaced by a take-over: lock the new one
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)
        holder = holder_of(path)
        if holder is not None and holder.dead():
            _take_over(path, holder)
            continue
        if clock() >= end:
            raise LockedError(
                msg(
                    "{path} is held by process {pid}; try again when it is done.",
                    path=path,
                    pid=str(holder.pid) if holder else "?",
                )
            )
        wait(min(pause, max(end - clock(), 0.0)))
        pause = min(pause * 2, _LONGEST_WAIT)


def _take_over(path: str, dead: Holder) -> None:
    """Put a fresh lock file in place of one whose holder is dead but whose kernel lock a child keeps.

    Only while the file still names that holder, so two waiters can't both replace it.
    """
    with _guard(path):
        if holder_of(path) == dead:
            tmp = f"{path}.{os.getpid():x}-{threading.get_ident():x}"
            os.close(os.open(tmp, _FLAGS, 0o600))
            with contextlib.suppress(
                PermissionError
            ):  # Windows: open elsewhere; there no child inherits a lock
                os.replace(tmp, path)


def _sign(fd: int, path: str) -> bool:
    """Write our name into the file locked as `fd`; False when it is no longer the file at `path`."""
    record = json.dumps(
        {"pid": os.getpid(), "token": process_token(os.getpid()), "host": host_name()}
    ).encode()
    # A name left by a holder that was killed invites a take-over until ours replaces it: keep that out meanwhile.
    with _guard(path) if os.fstat(fd).st_size else contextlib.nullcontext():
        if not _same_file(fd, path):
            return False
        os.ftruncate(fd, 0)
        os.lseek(fd, 0, os.SEEK_SET)
        os.write(fd, record)
    return True


@contextlib.contextmanager
def _guard(path: str) -> Iterator[None]:
    """A second lock, held for microseconds and by this module only, around looking at a name and acting on it."""
    fd = os.open(path + ".takeover", _FLAGS, 0o600)
    try:
        while not _try_lock(fd):
            time.sleep(_FIRST_WAIT)
        yield
    finally:
        os.close(fd)


def _same_file(fd: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), os.stat(path))
    except FileNotFoundError:
        return False


def _unsupported(path_error: OSError) -> bool:
    return path_error.errno in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> bool:
        os.lseek(fd, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(fd: int) -> None:
        os.lseek(fd, _FAR, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if _unsupported(error):
                raise LockedError(
                    msg(
                        "The state directory's file system has no file locks; set MEMDIR_STATE_DIR to a local directory."
                    )
                ) from error
            raise
        return True

    def _unlock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_UN)
