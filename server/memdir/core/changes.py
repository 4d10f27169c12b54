"""What a change set makes of files: from the contents before to the contents after, without touching a disk.

The one place that knows how several changes of a set follow each other (edits of one file against one base are one
edit; an edit may come before or after the rename of its file). The applier, the diff and partial acceptance share it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from memdir.core.i18n import Message
from memdir.core.model import (
    ChangeSet,
    CreateFile,
    DeleteFile,
    Edit,
    EditFile,
    FileChange,
    RenameFile,
    content_hash,
)
from memdir.core.text import apply_edits, decode, encode

ClashKind: TypeAlias = Literal["changed", "exists", "missing"]


@dataclass(frozen=True, slots=True)
class Clash:
    """A change that does not fit what is there. `theirs`: the present content, None when there is no file."""

    path: str
    kind: ClashKind
    change: FileChange
    theirs: bytes | None


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What becomes of one path: content before and after (None: no file), and why.

    `renamed_from` names the path whose file this is now (its old path has an outcome of its own, with no content
    after).
    """

    path: str
    before: bytes | None
    after: bytes | None
    renamed_from: str | None = None
    reasons: tuple[Message, ...] = ()


@dataclass(slots=True)
class _File:
    """A file on its way through the set. `edits` are pending and all mean `base`."""

    base: bytes
    origin: str | None  # path it had on disk; None for one created by the set
    first: bytes
    edits: list[Edit] = field(default_factory=list)

    def content(self) -> bytes:
        if not self.edits:
            return self.base
        text, bom = decode(self.base)
        return encode(apply_edits(text, self.edits), bom)

    def settle(self) -> None:
        self.base, self.edits = self.content(), []


def project(
    change_set: ChangeSet, read: Callable[[str], bytes | None]
) -> tuple[tuple[FileOutcome, ...], tuple[Clash, ...]]:
    """(outcomes of all changes that fit, clashes of those that don't).

    `read` gives the present content of a path, None when there is no file. Paths are compared as they are written;
    outcomes come in the order in which paths first occur, without paths that end as they began. Raises ValueError when
    edits of one file overlap or lie outside its text.
    """
    files: dict[str, _File | None] = {}
    before: dict[str, bytes | None] = {}
    reasons: dict[str, list[Message]] = {}
    clashes: list[Clash] = []

    def load(path: str) -> _File | None:
        if path not in before:
            content = before[path] = read(path)
            files[path] = None if content is None else _File(content, path, content)
        return files[path]

    def clash(change: FileChange, kind: ClashKind, path: str) -> None:
        present = files[path]
        clashes.append(Clash(path, kind, change, None if present is None else present.content()))

    for change in change_set.changes:
        file = load(change.path)
        if change.reason is not None:
            reasons.setdefault(change.path, []).append(change.reason)
        if isinstance(change, CreateFile):
            if file is not None:
                clash(change, "exists", change.path)
            else:
                files[change.path] = _File(change.content, None, change.content)
            continue
        if file is None:
            clash(change, "missing", change.path)
            continue
        if change.base not in (
            content_hash(file.base),
            content_hash(file.first),
        ) and change.base != content_hash(file.content()):
            clash(change, "changed", change.path)
            continue
        if isinstance(change, EditFile):
            if change.base != content_hash(file.base):
                file.settle()
                if change.base != content_hash(file.base):
                    clash(change, "changed", change.path)
                    continue
            known = set(file.edits)  # two fixes may ask for the very same edit; one's own repeats are meant
            file.edits.extend(e for e in change.edits if e not in known)
        elif isinstance(change, DeleteFile):
            files[change.path] = None
        else:
            if load(change.new_path) is not None:
                clash(change, "exists", change.new_path)
                continue
            if change.reason is not None:
                reasons.setdefault(change.new_path, []).append(change.reason)
            files[change.new_path], files[change.path] = file, None

    outcomes = []
    for path, content in before.items():
        present = files[path]
        after = None if present is None else present.content()
        if after == content and (present is None or present.origin in (path, None)):
            continue
        moved = present.origin if present is not None and present.origin != path else None
        outcomes.append(FileOutcome(path, content, after, moved, tuple(reasons.get(path, ()))))
    return tuple(outcomes), tuple(clashes)


def rebase_paths(change_set: ChangeSet, paths: Mapping[str, str]) -> ChangeSet:
    """The same set with every path replaced by what `paths` says (unnamed paths stay)."""

    def moved(change: FileChange) -> FileChange:
        path = paths.get(change.path, change.path)
        if isinstance(change, RenameFile):
            return replace(change, path=path, new_path=paths.get(change.new_path, change.new_path))
        return replace(change, path=path)

    return replace(change_set, changes=tuple(moved(c) for c in change_set.changes))


def paths_of(change_set: ChangeSet) -> tuple[str, ...]:
    """Every path that the set names, each once, in order."""
    found: dict[str, None] = {}
    for change in change_set.changes:
        found[change.path] = None
        if isinstance(change, RenameFile):
            found[change.new_path] = None
    return tuple(found)


def intended(change: FileChange, bases: Mapping[str, bytes]) -> bytes | None:
    """What `change` alone wants its file to hold; None for no file, or when its base text is not in `bases` (by hash)."""
    if isinstance(change, CreateFile):
        return change.content
    if isinstance(change, DeleteFile) or change.base not in bases:
        return None
    base = bases[change.base]
    if isinstance(change, RenameFile):
        return base
    text, bom = decode(base)
    return encode(apply_edits(text, change.edits), bom)
