"""Which files of the repository an answer depends on: facts about a project that remember what was asked.

Every file is looked at before it is read, so that one that changes meanwhile counts as changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdir.store.project import Repository


@dataclass(slots=True)
class Dependencies:
    """`files`: path as it was asked for -> what it looked like. `history`: what git's log began with; None when nobody
    asked. `unsure`: something can't be told, so nothing may be concluded."""

    files: dict[str, str] = field(default_factory=dict)
    history: str | None = None
    unsure: bool = False

    def merge(self, files: Mapping[str, str], history: str | None, unsure: bool) -> None:
        """Add those of another process; what both saw must have looked the same."""
        self.unsure |= unsure
        for path, stamp in files.items():
            self.unsure |= self.files.setdefault(path, stamp) != stamp
        if history is not None:
            self.unsure |= self.history is not None and self.history != history
            self.history = history

    def told(self) -> tuple[dict[str, str], str | None, bool]:
        """All of it, to make or merge another one of."""
        return self.files, self.history, self.unsure

    def hold(self, repository: Repository) -> bool:
        """Everything still looks the same."""
        if self.unsure or (self.history is not None and repository.history_stamp() != self.history):
            return False
        return all(repository.stamp(path) == stamp for path, stamp in self.files.items())


class Asked:
    """The facts of a repository (`core.facts.ProjectFacts`); `dependencies` grows with the questions."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.dependencies = Dependencies()

    def exists(self, path: str) -> bool:
        self._note(path)
        return self.repository.exists(path)

    def line_count(self, path: str) -> int | None:
        self._note(path)
        return self.repository.line_count(path)

    def read_lines(self, path: str, first: int, last: int) -> Sequence[str]:
        self._note(path)
        return self.repository.read_lines(path, first, last)

    def changed_at(self, path: str) -> datetime | None:
        self._note_history()
        return self.repository.changed_at(path)

    def commit_time(self, path: str) -> datetime | None:
        self._note_history()
        return self.repository.commit_time(path)

    def _note(self, path: str) -> None:
        if path not in self.dependencies.files:
            self.dependencies.files[path] = self.repository.stamp(path)

    def _note_history(self) -> None:
        known = self.dependencies
        if known.history is None and not known.unsure:
            known.history = self.repository.history_stamp()
            known.unsure = known.history is None
