"""Reading the client's session files: forwards from an offset, following a file that grows, from its end.

Memory stays constant whatever the size of a file: it is read in pieces, and a line longer than MAX_LINE (a pasted
image, a tool that printed a disk) is passed over without being held.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from memdir.core.transcript import Record, parse_record

MAX_LINE = 8 * 1024 * 1024
_PIECE = 1 << 20
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(slots=True)
class Reader:
    """Reads one session file from `offset` on; `offset` moves behind each record that was given.

    `skipped` counts lines that were no JSON objects, `oversized` those that were too long. Offsets are where lines
    begin, so they can be kept and used again in another process.
    """

    path: str
    offset: int = 0
    skipped: int = 0
    oversized: int = 0

    def read(self, *, limit: int | None = None) -> Iterator[Record]:
        """Records from `offset` to the present end, or to the byte `limit`. Raises OSError when it can't be read.

        A last line without its break is given only when it is whole; else it waits for the next call.
        """
        fd = os.open(self.path, _FLAGS)
        try:
            os.lseek(fd, self.offset, os.SEEK_SET)
            yield from self._records(fd, limit)
        finally:
            os.close(fd)

    def _records(self, fd: int, limit: int | None) -> Iterator[Record]:
        held: list[bytes] = []  # pieces of a line that began earlier
        size = 0
        passing = False  # inside a line that is too long
        while limit is None or self.offset < limit:
            piece = os.read(fd, _PIECE)
            if not piece:
                break
            start = 0
            while (at := piece.find(b"\n", start)) >= 0:
                held.append(piece[start:at])
                size += at - start
                start = at + 1
                record = None if passing else self._parse(b"".join(held), size + 1)
                if passing:
                    self.oversized += 1
                self.offset += size + 1
                held, size, passing = [], 0, False
                if record is not None:
                    yield record
                if limit is not None and self.offset >= limit:
                    return
            held.append(piece[start:])
            size += len(piece) - start
            if size > MAX_LINE:
                held, passing = [], True
        if held and not passing and (limit is None or self.offset < limit):
            last = parse_record(b"".join(held), self.offset, self.offset + size)
            if last is not None:  # an object that parses has its closing brace: only the break is missing
                self.offset += size
                yield last

    def _parse(self, line: bytes, length: int) -> Record | None:
        if not line.strip():
            return None
        record = parse_record(line, self.offset, self.offset + length)
        if record is None:
            self.skipped += 1
        return record


@dataclass(slots=True)
class Tail:
    """Follows a session file: each `poll` gives what came since the last one, a bounded part of it at a time.

    `restarts` counts how often the file was replaced by a shorter one and is read from its beginning again.
    """

    path: str
    offset: int = 0
    restarts: int = 0
    _inode: int = field(default=0, repr=False)

    @classmethod
    def at_end(cls, path: str) -> Tail:
        """A tail that gives only what comes from now on (whole lines: a half-written last one is given when done)."""
        try:
            end = _last_line_start(path)
        except OSError:
            end = 0
        return cls(path, end)

    def poll(self, size: int = 8 * 1024 * 1024) -> list[Record]:
        """New records, at most about `size` bytes of them: after a full answer there may be more, so poll until it is
        empty. [] when there are none or the file does not exist (yet)."""
        try:
            info = os.stat(self.path)
        except OSError:
            return []
        replaced = self._inode not in (0, info.st_ino)
        if info.st_size < self.offset or (replaced and self.offset):
            self.restarts += 1
            self.offset = 0
        self._inode = info.st_ino
        reader = Reader(self.path, self.offset)
        found: list[Record] = []
        with suppress(OSError):
            while not found and self.offset < info.st_size:
                found += reader.read(limit=self.offset + size)
                if reader.offset == self.offset:  # a half-written line is all there is
                    break
                self.offset = reader.offset
        return found


def read_end(path: str, size: int = 4 * 1024 * 1024) -> Iterator[Record]:
    """The records in the last `size` bytes, in order; the line that the cut falls into is left out. Raises OSError."""
    total = os.stat(path).st_size
    reader = Reader(path, 0)
    if total > size:
        reader.offset = _next_line(path, total - size)
    yield from reader.read()


def line_number(path: str, offset: int) -> int:
    """1-based number of the line that begins at the byte `offset`, for links into the file. Raises OSError."""
    count, left = 1, offset
    fd = os.open(path, _FLAGS)
    try:
        while left > 0 and (piece := os.read(fd, min(_PIECE, left))):
            count += piece.count(b"\n")
            left -= len(piece)
    finally:
        os.close(fd)
    return count


def _next_line(path: str, offset: int) -> int:
    """Where the first line that begins after the byte `offset` begins (the end of the file when none does)."""
    fd = os.open(path, _FLAGS)
    try:
        os.lseek(fd, offset, os.SEEK_SET)
        while piece := os.read(fd, _PIECE):
            at = piece.find(b"\n")
            if at >= 0:
                return offset + at + 1
            offset += len(piece)
        return offset
    finally:
        os.close(fd)


def _last_line_start(path: str) -> int:
    """Where the last line begins that has no break yet; the end of the file when all have theirs."""
    fd = os.open(path, _FLAGS)
    try:
        end = os.fstat(fd).st_size
        at = end
        while at > 0:
            start = max(0, at - _PIECE)
            os.lseek(fd, start, os.SEEK_SET)
            found = os.read(fd, at - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            at = start
        return 0
    finally:
        os.close(fd)
