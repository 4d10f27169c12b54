"""The values that cross every border of Memdir.

Two kinds of object travel between the layers: what *is* (`Document`, and the `Snapshot` that holds many)
and what is *proposed* (`ChangeSet`). Everything here is immutable and knows neither disk, clock nor LSP.
Offsets are code points into `Document.text`; the conversion to an editor's encoding happens in
`memdir.core.text` (ARCHITECTURE.md, "Invariants").
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memdir.core.i18n import Message


class Severity(enum.IntEnum):
    """Severity of a diagnostic; the numbers are those of LSP's DiagnosticSeverity."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4

    @property
    def label(self) -> str:
        """Lower-case name as written in settings and JSON output."""
        return self.name.lower()


class Safety(enum.Enum):
    """Whether a fix keeps the meaning of the text (`SAFE`) or needs a person's eye (`UNSAFE`)."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of code points."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end

    def touches(self, offset: int) -> bool:
        """True when a cursor at `offset` stands in or at either edge of the span."""
        return self.start <= offset <= self.end

    def overlaps(self, other: Span) -> bool:
        """True when both spans share a code point, or an empty one lies inside the other."""
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end

    def shift(self, by: int) -> Span:
        return Span(self.start + by, self.end + by)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the text of `span` by `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class EditFile:
    """Edits to an existing file; `base` is the `content_hash` of the bytes they were made against."""

    path: str
    edits: tuple[Edit, ...]
    base: str
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class CreateFile:
    """A new file; refused when something is there already."""

    path: str
    content: bytes
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """Remove a file whose bytes still hash to `base`."""

    path: str
    base: str
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class RenameFile:
    """Move a file whose bytes still hash to `base`; refused when `new_path` exists."""

    path: str
    new_path: str
    base: str
    reason: Message | None = None


FileChange: TypeAlias = EditFile | CreateFile | DeleteFile | RenameFile

Origin: TypeAlias = Literal[
    "fix",
    "fix-all",
    "rename",
    "delete",
    "save",
    "action",
    "organize",
    "extract",
    "consolidate",
    "team-pull",
    "doctor",
    "hook",
]


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """An immutable proposal: what to change, against which base, and why. Paths are absolute."""

    title: Message
    changes: tuple[FileChange, ...]
    origin: Origin

    def __bool__(self) -> bool:
        return bool(self.changes)


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to mend a diagnostic."""

    title: Message
    safety: Safety
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a diagnostic. `path` is absolute."""

    path: str
    span: Span
    message: Message


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule's check yields: the place, the sentence and the ways to mend it (the preferred one first).

    `severity` replaces the rule's own where one rule has degrees; a severity that a person sets wins over both.
    """

    span: Span
    message: Message
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    data: Mapping[str, object] | None = None
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding with its rule, severity and file; `path` is absolute."""

    rule: str
    severity: Severity
    path: str
    span: Span
    message: Message
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    data: Mapping[str, object] | None = field(default=None, compare=False)

    @property
    def fix(self) -> Fix | None:
        """The preferred fix, if any."""
        return self.fixes[0] if self.fixes else None


def content_hash(content: bytes) -> str:
    """SHA-256 of a file's bytes in hexadecimal: the base hash that change sets carry."""
    import hashlib  # costs a start-up without findings 2 ms

    return hashlib.sha256(content).hexdigest()
