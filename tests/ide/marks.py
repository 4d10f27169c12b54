"""Annotated sources: `$0` is the cursor, a line of `^^^` below a line marks a span of it, with a label behind.

    See [[real-db]] for more.
          ^^^^^^^ target

Mark lines are taken out before the text is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.i18n import render
from memdir.core.model import Span
from memdir.core.rule import Context
from tests.conftest import NOW

_MARK = re.compile(r"^ *(\^+)(?: (.*))?$")
CURSOR = "$0"


@dataclass
class Source:
    """A text without its marks; `cursor` is None without one, `marks` are (label, span)."""

    text: str
    cursor: int | None
    marks: list[tuple[str, Span]]


def read(source: str) -> Source:
    marks: list[tuple[str, Span]] = []
    kept: list[str] = []
    start = 0
    cursor: int | None = None
    last = 0
    for line in source.split("\n"):
        m = _MARK.match(line)
        if m and kept:
            marks.append(((m[2] or "").strip(), Span(last + m.start(1), last + m.end(1))))
            continue
        at = line.find(CURSOR)
        if at >= 0:
            cursor, line = start + at, line.replace(CURSOR, "", 1)
        kept.append(line)
        last, start = start, start + len(line) + 1
    return Source("\n".join(kept), cursor, marks)


@dataclass
class Repo:
    """Facts about a repository, from a table: path -> (lines, day of the last change)."""

    files: Mapping[str, tuple[Sequence[str], str]] = field(default_factory=dict)

    def exists(self, path: str) -> bool:
        return path in self.files or any(f.startswith(path.rstrip("/") + "/") for f in self.files)

    def line_count(self, path: str) -> int | None:
        return len(self.files[path][0]) if path in self.files else None

    def read_lines(self, path: str, first: int, last: int) -> Sequence[str]:
        return self.files[path][0][first - 1 : last] if path in self.files else ()

    def changed_at(self, path: str) -> datetime | None:
        return datetime.fromisoformat(self.files[path][1]).replace(tzinfo=UTC) if path in self.files else None

    def commit_time(self, path: str) -> datetime | None:
        return None


class World:
    """A memory directory of annotated sources, seen on NOW (2026-03-11). `written` is the day of all files."""

    def __init__(
        self,
        files: Mapping[str, str],
        repo: Mapping[str, tuple[Sequence[str], str]] | None = None,
        written: str = "2026-03-09",
    ) -> None:
        self.sources = {name: read(text) for name, text in files.items()}
        mtime = datetime.fromisoformat(written).replace(tzinfo=UTC).timestamp()
        documents = [Document(f"/m/{n}", n, s.text, mtime) for n, s in self.sources.items()]
        self.directory = Directory("/m", documents)
        self.context = Context(self.directory, NOW, project=Repo(repo or {}))
        self.at = next((n for n, s in self.sources.items() if s.cursor is not None), "")

    @property
    def document(self) -> Document:
        document = self.directory.get(self.at)
        assert document is not None, "no file has a cursor"
        return document

    @property
    def cursor(self) -> int:
        cursor = self.sources[self.at].cursor
        assert cursor is not None
        return cursor

    def marked(self, label: str = "") -> set[tuple[str, str]]:
        """(file, marked text) of every mark with this label."""
        return {
            (name, source.text[span.start : span.end])
            for name, source in self.sources.items()
            for found, span in source.marks
            if found == label
        }

    def spans(self, label: str = "") -> set[tuple[str, Span]]:
        return {(n, span) for n, s in self.sources.items() for found, span in s.marks if found == label}

    def mark(self, label: str = "") -> Span:
        [(_, span)] = self.spans(label)
        return span


def memory(
    name: str, body: str = "Text.", type: str = "feedback", extra: str = "", description: str = ""
) -> str:
    described = description or f"What is agreed about {name}"
    return f"---\nname: {name}\ndescription: {described}\ntype: {type}\n{extra}---\n{body}\n"


__all__ = ["CURSOR", "Repo", "Source", "World", "memory", "read", "render"]
