"""Results kept in the state directory: what a run printed, beside everything it depended on.

One file per question. Its head says what the answer depended on; the text comes after it. A file that is damaged, of
another version, or does not fit is no answer. Nothing here decides what an answer depends on.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Mapping
from typing import Any

from memdir.store.errors import StoreError
from memdir.store.state import private_dir

FOLDER = "results"
MAX_FILES = 16  # the oldest go first
MAX_BYTES = 48_000_000  # of a text; a longer one is not worth the disk
_MARK = b"memdir-result-1\n"
_TAIL = 16  # bytes behind text and head: size of the head, checksum of both


class Results:
    """The kept results of one state directory."""

    def __init__(self, state_dir: str) -> None:
        self._folder = os.path.join(state_dir, FOLDER)

    def get(self, name: str) -> tuple[Mapping[str, Any], bytes] | None:
        """(head, text) of the result called `name`; None when there is none that can be read."""
        try:
            with open(os.path.join(self._folder, name), "rb") as file:
                data = file.read(2 * MAX_BYTES)
        except OSError:
            return None
        size, checksum = (int.from_bytes(data[-_TAIL + at :][:8], "little") for at in (0, 8))
        end = len(data) - _TAIL
        if (
            end - size < len(_MARK)
            or not data.startswith(_MARK)
            or zlib.crc32(memoryview(data)[:end]) != checksum
        ):
            return None
        try:
            head = json.loads(data[end - size : end])
        except ValueError:
            return None
        return (head, data[len(_MARK) : end - size]) if isinstance(head, dict) else None

    def draft(self, name: str) -> Draft | None:
        """A result called `name` to be written as its text is made; None when nothing can be kept, which costs the next
        run its time only."""
        try:
            return Draft(private_dir(self._folder), name)
        except (OSError, StoreError):
            return None

    def prune(self) -> None:
        """Remove the oldest results, and what a killed run left."""
        with contextlib.suppress(OSError), os.scandir(self._folder) as entries:
            by_age = sorted((entry.stat().st_mtime_ns, entry.path) for entry in entries)
            for _, path in by_age[:-MAX_FILES]:
                os.unlink(path)


class Draft:
    """A result that is being written. It takes the place of the one before with `keep`; `drop` leaves no trace."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder, self._name = folder, name
        self._path = os.path.join(folder, f"{name}.{os.getpid()}.tmp")
        self._file = open(self._path, "wb", opener=_private)  # noqa: SIM115  # closed by keep and drop
        self._file.write(_MARK)
        self._checksum, self._size, self._whole = zlib.crc32(_MARK), 0, True

    def write(self, text: str) -> None:
        """Add to the text. What can't be written or is too long spoils the draft, nothing else."""
        if not self._whole:
            return
        try:
            data = text.encode()
            self._size += len(data)
            self._checksum = zlib.crc32(data, self._checksum)
            self._file.write(data)
            self._whole = self._size <= MAX_BYTES
        except (OSError, UnicodeEncodeError):
            self._whole = False

    def keep(self, head: Mapping[str, Any]) -> bool:
        """Complete it; False when something went wrong."""
        described = json.dumps(head, ensure_ascii=True).encode()
        try:
            if not self._whole:
                return False
            checksum = zlib.crc32(described, self._checksum)
            self._file.write(
                described + len(described).to_bytes(8, "little") + checksum.to_bytes(8, "little")
            )
            self._file.close()
            os.replace(self._path, os.path.join(self._folder, self._name))
        except OSError:
            return False
        finally:
            self.drop()
        Results(os.path.dirname(self._folder)).prune()
        return True

    def drop(self) -> None:
        """Close it and remove what is left of it."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            os.unlink(self._path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
