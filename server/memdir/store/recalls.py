"""The file behind the records of recalls: JSON lines in the state directory, one file per memory directory.

`memdir.agent.records` writes them; rules see what they add up to (`Recalled`). What can't be written is left out, what
can't be read is skipped: records must never disturb.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from typing import Any

from memdir.core.recall_stats import History, MemoryStats
from memdir.store.errors import StoreError
from memdir.store.lock import hold
from memdir.store.state import private_dir

MAX_BYTES = 2_000_000  # about 10,000 recalls; then the older half goes
_FOLDER = "recall"


def records_path(state_dir: str, memory_dir: str) -> str:
    """Where the records of a memory directory are."""
    real = os.path.realpath(memory_dir)
    name = os.path.basename(os.path.dirname(real)).strip("-")[-60:] or "memory"
    key = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
    return os.path.join(state_dir, _FOLDER, f"{name}-{key}.jsonl")


class RecallLog:
    """Appending and reading."""

    def __init__(self, state_dir: str, memory_dir: str) -> None:
        self._state_dir = state_dir
        self.path = records_path(state_dir, memory_dir)
        self._offers: set[str] = set()

    def read(self) -> Iterator[dict[str, Any]]:
        """Every record, oldest first; half-written and unknown lines are skipped."""
        try:
            with open(self.path, encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    try:
                        found = json.loads(line)
                    except (ValueError, RecursionError):
                        continue
                    if isinstance(found, dict) and isinstance(found.get("kind"), str):
                        yield found
        except OSError:
            return

    def knows_offer(self, offer: str) -> bool:
        """The set was written before, by this process or another."""
        if offer not in self._offers:
            try:
                with open(self.path, "rb") as file:
                    found = b'{"kind":"offer","id":"%s"' % offer.encode() in file.read(MAX_BYTES * 2)
            except OSError:
                found = False
            self._offers.add(offer)
            return found
        return True

    def append(self, lines: list[dict[str, Any]]) -> bool:
        data = "".join(
            json.dumps(line, ensure_ascii=True, separators=(",", ":")) + "\n" for line in lines
        ).encode()
        flags = (
            os.O_WRONLY
            | os.O_CREAT
            | os.O_APPEND
            | getattr(os, "O_CLOEXEC", 0)
            | getattr(os, "O_NOFOLLOW", 0)
        )
        try:
            private_dir(self._state_dir)
            private_dir(os.path.dirname(self.path))
            fd = os.open(self.path, flags, 0o600)
            try:
                if os.lseek(fd, 0, os.SEEK_END) and not _ends_with_break(self.path):
                    data = b"\n" + data  # a line that a killed process left half written
                os.write(fd, data)
                size = os.fstat(fd).st_size
            finally:
                os.close(fd)
            if size > MAX_BYTES:
                self._shorten()
        except (OSError, StoreError):
            return False
        return True

    def _shorten(self) -> None:
        """Keep the newer half, with the offers it refers to."""
        with hold(self.path + ".lock", timeout=1.0):
            records = list(self.read())
            kept = [r for r in records if r["kind"] != "offer"]
            kept = kept[len(kept) // 2 :]
            wanted = {r.get("offer") for r in kept}
            offers = {r["id"]: r for r in records if r["kind"] == "offer" and r.get("id") in wanted}
            temporary = f"{self.path}.{os.getpid()}.tmp"
            with open(temporary, "w", encoding="utf-8") as out:
                for record in (*offers.values(), *kept):
                    out.write(json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n")
            os.replace(temporary, self.path)
            self._offers.clear()


def _ends_with_break(path: str) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


class Recalled:
    """Past recalls of a memory directory, as rules see them (`core.recall_stats.Recalls`).

    The file is read at the first question; a new object sees what has come since.
    """

    def __init__(self, state_dir: str, memory_dir: str) -> None:
        self._log = RecallLog(state_dir, memory_dir)
        self._history: History | None = None

    def of(self, rel: str, since: float = 0.0) -> MemoryStats:
        """See `Recalls.of`."""
        if self._history is None:
            self._history = History(self._log.read())
        return self._history.of(rel, since)
