"""The working copy of a directory while it is consolidated: changed documents, why, and which changes belong together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from memdir.core.changes import FileOutcome
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.i18n import Message
from memdir.core.lint import excluded
from memdir.core.model import Edit
from memdir.core.rule import Context
from memdir.core.text import apply_edits, encode


@dataclass(slots=True)
class Work:
    """`context` looks at the copy; `notes` are what a person (or model) has to judge; `groups` are sets of files whose
    changes make sense only together (a memory that is merged into another one)."""

    context: Context
    notes: list[Message] = field(default_factory=list)
    groups: list[frozenset[str]] = field(default_factory=list)
    _originals: dict[str, Document | None] = field(default_factory=dict)
    _reasons: dict[str, list[Message]] = field(default_factory=dict)

    @classmethod
    def of(cls, context: Context) -> Work:
        """A copy of the context's directory; the directory itself stays as it is."""
        given = context.directory
        copy = Directory(given.root, given, orphan_group=given.orphan_group)
        return cls(replace(context, directory=copy))

    @property
    def directory(self) -> Directory:
        return self.context.directory

    def edit(self, document: Document, edits: Sequence[Edit], reason: Message) -> Document:
        """Apply `edits` to `document`; gives what it is now. ValueError when they overlap."""
        text = apply_edits(document.text, edits)
        if text == document.text:
            return document
        return self.put(document.rel, encode(text, document.bom), reason, mtime=document.mtime)

    def put(self, rel: str, content: bytes, reason: Message, *, mtime: float | None = None) -> Document:
        """Make or replace a file."""
        self._remember(rel, reason)
        present = self.directory.get(rel)
        scope = present.scope if present else None
        document = Document(self.directory.path_of(rel), rel, content, mtime, scope)
        self.directory.put(document)
        return document

    def delete(self, rel: str, reason: Message) -> None:
        """Remove a file."""
        self._remember(rel, reason)
        self.directory.remove(rel)

    def outcomes(self) -> tuple[FileOutcome, ...]:
        """What became of every file that was touched and differs, by path."""
        found = []
        for rel, original in sorted(self._originals.items()):
            present = self.directory.get(rel)
            before = original.content if original else None
            after = present.content if present else None
            if before != after:
                path = self.directory.path_of(rel)
                found.append(FileOutcome(path, before, after, None, tuple(self._reasons[rel])))
        return tuple(found)

    def _remember(self, rel: str, reason: Message) -> None:
        self._originals.setdefault(rel, self.directory.get(rel))
        reasons = self._reasons.setdefault(rel, [])
        if reason not in reasons:
            reasons.append(reason)


def topics(work: Work) -> list[Document]:
    """The memories, by path, without those that the person excluded (a snapshot: they may be changed while walked)."""
    settings = work.context.settings
    found = sorted(work.directory.topics(), key=lambda d: d.rel)
    return [d for d in found if not excluded(d.rel, settings)] if settings.exclude else found


def only_rules(context: Context, names: Iterable[str]) -> Context:
    """The context in which no other rules run; what the person switched off stays off."""
    return replace(context, settings=replace(context.settings, select=tuple(names)))
