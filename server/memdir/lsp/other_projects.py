"""Problems of memory directories that belong to other repositories, counted for the sidebar.

Such a directory is checked when the view asks, off the loop, and again only when its files have changed. Very large ones
are not checked: the view would wait for seconds to show a number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdir.lsp.ext import ProblemCounts
    from memdir.store.environment import Environment
    from memdir.store.memory_dirs import MemoryDirectory

MAX_FILES = 300  # files of one directory
MAX_TOTAL = 1_500  # files checked for one answer; the rest gets its numbers when the view asks again

_Stamp = tuple[int, int, float]


@dataclass(slots=True)
class OtherProjects:
    """Remembers the counts by directory. `counts` is called off the loop, one caller at a time."""

    _known: dict[str, tuple[_Stamp, ProblemCounts]] = field(default_factory=dict)

    def counts(
        self, directories: list[MemoryDirectory], environment: Environment, now: datetime
    ) -> dict[str, ProblemCounts]:
        """Problems by path of the directory; those too large, or beyond what one answer may cost, are left out."""
        left = MAX_TOTAL
        found: dict[str, ProblemCounts] = {}
        for directory in directories:
            stamp = (directory.file_count, directory.size, directory.modified)
            known = self._known.get(directory.path)
            if known is not None and known[0] == stamp:
                found[directory.path] = known[1]
            elif directory.file_count <= min(MAX_FILES, left):
                left -= directory.file_count
                counted = _count(directory, environment, now)
                self._known[directory.path] = (stamp, counted)
                found[directory.path] = counted
        return found


def _count(directory: MemoryDirectory, environment: Environment, now: datetime) -> ProblemCounts:
    from memdir.core.lint import check_document
    from memdir.lsp.memory import Counts
    from memdir.store.workspace import open_workspace

    owner = directory.owner if directory.owner and directory.owner_exists else directory.path
    workspace = open_workspace(owner, environment, memory_dir=directory.path, agents=False)
    workspace.refresh()
    store = workspace.stores[0]
    context = workspace.context(store, now)
    return Counts.of(
        d for document in list(store.directory) for d in check_document(document, context)
    ).json()
