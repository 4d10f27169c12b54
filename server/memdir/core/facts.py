"""What rules may ask about the repository a memory belongs to. The disk is behind it (`memdir.store.project`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol


class ProjectFacts(Protocol):
    """Questions about the owner's files; paths are relative to the owner with '/', or absolute inside it."""

    def exists(self, path: str) -> bool:
        """A file or directory is there."""
        ...

    def line_count(self, path: str) -> int | None:
        """Lines of a text file; None when it is no readable file."""
        ...

    def read_lines(self, path: str, first: int, last: int) -> Sequence[str]:
        """Lines `first`..`last` (1-based, inclusive) without breaks, as far as they exist."""
        ...

    def changed_at(self, path: str) -> datetime | None:
        """When git last saw the file change; None when unknown, unversioned or no git."""
        ...

    def commit_time(self, path: str) -> datetime | None:
        """Last commit time of a memory file (absolute path) where the memory directory is versioned."""
        ...


class NoProject:
    """Facts about no repository: nothing is known, so nothing is claimed."""

    def exists(self, path: str) -> bool:
        return True

    def line_count(self, path: str) -> int | None:
        return None

    def read_lines(self, path: str, first: int, last: int) -> Sequence[str]:
        return ()

    def changed_at(self, path: str) -> datetime | None:
        return None

    def commit_time(self, path: str) -> datetime | None:
        return None
