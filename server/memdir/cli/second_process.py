"""A second process that does the same work on other files: started by fork, so that nothing is loaded twice.

Both sides swap one message (what they have read); then the second one leaves the pieces of text it makes in a file in
memory, which the first reads when it has printed its own. Linux only; callers ask before.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import signal
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, NoReturn

_HEAD = 8  # bytes of a message's length


class SecondProcess:
    """As a context manager: `fork` splits in two; leaving the block ends the second process whatever happened."""

    def __init__(self) -> None:
        self._down, self._up = os.pipe(), os.pipe()  # to the second process, and back
        self._pieces = os.memfd_create("memdir-pieces")
        self._child = 0
        self.is_second = False

    def __enter__(self) -> SecondProcess:
        self._child = os.fork()
        self.is_second = self._child == 0
        os.close(self._down[1] if self.is_second else self._down[0])
        os.close(self._up[0] if self.is_second else self._up[1])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.is_second:
            os._exit(1)  # nothing of the first process's cleaning up is ours
        os.close(self._down[1])
        os.close(self._up[0])
        os.close(self._pieces)
        if self._child:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGKILL)
            self._reap()

    def swap(self, message: bytes) -> bytes | None:
        """Send `message` and give the other's; None when the other process is gone."""
        try:
            if self.is_second:
                _send(self._up[1], message)
                return _receive(self._down[0])
            answer = _receive(self._up[0])
            if answer is not None:
                _send(self._down[1], message)
            return answer
        except OSError:  # a broken pipe
            return None

    def leave(self, pieces: Iterable[str], result: Any) -> NoReturn:
        """In the second process: make all pieces, leave them and `result` (of plain values, complete after the last
        piece; called to get it) to the first one, and end."""
        number = 0
        with os.fdopen(os.dup(self._pieces), "wb") as file:
            for piece in pieces:
                marshal.dump(piece, file)
                number += 1
        _send(self._up[1], marshal.dumps((number, result())))
        os._exit(0)

    def result(self) -> tuple[int, Any] | None:
        """In the first process: the number of pieces and the result, once the second one is done; None when it failed."""
        try:
            message = _receive(self._up[0])
        except OSError:
            return None
        if self._reap() != 0 or message is None:
            return None
        found: tuple[int, Any] = marshal.loads(message)
        return found

    def pieces(self, number: int) -> Iterator[str]:
        """What the second process left."""
        os.lseek(self._pieces, 0, os.SEEK_SET)
        with os.fdopen(os.dup(self._pieces), "rb") as file:
            for _ in range(number):
                yield marshal.load(file)

    def _reap(self) -> int:
        child, self._child = self._child, 0
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) if child else 1


def _send(fd: int, message: bytes) -> None:
    data = memoryview(len(message).to_bytes(_HEAD, "little") + message)
    while data:
        data = data[os.write(fd, data) :]


def _receive(fd: int) -> bytes | None:
    head = _read(fd, _HEAD)
    return None if head is None else _read(fd, int.from_bytes(head, "little"))


def _read(fd: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(fd, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
