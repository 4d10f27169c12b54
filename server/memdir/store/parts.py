"""A memory directory read in parts: some files here, the others by another process that tells their facts.

Rules look at one document and at facts that all share. So two processes can check one directory: each reads its own part,
tells the other the facts, and reads a document of the other's part only when a rule asks for its text.
"""

from __future__ import annotations

import contextlib
import marshal
from collections.abc import Iterable, Sequence

from memdir.core.directory_facts import Facts
from memdir.core.document import Document, kind_of
from memdir.core.similarity import DuplicateFinder
from memdir.store.snapshot import MemoryStore, Scan, Stamp, read_bytes

# Bytes of files that stay in memory as documents between reading and checking. A document takes some seven times the
# memory of its file; what goes beyond this is kept as bytes and read into a document again, which costs a tenth of a check.
KEPT = 500_000

_EAGER = frozenset({"path", "rel", "mtime", "kind", "scope", "_content"})


class LateDocument(Document):
    """A document that is made when something of its text is first asked for: from its bytes, or else from the disk.

    A file that has gone meanwhile counts as empty.
    """

    __slots__ = ()

    def __init__(self, store: MemoryStore, rel: str, stamp: Stamp, content: bytes | None = None) -> None:
        self.path = f"{store.root}/{rel}"
        self.rel = rel
        self.mtime = stamp.mtime_ns / 1e9
        self.kind = kind_of(rel)
        self.scope = store.scope or ("team" if rel.startswith("team/") else "private")
        self._content = content

    def __getattr__(self, name: str) -> object:
        if name in _EAGER or name not in Document.__slots__:
            raise AttributeError(name)
        content = self._content
        if content is None:
            try:
                content = read_bytes(self.path)
            except OSError:
                content = b""
        Document.__init__(self, self.path, self.rel, content, self.mtime, self.scope)
        return getattr(self, name)

    def forget(self, *, content: bool) -> None:
        """Become what it was before somebody asked; with `content`, without the bytes too."""
        for name in Document.__slots__:
            if name not in _EAGER:
                with contextlib.suppress(AttributeError):
                    delattr(self, name)
        if content:
            self._content = None


def read_part(store: MemoryStore, found: Scan, rels: Iterable[str]) -> list[str]:
    """Read the files `rels` of a directory that holds no document yet; gives those that could be read."""
    directory, follower = store.directory, store.directory.follower(DuplicateFinder.NAME)
    read, kept = [], 0
    for rel in rels:
        stamp = found.files[rel]
        try:
            content = read_bytes(f"{store.root}/{rel}")
        except OSError as error:
            store.skipped = {**store.skipped, rel: error.strerror or str(error)}
            continue
        store.stamps[rel] = stamp
        document = LateDocument(store, rel, stamp, content)
        directory.add(document)
        if follower is not None:
            follower.put(document)
        kept += len(content)
        if kept > KEPT:
            document.forget(content=False)
        read.append(rel)
    return read


def tell(store: MemoryStore, rels: Sequence[str]) -> list[bytes]:
    """What another process has to know of the documents `rels`, for `hear`; in portions, so that neither side ever holds
    all of it twice."""
    finder = store.directory.follower(DuplicateFinder.NAME)
    sketch = finder.sketch if isinstance(finder, DuplicateFinder) else lambda _: ()
    told = []
    for start in range(0, len(rels), _PORTION):
        rows = []
        for rel in rels[start : start + _PORTION]:
            facts = store.directory.facts(rel)
            assert facts is not None
            shared = (facts.name, facts.stem, facts.targets, facts.wikilinks, facts.listed)
            rows.append((rel, shared, sketch(rel)))
        told.append(marshal.dumps(rows))
    return told


def hear(store: MemoryStore, found: Scan, told: Iterable[bytes]) -> None:
    """Add the documents that another process has read, by what it told."""
    finder = store.directory.follower(DuplicateFinder.NAME)
    for portion in told:
        for rel, shared, sketch in marshal.loads(portion):
            document = LateDocument(store, rel, found.files[rel])  # read if a rule asks for its text
            store.stamps[rel] = found.files[rel]
            store.directory.add(document, Facts(*shared))
            if isinstance(finder, DuplicateFinder) and document.kind == "topic":
                finder.adopt(document, sketch)


_PORTION = 500
