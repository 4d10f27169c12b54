"""A memory directory as a whole: documents and the facts they share, kept in dictionaries and updated per edit.

Changing one document costs work in proportion to that document and to those its shared facts touch, not to the number
of memories (ARCHITECTURE.md, "The main objects"; `tests/bench` measures it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from memdir.core.directory_facts import INDEXES, TEAM_INDEX, Facts, facts_of, fold, link_name
from memdir.core.directory_links import Links
from memdir.core.directory_reach import Reach
from memdir.core.document import INDEX_NAME, Document
from memdir.core.index import Entry, Loaded, entries, load
from memdir.core.settings import DEFAULTS

__all__ = ["TEAM_INDEX", "Directory", "Facts", "Follower", "fold", "link_name"]

_NONE: frozenset[str] = frozenset()


class Follower(Protocol):
    """A table over the documents of a directory that costs too much to build when nobody needs it."""

    def put(self, document: Document) -> None:
        """A document came or changed."""
        ...

    def remove(self, rel: str) -> None:
        """A document is gone; unknown ones are ignored."""
        ...


class Directory:
    """The documents of one memory directory (private and team together), by their relative path.

    `orphan_group` is the number of unlisted memories above which they are reported together: crossing it changes what
    is said about each of them.
    """

    def __init__(
        self, root: str, documents: Iterable[Document] = (), *, orphan_group: int = DEFAULTS.orphan_group
    ) -> None:
        self.root = root
        self.revision = 0
        self.orphan_group = orphan_group
        self._documents: dict[str, Document] = {}
        self._facts: dict[str, Facts] = {}
        self._links = Links()
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._loaded: dict[str, dict[tuple[int, int], Loaded]] = {}
        self._reach = Reach(self._documents, self._facts, self._links)
        self._followers: dict[str, Follower] = {}
        for document in documents:
            self.put(document)

    def copy(self) -> Directory:
        """A directory of the same documents that can be changed by itself; without followers. Costs no parsing."""
        twin = Directory(self.root, orphan_group=self.orphan_group)
        twin.revision = self.revision
        twin._documents, twin._facts = dict(self._documents), dict(self._facts)
        twin._links, twin._entries = self._links.copy(), dict(self._entries)
        twin._reach = Reach(twin._documents, twin._facts, twin._links, like=self._reach)
        return twin

    # reading

    def __len__(self) -> int:
        return len(self._documents)

    def __iter__(self) -> Iterator[Document]:
        return iter(self._documents.values())

    def __contains__(self, rel: str) -> bool:
        return rel in self._documents

    @property
    def documents(self) -> Mapping[str, Document]:
        """Documents by relative path (a live view)."""
        return self._documents

    def get(self, rel: str) -> Document | None:
        return self._documents.get(rel)

    def path_of(self, rel: str) -> str:
        """Absolute path of a relative one."""
        return f"{self.root}/{rel}"

    def topics(self) -> Iterator[Document]:
        """Every memory, without indexes and logs."""
        return (d for d in self._documents.values() if d.kind == "topic")

    def indexes(self) -> list[Document]:
        """MEMORY.md and team/MEMORY.md, as far as they exist."""
        return [d for rel in INDEXES if (d := self._documents.get(rel)) is not None]

    def index_for(self, document: Document) -> Document | None:
        """The index that should list `document`."""
        return self._documents.get(TEAM_INDEX if document.rel.startswith("team/") else INDEX_NAME)

    def entries(self, document: Document) -> tuple[Entry, ...]:
        """Entries of an index (cached)."""
        if self._documents.get(document.rel) is not document:
            return entries(document)
        found = self._entries.get(document.rel)
        if found is None:
            found = self._entries[document.rel] = entries(document)
        return found

    def loaded(self, document: Document, max_lines: int, max_units: int) -> Loaded:
        """Loaded part of an index (cached)."""
        if self._documents.get(document.rel) is not document:
            return load(document, max_lines, max_units)
        cache = self._loaded.setdefault(document.rel, {})
        found = cache.get((max_lines, max_units))
        if found is None:
            found = cache[max_lines, max_units] = load(document, max_lines, max_units)
        return found

    def named(self, name: str) -> list[Document]:
        """Memories called `name` (header), compared as `fold` does."""
        return self._get_all(self._links.by_name.get(fold(name), ()))

    def shares_name(self, document: Document) -> bool:
        """True when another memory, of whatever scope, has the name of this one."""
        facts = self._facts.get(document.rel)
        return facts is not None and len(self._links.by_name.get(facts.name, ())) > 1

    def with_stem(self, stem: str) -> list[Document]:
        """Memories whose file is called `stem`.md, compared as `fold` does."""
        return self._get_all(self._links.by_stem.get(fold(stem), ()))

    def resolve_wikilink(self, name: str, source: Document | None = None) -> list[Document]:
        """What `[[name]]` means: file stems first, then names; the source's own scope first."""
        found = self.with_stem(link_name(name)) or self.named(link_name(name))
        if source is not None and len(found) > 1:
            found.sort(key=lambda d: d.scope != source.scope)
        return found

    def facts(self, rel: str) -> Facts | None:
        """What the document tells the others; None when there is none."""
        return self._facts.get(rel)

    def targets(self, document: Document) -> frozenset[str]:
        """Files that a document links to, relative to the memory directory, whether they are there or not."""
        facts = self._facts.get(document.rel)
        return facts.targets if facts else _NONE

    def wanted(self, document: Document) -> frozenset[str]:
        """Folded names of the wikilinks of a document that mean no memory."""
        facts = self._facts.get(document.rel)
        if facts is None or not facts.wikilinks:
            return _NONE
        return self._links.unmet(facts)

    def has_folder(self, path: str) -> bool:
        """True when a document lies in the folder `path`. Looks at every path: for odd links only."""
        prefix = path.rstrip("/") + "/"
        return prefix == "/" or any(rel.startswith(prefix) for rel in self._documents)

    def cited_by(self, rel: str) -> list[Document]:
        """Documents that link to the file, by Markdown link, index entry or wikilink."""
        return self._get_all(self._links.sources(rel, self._facts.get(rel)))

    def is_listing(self, document: Document) -> bool:
        """True for a second-level index: a topic file that holds little but entries for other files."""
        facts = self._facts.get(document.rel)
        if facts is None or len(facts.listed) < 2 or document.kind != "topic":
            return False
        rows = [
            line for line in document.body.splitlines() if line.strip() and not line.lstrip().startswith("#")
        ]
        return len(self.entries(document)) * 2 >= len(rows)

    @property
    def reachable(self) -> frozenset[str]:
        """Files listed by an index, directly or through second-level indexes that an index lists."""
        return self._reach.files

    def is_orphan(self, document: Document) -> bool:
        """True for a memory that no index reaches, in a directory that has an index."""
        return self._reach.is_orphan(document.rel)

    @property
    def orphan_count(self) -> int:
        """Number of memories no index reaches; 0 while there is no index at all."""
        return self._reach.orphan_count

    def orphans(self) -> list[Document]:
        """Memories no index reaches, by path. Empty while the directory has no index at all."""
        return self._reach.orphans()

    def _get_all(self, rels: Iterable[str]) -> list[Document]:
        return [self._documents[rel] for rel in sorted(rels) if rel in self._documents]

    # followers: further tables over the documents, kept in step by the directory, built by whoever needs them

    def follower(self, name: str) -> Follower | None:
        """The follower called `name`, None until somebody built it."""
        return self._followers.get(name)

    def follow(self, name: str, build: Callable[[], Follower]) -> Follower:
        """The follower called `name`; built and fed with every document on the first call (that costs)."""
        found = self._followers.get(name)
        if found is None:
            found = build()
            for document in self._documents.values():
                found.put(document)
            self._followers[name] = found
        return found

    # updating

    def add(self, document: Document, facts: Facts | None = None) -> Facts:
        """Add a document that is not there yet, without asking whose findings it changes: for a directory that is read
        as a whole, before anybody looks at it. `facts` are those of the document, when they are known already."""
        rel = document.rel
        self._documents[rel] = document
        found = facts if facts is not None else facts_of(document, self.entries)
        self._facts[rel] = found
        self._links.add(rel, found)
        self.revision += 1
        return found

    def sort(self) -> None:
        """Bring the documents into the order of their paths, however they came."""
        ordered = sorted(self._documents.items())
        self._documents.clear()
        self._documents.update(ordered)

    def put(self, document: Document) -> frozenset[str]:
        """Add or replace a document; gives the other files whose cross-file findings may have changed."""
        rel = document.rel
        old_document, old = self._documents.get(rel), self._facts.get(rel)
        self._documents[rel] = document
        self._entries.pop(rel, None)
        self._loaded.pop(rel, None)
        self._reach.edited(rel)
        new = facts_of(document, self.entries)
        for follower in self._followers.values():
            follower.put(document)
        self.revision += 1
        if old is not None and old_document is not None and old == new:
            return _NONE
        return self._replace(rel, old, new)

    def remove(self, rel: str) -> frozenset[str]:
        """Drop a document; gives the files whose cross-file findings may have changed."""
        old = self._facts.get(rel)
        if old is None:
            return _NONE
        del self._documents[rel]
        for follower in self._followers.values():
            follower.remove(rel)
        self._entries.pop(rel, None)
        self._loaded.pop(rel, None)
        self.revision += 1
        return self._replace(rel, old, None)

    def _replace(self, rel: str, old: Facts | None, new: Facts | None) -> frozenset[str]:
        touched = self._links.touched(rel, old, new, self._documents)
        if old is not None:
            self._links.remove(rel, old)
        if new is not None:
            self._facts[rel] = new
            self._links.add(rel, new)
        else:
            del self._facts[rel]
        touched |= self._reach.update(rel, old, new, self.orphan_group)
        touched.discard(rel)
        return frozenset(touched)
