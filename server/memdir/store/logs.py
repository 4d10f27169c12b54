"""Appending to daily logs, and remembering what they held, so that a rewritten one is noticed.

The one write into a memory directory that is no change set: an append can't overwrite anybody. Each entry is a single
write to a file opened for appending, so concurrent writers lose nothing. Marks are kept in the state directory, one
small file per log, itself only appended to.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from datetime import datetime

from memdir.core.daily_log import LogMark, kept_until, log_day, log_entry, log_rel, mark
from memdir.store.errors import StoreError
from memdir.store.files import Place, atomic_write, open_place, read_file, resolve_inside
from memdir.store.lock import hold_file
from memdir.store.state import private_dir

_APPEND = (
    os.O_RDWR
    | os.O_APPEND
    | os.O_CREAT
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NONBLOCK", 0)
)
_MOST_MARKS = 200  # then the file is cut to the newest few: the largest mark covers all before it
_KEPT_MARKS = 20


def append_entry(root: str, text: str, *, now: datetime, state_dir: str) -> tuple[str, str]:
    """Append `text` as a bullet to the log of `now`'s date in the memory directory `root`, made on demand.

    `now` is aware and local: date and time are those of its zone. Gives (absolute path, the entry as written). Raises
    ValueError for an empty text, RefusedError when the path leads out of `root`, OSError.
    """
    entry = log_entry(text, now)
    rel = log_rel(now.date())
    real_root, path = resolve_inside(os.path.join(root, *rel.split("/")), [root])
    with open_place(real_root, path, made=lambda _: None) as place:
        content = _append(place, entry.encode("utf-8", "surrogateescape"))
    History(state_dir, root).observe(rel, content)
    return path, entry


def _append(place: Place, entry: bytes) -> bytes:
    """Append in one write; gives the whole content afterwards."""
    fd = os.open(place.name, _APPEND, 0o666, dir_fd=place.fd)
    try:
        with hold_file(fd):  # else the look at the last line could meet another writer half way
            size = os.fstat(fd).st_size
            if size:
                os.lseek(fd, size - 1, os.SEEK_SET)
                if os.read(fd, 1) != b"\n":
                    entry = b"\n" + entry  # a last line that a person left open
            if os.write(fd, entry) != len(entry):  # the rest can't be written as one piece any more
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), place.name)
            os.fsync(fd)
    finally:
        os.close(fd)
    return read_file(place.name, follow_links=False, dir_fd=place.fd).content


class History:
    """Marks of the logs of one memory directory. Implements `core.daily_log.LogHistory`."""

    def __init__(self, state_dir: str, root: str) -> None:
        self._state = state_dir
        self._root = os.path.realpath(root)

    def marks(self, rel: str) -> Sequence[LogMark]:
        """What is remembered of the log at `rel`; () when nothing is."""
        found = []
        with contextlib.suppress(OSError), open(self._path(rel), "rb") as file:
            for line in file:
                with contextlib.suppress(ValueError, TypeError, KeyError):  # a half-written last line
                    data = json.loads(line)
                    found.append(LogMark(int(data["size"]), str(data["sha256"])))
        return found

    def observe(self, rel: str, content: bytes) -> bool:
        """Remember `content`, unless it contradicts what is remembered; gives False then."""
        known = self.marks(rel)
        if kept_until(content, known) is not None:
            return False
        new = mark(content)
        if new not in known:
            self._add(rel, new)
            if len(known) > _MOST_MARKS:
                newest = sorted([*known, new], key=lambda m: m.size)[-_KEPT_MARKS:]
                atomic_write(self._path(rel), b"".join(_line(m) for m in newest), mode=0o600)
        return True

    def accept(self, rel: str, content: bytes) -> None:
        """Take `content` as it is for the truth: earlier marks are forgotten."""
        self._folder()
        atomic_write(self._path(rel), _line(mark(content)), mode=0o600)

    def _add(self, rel: str, new: LogMark) -> None:
        self._folder()
        fd = os.open(self._path(rel), _APPEND, 0o600)
        try:
            os.write(fd, b"\n" + _line(new))  # the break ends what a killed writer left
        finally:
            os.close(fd)

    def _folder(self) -> None:
        private_dir(os.path.join(self._state, "logs"))

    def _path(self, rel: str) -> str:
        key = os.fsencode(os.path.join(self._root, *rel.split("/")))
        return os.path.join(self._state, "logs", hashlib.sha256(key).hexdigest()[:32] + ".jsonl")


def observe_logs(root: str, rels: Iterable[str], *, state_dir: str) -> None:
    """Remember what the daily logs among `rels` (relative paths) hold on the disk now: the agent writes them, too.

    For whoever watches the directory. What can't be read or remembered is left out: it only means noticing less.
    """
    history = History(state_dir, root)
    for rel in rels:
        if log_day(rel) is not None:
            with contextlib.suppress(OSError, StoreError):
                history.observe(rel, read_file(os.path.join(root, *rel.split("/"))).content)


def _line(one: LogMark) -> bytes:
    return json.dumps({"size": one.size, "sha256": one.sha256}).encode() + b"\n"
