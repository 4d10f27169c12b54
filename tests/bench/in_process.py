"""Times of what the server does inside: recall without a model, near duplicates, `where`. Milliseconds, medians."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from memdir.core.document import Document
from memdir.core.recall.manifest import candidate
from memdir.core.recall.ranker import RecallIndex
from memdir.core.recall.weights import Fields
from memdir.core.similarity import DuplicateFinder, prepare
from memdir.store.environment import Environment
from memdir.store.locate import locate
from memdir.store.snapshot import MemoryStore

QUERIES = (
    "why did the migration fail on the staging cluster",
    "release script and the mobile freeze",
    "what about flaky fixtures in integration tests",
)


@dataclass(frozen=True, slots=True)
class Inside:
    """`recall` is one query; `cold` builds the table of near duplicates, `edit` keeps it in step with one changed memory and
    asks for its duplicates; `where` and `git` find the repository of a directory."""

    recall: float
    cold: float
    edit: float
    where: float
    git: float


def _median(action: Callable[[], object], times: int = 15) -> float:
    action()
    seen = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        seen.append((time.perf_counter() - start) * 1000)
    return statistics.median(seen)


def measure(root: Path) -> Inside:
    """The memory of a generated repository at `root`."""
    store = MemoryStore(str(root / "memory"))
    store.refresh()
    directory = store.directory
    index = RecallIndex()
    for document in directory.topics():
        c = candidate(document)
        fields = Fields(
            name=c.name, description=c.description, stem=document.stem, type=c.type, modified=c.modified
        )
        index.update(document.rel, fields)
    start = time.perf_counter()
    finder = prepare(directory)
    cold = (time.perf_counter() - start) * 1000
    some = next(directory.topics())
    environment = Environment({"HOME": str(root)}, str(root))
    return Inside(
        recall=statistics.median(_median(partial(index.search, query, limit=5)) for query in QUERIES),
        cold=cold,
        edit=_median(lambda: _edit(finder, some)),
        where=_median(lambda: locate(str(root / "src"), environment)),
        git=_median(
            lambda: subprocess.run(
                ["git", "-C", str(root / "src"), "rev-parse", "--show-toplevel"],
                check=True,
                capture_output=True,
            )
        ),
    )


def _edit(finder: DuplicateFinder, document: Document) -> None:
    finder.put(Document(document.path, document.rel, document.text + "x", document.mtime))
    finder.like(document.rel, 0.6)
