"""Records of recalls: JSON lines in the state directory, one file per memory directory. File names, never content.

What was offered is written once per set and referred to by its hash, so that a line stays short. The query is not
recorded at all. Nothing here may disturb a recall: what can't be written is left out, what can't be read is skipped.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memdir.agent.recall_types import Recall
from memdir.core.i18n import Message
from memdir.store.recalls import RecallLog

# Names per offer, the newest: a directory of ten thousand must not fill the records with its names.
MAX_FILES = 500


class RecallRecords(RecallLog):
    """The records of one memory directory. With `enabled` False nothing is written (what is there can be read)."""

    def __init__(self, state_dir: str, memory_dir: str, *, enabled: bool = True) -> None:
        super().__init__(state_dir, memory_dir)
        self.enabled = enabled

    def add(self, recall: Recall, *, now: datetime, session: str = "", delivered: bool = True) -> str:
        """Record a recall, also one that chose nothing; gives its id, empty when nothing was written."""
        if not self.enabled:
            return ""
        found = uuid.uuid4().hex[:12]
        files = sorted(recall.offered[:MAX_FILES])
        offer = self._offer(files)
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
        if not self.knows_offer(offer):
            lines.insert(0, {"kind": "offer", "id": offer, "files": files})
        return found if self.append(lines) else ""

    def late(self, *, now: datetime, session: str = "") -> bool:
        """Record that an answer came too late and was dropped."""
        line = {"kind": "late", "time": now.isoformat(timespec="seconds")} | (
            {"session": session} if session else {}
        )
        return self.enabled and self.append([line])

    def mark(self, recall_id: str, rel: str, *, right: bool, now: datetime) -> bool:
        """A person says that a result was right or wrong. The last word on a result counts."""
        line = {
            "kind": "mark",
            "recall": recall_id,
            "file": rel,
            "right": right,
            "time": now.isoformat(timespec="seconds"),
        }
        return self.enabled and self.append([line])

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

    def _offer(self, files: Sequence[str]) -> str:
        return hashlib.sha256("\0".join(files).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _plain(message: Message) -> str:
    """The template alone: arguments may quote a service's words."""
    return message.template


def _names(value: object) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []
