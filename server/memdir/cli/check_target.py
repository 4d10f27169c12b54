"""What one run of `memdir check` looks at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memdir.store.snapshot import MemoryStore, Scan

if TYPE_CHECKING:
    from memdir.core.document import Document
    from memdir.store.workspace import Workspace


@dataclass(slots=True)
class Target:
    """A store to check with its workspace and what lies on the disk; `only` limits the report to some files."""

    workspace: Workspace
    store: MemoryStore
    found: Scan
    only: set[str] | None = None
    is_prepared: bool = field(default=False, init=False)
    _is_read: bool = field(default=False, init=False)

    def prepare(self) -> None:
        """Everything that has to be there before the first file is read."""
        if self.is_prepared:
            return
        from memdir.core.similarity import DuplicateFinder

        self.is_prepared = True
        self.store.escapes, self.store.skipped = self.found.escapes, self.found.skipped
        if self.workspace.settings.runs("near-duplicate"):
            self.store.directory.follow(DuplicateFinder.NAME, DuplicateFinder)

    def read(self) -> None:
        """Read all files here, for whoever looks at the whole directory."""
        if self._is_read:
            return
        from memdir.store.parts import read_part

        self._is_read = True
        self.prepare()
        read_part(self.store, self.found, sorted(self.found.files))

    def documents(self) -> list[Document]:
        """Those to report on, by path; after `read`."""
        directory = self.store.directory
        wanted = directory.documents if self.only is None else [r for r in self.only if r in directory]
        return [directory.documents[rel] for rel in sorted(wanted)]
