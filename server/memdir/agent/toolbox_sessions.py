"""Narrow looks into transcripts for a model: searching what was said, and reading a few records around a hit.

Never whole: transcripts are large, and most of what they hold (tool output, file contents, side chains) is neither said by
the person nor worth remembering. Only what was spoken is shown.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memdir.agent.conversation import said_text, speaker
from memdir.agent.shell import DeniedError
from memdir.store.transcripts import Reader

ROOT = "@sessions"
MAX_HITS = 40
MAX_RECORDS = 20  # of one read
MAX_CHARACTERS = 80_000  # of all looks of one job together
SEARCH_SECONDS = 8.0
_SHOWN = 300
_READ = 1_000


@dataclass(slots=True)
class Sessions:
    """Transcripts by id (newest first), with what is left of the job's allowance."""

    paths: Mapping[str, str] = field(default_factory=dict)
    left: int = MAX_CHARACTERS
    stopped: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = time.monotonic

    def listing(self) -> str:
        """Their names."""
        return (
            "\n".join(f"{ROOT}/{name}" for name in self.paths)
            or "(no transcripts may be searched in this job)"
        )

    def search(self, pattern: re.Pattern[str], path: str) -> str:
        """What was said and matches, with the position for `read`. DeniedError for an unknown session."""
        found: list[str] = []
        end = self.clock() + SEARCH_SECONDS
        for name in [self._name(path)] if path != ROOT else list(self.paths):
            try:
                for record in Reader(self.paths[name]).read():
                    if self.stopped() or self.clock() > end:
                        found.append("(the search took too long and was stopped; name one session)")
                        return self._spend("\n".join(found))
                    if not record.spoken:
                        continue
                    text = said_text(record)
                    m = pattern.search(text[:20_000])
                    if m is not None:
                        found.append(
                            f"{ROOT}/{name} position {record.start} {speaker(record)}: {_around(text, m)}"
                        )
                        if len(found) >= MAX_HITS:
                            found.append(f"(the first {MAX_HITS}; search more narrowly for the rest)")
                            return self._spend("\n".join(found))
            except OSError:
                continue  # gone meanwhile
        return self._spend("\n".join(found) or "(nothing found)")

    def read(self, path: str, offset: int | None, limit: int) -> str:
        """A few spoken records from a position on."""
        name = self._name(path)
        if offset is None or offset < 0:
            raise DeniedError(
                "Denied: a transcript is not read whole. Search it first, then read from a position."
            )
        found: list[str] = []
        try:
            reader = Reader(self.paths[name], offset)
            for record in reader.read(limit=offset + 4_000_000):
                if record.spoken:
                    found.append(
                        f"position {record.start} {speaker(record)}: {_clip(said_text(record), _READ)}"
                    )
                if len(found) >= max(1, min(limit, MAX_RECORDS)):
                    break
        except OSError:
            raise DeniedError(f"{path} can't be read any more.") from None
        return self._spend("\n".join(found) or "(nothing was said there)")

    def _name(self, path: str) -> str:
        name = path.removeprefix(ROOT + "/")
        if name not in self.paths:
            raise DeniedError(
                f"Denied: there is no transcript {path!r} for this job. list '{ROOT}' shows them."
            )
        return name

    def _spend(self, text: str) -> str:
        if self.left <= 0:
            raise DeniedError(
                "Denied: enough of the transcripts has been read in this job. Go on with what you have."
            )
        shown = text[: self.left]
        self.left -= len(shown)
        return shown


def _around(text: str, m: re.Match[str]) -> str:
    start = max(m.start() - _SHOWN // 3, 0)
    part = " ".join(text[start : start + _SHOWN].split())
    return ("… " if start else "") + part + (" …" if start + _SHOWN < len(text) else "")


def _clip(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text) - limit} characters left out)"
