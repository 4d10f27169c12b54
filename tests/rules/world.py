"""A memory directory and its repository in memory, for tests of rules: no disk, a fixed clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.examples import NOW, ROOT
from memdir.core.examples import ExampleRecalls as Recalled
from memdir.core.facts import NoProject, ProjectFacts
from memdir.core.lint import check_document
from memdir.core.model import CreateFile, DeleteFile, Diagnostic, EditFile, Fix, RenameFile
from memdir.core.rule import Context
from memdir.core.settings import DEFAULTS, Settings
from memdir.core.similarity import prepare
from memdir.core.text import apply_edits

__all__ = ["NOW", "ROOT", "Recalled", "Repo", "applied", "day", "lint", "marked", "world"]


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC, hour=9)


@dataclass
class Repo:
    """Project facts from a table: path -> (lines, day of the last change, empty when git doesn't know it)."""

    files: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    gone: Mapping[str, str] = field(default_factory=dict)  # path -> day on which git saw it last
    asked: int = 0

    def exists(self, path: str) -> bool:
        self.asked += 1
        path = path.rstrip("/")
        return path in self.files or any(f.startswith(path + "/") for f in self.files)

    def line_count(self, path: str) -> int | None:
        return self.files[path][0] if path in self.files else None

    def read_lines(self, path: str, first: int, last: int) -> Sequence[str]:
        return ()

    def changed_at(self, path: str) -> datetime | None:
        seen = self.files.get(path, (0, ""))[1] or self.gone.get(path, "")
        return day(seen) if seen else None

    def commit_time(self, path: str) -> datetime | None:
        return None


def world(
    files: Mapping[str, str | bytes],
    *,
    repo: ProjectFacts | None = None,
    settings: Settings = DEFAULTS,
    written: str = "2026-03-10",
    escapes: Mapping[str, str] | None = None,
    now: datetime = NOW,
) -> Context:
    """A context over `files` (relative path -> content)."""
    mtime = day(written).timestamp()
    documents = (Document(f"{ROOT}/{rel}", rel, content, mtime) for rel, content in files.items())
    return Context(Directory(ROOT, documents), now, settings, repo or NoProject(), escapes or {})


def lint(context: Context, rule: str | None = None, rel: str | None = None) -> list[Diagnostic]:
    """Diagnostics of the whole directory (or of one file), of one rule if given. A rule that failed fails the test."""
    found: list[Diagnostic] = []
    for document in list(context.directory):
        if rel is None or document.rel == rel:
            found += check_document(document, context)
    broken = [d for d in found if d.rule == "internal-error"]
    assert not broken, [str(b.message) for b in broken]
    return [d for d in found if rule is None or d.rule == rule]


def marked(context: Context, diagnostic: Diagnostic) -> str:
    """The text a diagnostic underlines."""
    document = context.directory.get(diagnostic.path.removeprefix(ROOT + "/"))
    assert document is not None
    return document.slice(diagnostic.span)


def applied(context: Context, fix: Fix) -> Context:
    """A new context in which `fix` was carried out; base hashes are checked."""
    directory = Directory(ROOT, context.directory, orphan_group=context.settings.orphan_group)
    for change in fix.changes:
        rel = change.path.removeprefix(ROOT + "/")
        document = directory.get(rel)
        if isinstance(change, CreateFile):
            assert document is None, f"{rel} is there already"
            directory.put(Document(change.path, rel, change.content, NOW.timestamp()))
            continue
        assert document is not None
        assert document.hash == change.base
        if isinstance(change, EditFile):
            text = ("\ufeff" if document.bom else "") + apply_edits(document.text, change.edits)
            content = text.encode("utf-8", "surrogateescape")
            directory.put(Document(change.path, rel, content, document.mtime))
        elif isinstance(change, DeleteFile):
            directory.remove(rel)
        elif isinstance(change, RenameFile):
            directory.remove(rel)
            new = change.new_path.removeprefix(ROOT + "/")
            directory.put(Document(change.new_path, new, document.content, document.mtime))
    prepare(directory)
    return replace(context, directory=directory)
