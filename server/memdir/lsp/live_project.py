"""The repository behind a memory, for a server: never waits for git, and notices that files change."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime

from memdir.core.facts import ProjectFacts

FRESH = 2.0  # seconds for which "is there such a file" stays answered without looking again


class LiveProject:
    """`git` facts count as unknown until `load` has run in a thread; file facts are looked up anew after FRESH seconds.

    `make` gives a `ProjectFacts` that remembers what it read; one with `prefetch` and `refresh` is used to its full.
    """

    def __init__(self, make: Callable[[], ProjectFacts], clock: Callable[[], float] = time.monotonic) -> None:
        self._make, self._clock = make, clock
        self._files = make()
        self._read_at = clock()
        self._history: ProjectFacts | None = None
        self.asked = False  # somebody wanted to know about the history since this was last reset

    @property
    def loaded(self) -> bool:
        """The history is known."""
        return self._history is not None

    def load(self) -> None:
        """Read the history; blocks while git runs."""
        history = self._make()
        prefetch = getattr(history, "prefetch", None)
        if prefetch is not None:
            prefetch()
        self._history = history

    def forget_files(self) -> None:
        """Look at files anew from now on."""
        refresh = getattr(self._files, "refresh", None)
        if refresh is not None:
            refresh()
        self._read_at = self._clock()

    def _fresh(self) -> ProjectFacts:
        if self._clock() - self._read_at > FRESH:
            self.forget_files()
        return self._files

    def exists(self, path: str) -> bool:
        return self._fresh().exists(path)

    def line_count(self, path: str) -> int | None:
        return self._fresh().line_count(path)

    def read_lines(self, path: str, first: int, last: int) -> Sequence[str]:
        return self._fresh().read_lines(path, first, last)

    def changed_at(self, path: str) -> datetime | None:
        self.asked = True
        return self._history.changed_at(path) if self._history is not None else None

    def commit_time(self, path: str) -> datetime | None:
        self.asked = True
        return self._history.commit_time(path) if self._history is not None else None
