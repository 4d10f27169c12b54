"""A memory directory as a whole: documents and the facts they share, kept in dictionaries and updated per edit.

Changing one document costs work in proportion to that document and to those its shared facts touch, not to the number
of memories (DESIGN.md, "Data flow"; bench/README.md, "cost per keystroke").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from memdir.core.directory_facts import Facts, differing, facts_of, fold, link_name
from memdir.core.document import INDEX_NAME, Document
from memdir.core.index import Entry, Loaded, entries, load
from memdir.core.settings import DEFAULTS

__all__ = ["TEAM_INDEX", "Directory", "Facts", "Follower", "fold", "link_name"]

_NONE: frozenset[str] = frozenset()
TEAM_INDEX = "team/" + INDEX_NAME


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
        self._by_name: dict[str, set[str]] = {}
        self._by_stem: dict[str, set[str]] = {}
        self._cited_by: dict[str, set[str]] = {}  # path -> documents that link to it
        self._wanted_by: dict[str, set[str]] = {}  # folded name -> documents with such a wikilink
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._loaded: dict[str, dict[tuple[int, int], Loaded]] = {}
        # Files the indexes reach and memories they don't; None until somebody asks, then kept in step.
        self._reachable: frozenset[str] | None = None
        self._unlisted: set[str] = set()
        self._orphans: list[Document] | None = None
        self._followers: dict[str, Follower] = {}
        for document in documents:
            self.put(document)

    def copy(self) -> Directory:
        """A directory of the same documents that can be changed by itself; without followers. Costs no parsing."""
        twin = Directory(self.root, orphan_group=self.orphan_group)
        twin.revision = self.revision
        twin._documents, twin._facts = dict(self._documents), dict(self._facts)
        twin._by_name = {k: set(v) for k, v in self._by_name.items()}
        twin._by_stem = {k: set(v) for k, v in self._by_stem.items()}
        twin._cited_by = {k: set(v) for k, v in self._cited_by.items()}
        twin._wanted_by = {k: set(v) for k, v in self._wanted_by.items()}
        twin._entries = dict(self._entries)
        twin._reachable, twin._unlisted = self._reachable, set(self._unlisted)
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
        return [d for rel in (INDEX_NAME, TEAM_INDEX) if (d := self._documents.get(rel)) is not None]

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
        return self._get_all(self._by_name.get(fold(name), ()))

    def shares_name(self, document: Document) -> bool:
        """True when another memory, of whatever scope, has the name of this one."""
        facts = self._facts.get(document.rel)
        return facts is not None and len(self._by_name.get(facts.name, ())) > 1

    def with_stem(self, stem: str) -> list[Document]:
        """Memories whose file is called `stem`.md, compared as `fold` does."""
        return self._get_all(self._by_stem.get(fold(stem), ()))

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
        return frozenset(n for n in facts.wikilinks if n not in self._by_stem and n not in self._by_name)

    def has_folder(self, path: str) -> bool:
        """True when a document lies in the folder `path`. Looks at every path: for odd links only."""
        prefix = path.rstrip("/") + "/"
        return prefix == "/" or any(rel.startswith(prefix) for rel in self._documents)

    def cited_by(self, rel: str) -> list[Document]:
        """Documents that link to the file, by Markdown link, index entry or wikilink."""
        sources = set(self._cited_by.get(rel, ()))
        facts = self._facts.get(rel)
        if facts is not None:
            for name in (facts.stem, facts.name):
                if name:
                    sources |= self._wanted_by.get(name, set())
        sources.discard(rel)
        return self._get_all(sources)

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
        return self._ensure_reach()

    def is_orphan(self, document: Document) -> bool:
        """True for a memory that no index reaches, in a directory that has an index."""
        self._ensure_reach()
        return document.rel in self._unlisted and bool(self.indexes())

    @property
    def orphan_count(self) -> int:
        """Number of memories no index reaches; 0 while there is no index at all."""
        if not self.indexes():
            return 0
        self._ensure_reach()
        return len(self._unlisted)

    def orphans(self) -> list[Document]:
        """Memories no index reaches, by path. Empty while the directory has no index at all."""
        if not self.orphan_count:
            return []
        if self._orphans is None:
            self._orphans = self._get_all(self._unlisted)
        return list(self._orphans)

    def _get_all(self, rels: Iterable[str]) -> list[Document]:
        return [self._documents[rel] for rel in sorted(rels) if rel in self._documents]

    def _ensure_reach(self) -> frozenset[str]:
        if self._reachable is None:
            self._reachable = reachable = self._reach()
            self._unlisted = {d.rel for d in self.topics() if d.rel not in reachable}
            self._orphans = None
        return self._reachable

    def _reach(self) -> frozenset[str]:
        seen: set[str] = set()
        todo = [d.rel for d in self.indexes()]
        first = len(todo)
        for number, rel in enumerate(todo):  # grows while it is walked
            facts = self._facts.get(rel)
            if facts is None:
                continue
            listed = facts.listed
            if number < first and facts.wikilinks:
                listed = listed | self._named_files(facts.wikilinks)
            new = listed - seen
            seen |= new
            todo += new
        return frozenset(seen)

    def _named_files(self, names: Iterable[str]) -> set[str]:
        """Files an index lists as `[[name]]`."""
        found: set[str] = set()
        for name in names:
            found |= self._by_stem.get(name) or self._by_name.get(name) or set()
        return found

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
        self._link(rel, found)
        self.revision += 1
        return found

    def sort(self) -> None:
        """Bring the documents into the order of their paths, however they came."""
        self._documents = dict(sorted(self._documents.items()))

    def put(self, document: Document) -> frozenset[str]:
        """Add or replace a document; gives the other files whose cross-file findings may have changed."""
        rel = document.rel
        old_document, old = self._documents.get(rel), self._facts.get(rel)
        self._documents[rel] = document
        self._entries.pop(rel, None)
        self._loaded.pop(rel, None)
        self._orphans = None if rel in self._unlisted else self._orphans
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
        count = len(self._unlisted)
        touched = self._touched(rel, old, new)
        if old is not None:
            self._unlink(rel, old)
        if new is not None:
            self._facts[rel] = new
            self._link(rel, new)
        else:
            del self._facts[rel]
        if self._reachable is not None:
            touched |= self._update_reach(rel, old, new)
            after = len(self._unlisted)
            if min(count, after) <= self.orphan_group < max(count, after):
                touched |= self._unlisted
        touched.discard(rel)
        return frozenset(touched)

    def _update_reach(self, rel: str, old: Facts | None, new: Facts | None) -> set[str]:
        """Keep `_reachable` and `_unlisted` in step; gives memories that became or ceased to be orphans."""
        assert self._reachable is not None
        is_index = rel in (INDEX_NAME, TEAM_INDEX)
        changed: set[str] = set()
        before = self._reachable
        lists = (old.listed if old else _NONE) != (new.listed if new else _NONE)
        if (
            lists
            or is_index
            or any(f.wikilinks for r in (INDEX_NAME, TEAM_INDEX) if (f := self._facts.get(r)))
        ):
            self._reachable = self._reach()
            gained, lost = self._reachable - before, before - self._reachable
            for other in gained & self._unlisted:
                self._unlisted.discard(other)
                changed.add(other)
            for other in lost:
                if (document := self._documents.get(other)) is not None and document.kind == "topic":
                    self._unlisted.add(other)
                    changed.add(other)
        document = self._documents.get(rel)
        if document is None or document.kind != "topic" or rel in self._reachable:
            self._unlisted.discard(rel)
        else:
            self._unlisted.add(rel)
        if is_index and (old is None or new is None):
            changed |= (
                self._unlisted
            )  # with the first index orphans begin to exist, with the last one they end
        if changed or old is None or new is None:
            self._orphans = None
        return changed

    def _touched(self, rel: str, old: Facts | None, new: Facts | None) -> set[str]:
        """Files that look at what changed between `old` and `new`."""
        found: set[str] = set()
        if old is None or new is None:  # the file comes or goes: whoever links to it, and the indexes
            found |= self._cited_by.get(rel, _NONE)
            found |= self._index_names()
        wanted = self._wanted_by
        for name in differing(old, new, "name"):
            found |= self._by_name.get(name, _NONE)
            found |= wanted.get(name, _NONE)
        for stem in differing(old, new, "stem"):
            found |= self._by_stem.get(stem, _NONE)
            found |= wanted.get(stem, _NONE)
        before, after = old.listed if old else _NONE, new.listed if new else _NONE
        if before != after:
            listed = before ^ after
            found |= {target for target in listed if target in self._documents}
            found |= self._index_names()
        return found

    def _index_names(self) -> set[str]:
        return {rel for rel in (INDEX_NAME, TEAM_INDEX) if rel in self._documents}

    def _link(self, rel: str, facts: Facts) -> None:
        if facts.name:
            self._by_name.setdefault(facts.name, set()).add(rel)
        if facts.stem:
            self._by_stem.setdefault(facts.stem, set()).add(rel)
        for target in facts.targets:
            self._cited_by.setdefault(target, set()).add(rel)
        for name in facts.wikilinks:
            self._wanted_by.setdefault(name, set()).add(rel)

    def _unlink(self, rel: str, facts: Facts) -> None:
        for table, keys in (
            (self._by_name, (facts.name,)),
            (self._by_stem, (facts.stem,)),
            (self._cited_by, facts.targets),
            (self._wanted_by, facts.wikilinks),
        ):
            for key in keys:
                holders = table.get(key)
                if holders is not None:
                    holders.discard(rel)
                    if not holders:
                        del table[key]
