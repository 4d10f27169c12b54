"""A memory directory read in parts: some files here, the others by another process that tells their facts.

Rules look at one document and at facts that all share. So two processes can check one directory: each reads its own part,
tells the other the facts, and reads a document of the other's part only when a rule asks for its text.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable

from memdir.core.directory_facts import Facts
from memdir.core.document import Document, kind_of
from memdir.core.similarity import DuplicateFinder
from memdir.store.snapshot import MemoryStore, Scan, Stamp, read_bytes

_EAGER = ("path", "rel", "mtime", "kind", "scope")


class LateDocument(Document):
    """A document whose file is read when something of its text is first asked for.

    A file that has gone meanwhile counts as empty.
    """

    __slots__ = ()

    def __init__(self, store: MemoryStore, rel: str, stamp: Stamp) -> None:
        self.path = f"{store.root}/{rel}"
        self.rel = rel
        self.mtime = stamp.mtime_ns / 1e9
        self.kind = kind_of(rel)
        self.scope = store.scope or ("team" if rel.startswith("team/") else "private")

    def __getattr__(self, name: str) -> object:
        if name in _EAGER or name not in Document.__slots__:
            raise AttributeError(name)
        try:
            content = read_bytes(self.path)
        except OSError:
            content = b""
        Document.__init__(self, self.path, self.rel, content, self.mtime, self.scope)
        return getattr(self, name)


def read_part(store: MemoryStore, found: Scan, rels: Iterable[str]) -> list[str]:
    """Read the files `rels` of a directory that holds no document yet; gives those that could be read."""
    directory, follower = store.directory, store.directory.follower(DuplicateFinder.NAME)
    read = []
    for rel in rels:
        stamp = found.files[rel]
        path = f"{store.root}/{rel}"
        try:
            content = read_bytes(path)
        except OSError as error:
            store.skipped = {**store.skipped, rel: error.strerror or str(error)}
            continue
        store.stamps[rel] = stamp
        document = Document(path, rel, content, stamp.mtime_ns / 1e9, store.scope)
        directory.add(document)
        if follower is not None:
            follower.put(document)
        read.append(rel)
    return read


def tell(store: MemoryStore, rels: Iterable[str]) -> bytes:
    """What another process has to know of the documents `rels`, for `hear`."""
    finder = store.directory.follower(DuplicateFinder.NAME)
    sketch = finder.sketch if isinstance(finder, DuplicateFinder) else lambda _: ()
    rows = []
    for rel in rels:
        facts = store.directory.facts(rel)
        assert facts is not None
        told = (facts.name, facts.stem, facts.targets, facts.wikilinks, facts.listed)
        rows.append((rel, told, sketch(rel)))
    return marshal.dumps(rows)


def hear(store: MemoryStore, found: Scan, told: bytes) -> None:
    """Add the documents that another process has read, by what it told."""
    finder = store.directory.follower(DuplicateFinder.NAME)
    for rel, facts, sketch in marshal.loads(told):
        document = LateDocument(store, rel, found.files[rel])
        store.stamps[rel] = found.files[rel]
        store.directory.add(document, Facts(*facts))
        if isinstance(finder, DuplicateFinder) and document.kind == "topic":
            finder.adopt(document, sketch)
