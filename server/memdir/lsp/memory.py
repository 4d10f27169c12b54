"""One memory directory in the server: its documents, what the rules found in them, and when that must be looked at again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memdir.core.document import Document
from memdir.core.model import Diagnostic, Severity
from memdir.core.rule import Context, Reads
from memdir.core.settings import Settings
from memdir.lsp.ext import ProblemCounts
from memdir.store.snapshot import MemoryStore, Scan

if TYPE_CHECKING:
    from memdir.lsp.folder import Folder


@dataclass(slots=True)
class Counts:
    """Number of diagnostics by severity."""

    error: int = 0
    warning: int = 0
    information: int = 0
    hint: int = 0

    @classmethod
    def of(cls, diagnostics: Iterable[Diagnostic]) -> Counts:
        found = cls()
        for diagnostic in diagnostics:
            found.add(diagnostic.severity)
        return found

    def add(self, severity: Severity) -> None:
        setattr(self, severity.label, getattr(self, severity.label) + 1)

    def plus(self, other: Counts) -> Counts:
        return Counts(
            self.error + other.error,
            self.warning + other.warning,
            self.information + other.information,
            self.hint + other.hint,
        )

    def minus(self, other: Counts) -> Counts:
        return Counts(
            self.error - other.error,
            self.warning - other.warning,
            self.information - other.information,
            self.hint - other.hint,
        )

    def __bool__(self) -> bool:
        return bool(self.error or self.warning or self.information or self.hint)

    def json(self) -> ProblemCounts:
        return {
            "error": self.error,
            "warning": self.warning,
            "information": self.information,
            "hint": self.hint,
        }


NONE = Counts()


@dataclass(eq=False, slots=True)
class Memory:
    """`folder` lends its settings and repository. `loaded`: the whole directory has been read. `scanning`: it
    is being listed and taken in, `scan_again`: once more afterwards.

    `counts` holds the files with findings, `total` their sum, `history` those whose findings depend
    on git; the findings themselves are kept by whoever shows them.
    """

    store: MemoryStore
    folder: Folder
    agent: str | None = None
    loaded: bool = False
    scanning: bool = False
    scan_again: bool = False
    counts: dict[str, Counts] = field(default_factory=dict)
    total: Counts = field(default_factory=Counts)
    history: set[str] = field(default_factory=set)
    _partial: tuple[Settings, Settings] | None = None

    @property
    def root(self) -> str:
        return self.store.root

    def get(self, rel: str) -> Document | None:
        return self.store.directory.get(rel)

    def row(self, rel: str) -> tuple[str, ...] | None:
        """What the sidebar shows of a file; None when there is no such file."""
        document = self.get(rel)
        return (document.title, document.description, document.type) if document is not None else None

    def context(self, now: datetime) -> Context:
        """What rules may look at. Until the directory is read, rules about other files are off: they would see gaps."""
        context = self.folder.context(self.store, now)
        if self.loaded:
            return context
        if self._partial is None or self._partial[0] is not context.settings:
            self._partial = (context.settings, _without_others(context.settings))
        return replace(context, settings=self._partial[1])

    def check(self, rel: str, now: datetime) -> list[Diagnostic]:
        """What the rules find in a file, nothing for one that is gone."""
        from memdir.core.lint import check_document

        document = self.get(rel)
        if document is None:
            return []
        project = self.folder.project
        project.asked = False
        found = check_document(document, self.context(now))
        if project.asked:
            self.history.add(rel)
        else:
            self.history.discard(rel)
        return found

    def note(self, rel: str, found: Iterable[Diagnostic]) -> bool:
        """Remember how much was found in a file; True when that changed."""
        old, new = self.counts.get(rel, NONE), Counts.of(found)
        if old == new:
            return False
        if new:
            self.counts[rel] = new
        else:
            self.counts.pop(rel, None)
        self.total = self.total.plus(new).minus(old)
        return True

    def absorb(self, found: Scan) -> Iterator[frozenset[str]]:
        """Bring the documents in step with a fresh listing, a file at a time."""
        yield from self.store.refresh_steps(found)
        self.loaded = True


def _without_others(settings: Settings) -> Settings:
    from memdir.core.rules import RULES

    others = tuple(r.name for r in RULES if Reads.DIRECTORY in r.reads)
    return replace(settings, ignore=(*settings.ignore, *others, "suppression-unused"))
