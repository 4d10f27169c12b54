"""The examples of rules, run: the small world an example stands for, and what a rule says in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.facts import NoProject
from memdir.core.instructions import Instructions
from memdir.core.model import Finding
from memdir.core.recall_stats import MemoryStats
from memdir.core.rule import EXAMPLE_DAY, Context, Example, Rule
from memdir.core.similarity import prepare

ROOT = "/memory"
NOW = datetime.fromisoformat(EXAMPLE_DAY + "T12:00:00+00:00")


@dataclass(frozen=True, slots=True)
class ExampleProject:
    """The repository of an example: path -> (lines, day of the last change, empty when git doesn't know the file)."""

    files: Mapping[str, tuple[int, str]]

    def exists(self, path: str) -> bool:
        folder = path.rstrip("/") + "/"
        return path in self.files or any(name.startswith(folder) for name in self.files)

    def line_count(self, path: str) -> int | None:
        return self.files[path][0] if path in self.files else None

    def read_lines(self, path: str, first: int, last: int) -> Sequence[str]:
        return ()

    def changed_at(self, path: str) -> datetime | None:
        day = self.files.get(path, (0, ""))[1]
        return datetime.fromisoformat(day).replace(hour=9, tzinfo=UTC) if day else None

    def commit_time(self, path: str) -> datetime | None:
        return None


@dataclass(frozen=True, slots=True)
class ExampleRecalls:
    """Past recalls from a table."""

    table: Mapping[str, MemoryStats]

    def of(self, rel: str, since: float = 0.0) -> MemoryStats:
        return self.table.get(rel, MemoryStats())


def example_context(example: Example, text: str) -> Context:
    """The directory of an example with `text` in its file, seen on EXAMPLE_DAY."""
    mtime = datetime.fromisoformat(example.written).replace(hour=9, tzinfo=UTC).timestamp()
    files = {**example.files, example.rel: text}
    documents = (
        Document(f"{ROOT}/{rel}", rel, content.encode("utf-8", "surrogateescape"), mtime)
        for rel, content in files.items()
    )
    directory = Directory(ROOT, documents)
    prepare(directory)
    counted = example.recalls if text == example.bad else (0, 0)  # a changed file starts anew
    return Context(
        directory,
        NOW,
        project=ExampleProject(example.repo) if example.repo else NoProject(),
        instructions=Instructions.of(example.instructions.items()),
        recalls=ExampleRecalls({example.rel: MemoryStats(*counted)}),
    )


def example_findings(rule: Rule, example: Example, text: str) -> list[Finding]:
    """What the rule says of the example with `text`; only its check runs, suppressions are not looked at."""
    context = example_context(example, text)
    return [f for d in context.directory if d.kind in rule.kinds for f in rule.check(d, context)]
