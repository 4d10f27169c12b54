"""A large directory, and which of its documents somebody looks at: costs are counted, not timed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.rule import Context
from tests.conftest import NOW
from tests.ide.marks import memory


@dataclass(frozen=True)
class Large:
    directory: Directory
    context: Context


def large(count: int) -> Large:
    """`count` memories: the first 150 in the index, each with links to its neighbours."""
    rel = "feedback_{:05}.md".format
    index = "".join(f"- [N{i}]({rel(i)}) — what {i} is about\n" for i in range(150))
    documents = [Document("/m/MEMORY.md", "MEMORY.md", index, NOW.timestamp())]
    for i in range(count):
        body = f"Number {i}. [[feedback_{i - 1:05}]] and [next]({rel(i + 1)})."
        text = memory(f"N{i}", body, extra="modified: 2026-03-01\n")
        documents.append(Document(f"/m/{rel(i)}", rel(i), text, NOW.timestamp()))
    directory = Directory("/m", documents)
    return Large(directory, Context(directory, NOW))


class _Watched(Mapping[str, Document]):
    """The table of documents, noting which ones are taken out."""

    def __init__(self, table: dict[str, Document], seen: set[str]) -> None:
        self._table, self._seen = table, seen

    def __getitem__(self, rel: str) -> Document:
        self._seen.add(rel)
        return self._table[rel]

    def __iter__(self) -> Iterator[str]:
        for rel in self._table:
            self._seen.add(rel)
            yield rel

    def __contains__(self, rel: object) -> bool:
        return rel in self._table

    def __len__(self) -> int:
        return len(self._table)


@contextmanager
def count_documents(directory: Directory) -> Iterator[set[str]]:
    """The documents of `directory` that were looked at inside the block."""
    seen: set[str] = set()
    table: Any = directory._documents
    with patch.object(directory, "_documents", _Watched(table, seen)):
        yield seen
