"""Records of recalls: JSON lines in the state directory, one file per memory directory. File names, never content.

What was offered is written once per set and referred to by its hash, so that a line stays short. The query is not
recorded at all. Nothing here may disturb a recall: what can't be written is left out, what can't be read is skipped.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from memdir.agent.recall_types import Recall
from memdir.core.i18n import Message
from memdir.store.errors import StoreError
from memdir.store.lock import hold
from memdir.store.state import private_dir

MAX_BYTES = 2_000_000  # about 10,000 recalls; then the older half goes
_FOLDER = "recall"


class RecallRecords:
    """The records of one memory directory. With `enabled` False nothing is written (what is there can be read)."""

    def __init__(self, state_dir: str, memory_dir: str, *, enabled: bool = True) -> None:
        real = os.path.realpath(memory_dir)
        name = os.path.basename(os.path.dirname(real)).strip("-")[-60:] or "memory"
        key = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
        self._folder = os.path.join(state_dir, _FOLDER)
        self._state_dir = state_dir
        self.path = os.path.join(self._folder, f"{name}-{key}.jsonl")
        self.enabled = enabled
        self._offers: set[str] = set()

    def add(self, recall: Recall, *, now: datetime, session: str = "", delivered: bool = True) -> str:
        """Record a recall, also one that chose nothing; gives its id, empty when nothing was written."""
        if not self.enabled:
            return ""
        found = uuid.uuid4().hex[:12]
        offer = self._offer(recall.offered)
        line: dict[str, Any] = {
            "kind": "recall",
            "id": found,
            "time": now.isoformat(timespec="seconds"),
            "method": recall.method,
            "offer": offer,
            "offered": len(recall.offered),
            "chosen": [c.rel for c in recall.selected],
            "delivered": delivered,
            "ms": round(recall.latency_ms, 1),
        }
        if session:
            line["session"] = session
        if recall.fallback is not None:
            line["fallback"] = _plain(recall.fallback)
        if recall.usage is not None:
            line["tokens"] = [
                recall.usage.input,
                recall.usage.cache_read,
                recall.usage.cache_write,
                recall.usage.output,
            ]
        lines = [line]
        if not self._known(offer):
            lines.insert(0, {"kind": "offer", "id": offer, "files": sorted(recall.offered)})
        return found if self._append(lines) else ""

    def late(self, *, now: datetime, session: str = "") -> bool:
        """Record that an answer came too late and was dropped."""
        line = {"kind": "late", "time": now.isoformat(timespec="seconds")} | (
            {"session": session} if session else {}
        )
        return self.enabled and self._append([line])

    def mark(self, recall_id: str, rel: str, *, right: bool, now: datetime) -> bool:
        """A person says that a result was right or wrong. The last word on a result counts."""
        line = {
            "kind": "mark",
            "recall": recall_id,
            "file": rel,
            "right": right,
            "time": now.isoformat(timespec="seconds"),
        }
        return self.enabled and self._append([line])

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

    def shown(self, session: str) -> frozenset[str]:
        """Memories that were delivered to `session`."""
        if not session:
            return frozenset()
        found: set[str] = set()
        for record in self.read():
            if (
                record["kind"] == "recall"
                and record.get("session") == session
                and record.get("delivered") is True
            ):
                found.update(_names(record.get("chosen")))
        return frozenset(found)

    def _offer(self, offered: Collection[str]) -> str:
        return hashlib.sha256("\0".join(sorted(offered)).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def _known(self, offer: str) -> bool:
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

    def _append(self, lines: list[dict[str, Any]]) -> bool:
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
            private_dir(self._folder)
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


def _plain(message: Message) -> str:
    """The template alone: arguments may quote a service's words."""
    return message.template


def _names(value: object) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []
