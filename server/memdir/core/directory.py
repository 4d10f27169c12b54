"""A memory directory as a whole: documents and the facts they share, kept in dictionaries and updated per edit.

Changing one document costs work in proportion to that document and to those its shared facts touch, not to the number
of memories (DESIGN.md, "Data flow"; bench/README.md, "cost per keystroke").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memdir.core.document import INDEX_NAME, Document
from memdir.core.index import Entry, Loaded, entries, load, resolve

_FOLD = re.compile(r"[-_\s]+")


def fold(name: str) -> str:
    """How names are compared: case folded, runs of `-`, `_` and blanks alike (5 % of real wikilinks need it)."""
    return _FOLD.sub("-", name.strip()).casefold()


@dataclass(frozen=True, slots=True)
class Facts:
    """What one document tells the others."""

    name: str
    stem: str
    targets: frozenset[str]  # files it links to, relative to the memory directory
    wikilinks: frozenset[str]  # folded names it links to
    listed: frozenset[str]  # files its entries list, when it is an index or a second-level index


class Directory:
    """The documents of one memory directory (private and team together), by their relative path."""

    def __init__(self, root: str, documents: Iterable[Document] = ()) -> None:
        self.root = root
        self.revision = 0
        self._documents: dict[str, Document] = {}
        self._facts: dict[str, Facts] = {}
        self._by_name: dict[str, set[str]] = {}
        self._by_stem: dict[str, set[str]] = {}
        self._cited_by: dict[str, set[str]] = {}  # path -> documents that link to it
        self._wanted_by: dict[str, set[str]] = {}  # folded name -> documents with such a wikilink
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._loaded: dict[tuple[str, int, int], tuple[Document, Loaded]] = {}
        self._reachable: frozenset[str] | None = None
        for document in documents:
            self.put(document)

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
        return [d for rel in (INDEX_NAME, "team/" + INDEX_NAME) if (d := self._documents.get(rel)) is not None]

    def index_for(self, document: Document) -> Document | None:
        """The index that should list `document`."""
        return self._documents.get("team/" + INDEX_NAME if document.rel.startswith("team/") else INDEX_NAME)

    def entries(self, document: Document) -> tuple[Entry, ...]:
        """Entries of an index (cached)."""
        found = self._entries.get(document.rel)
        if found is None or self._documents.get(document.rel) is not document:
            found = entries(document)
            if self._documents.get(document.rel) is document:
                self._entries[document.rel] = found
        return found

    def loaded(self, document: Document, max_lines: int, max_units: int) -> Loaded:
        """Loaded part of an index (cached)."""
        key = (document.rel, max_lines, max_units)
        cached = self._loaded.get(key)
        if cached is None or cached[0] is not document:
            cached = self._loaded[key] = (document, load(document, max_lines, max_units))
        return cached[1]

    def named(self, name: str) -> list[Document]:
        """Memories called `name` (header), compared as `fold` does."""
        return self._get_all(self._by_name.get(fold(name), ()))

    def with_stem(self, stem: str) -> list[Document]:
        """Memories whose file is called `stem`.md, compared as `fold` does."""
        return self._get_all(self._by_stem.get(fold(stem), ()))

    def resolve_wikilink(self, name: str, source: Document | None = None) -> list[Document]:
        """What `[[name]]` means: file stems first, then names; the source's own scope first."""
        name = name[:-3] if name.lower().endswith(".md") else name
        stem = name.rsplit("/", 1)[-1]
        found = self.with_stem(stem) or self.named(name)
        if source is not None and len(found) > 1:
            found.sort(key=lambda d: d.scope != source.scope)
        return found

    def cited_by(self, rel: str) -> list[Document]:
        """Documents that link to the file, by Markdown link, index entry or wikilink."""
        sources = set(self._cited_by.get(rel, ()))
        facts = self._facts.get(rel)
        if facts is not None:
            sources |= self._wanted_by.get(fold(facts.stem), set())
            if facts.name:
                sources |= self._wanted_by.get(facts.name, set())
        sources.discard(rel)
        return self._get_all(sources)

    @property
    def reachable(self) -> frozenset[str]:
        """Files listed by an index, directly or through second-level indexes that an index lists."""
        if self._reachable is None:
            seen: set[str] = set()
            todo = [d.rel for d in self.indexes()]
            while todo:
                facts = self._facts.get(todo.pop())
                if facts is None:
                    continue
                new = facts.listed - seen
                seen |= new
                todo += [rel for rel in new if rel in self._facts]
            self._reachable = frozenset(seen)
        return self._reachable

    def orphans(self) -> list[Document]:
        """Memories no index reaches, by path. Empty while the directory has no index at all."""
        if not self.indexes():
            return []
        reachable = self.reachable
        return sorted((d for d in self.topics() if d.rel not in reachable), key=lambda d: d.rel)

    def _get_all(self, rels: Iterable[str]) -> list[Document]:
        return [self._documents[rel] for rel in sorted(rels) if rel in self._documents]

    # updating

    def put(self, document: Document) -> frozenset[str]:
        """Add or replace a document; gives the other files whose cross-file findings may have changed."""
        rel = document.rel
        old_document, old = self._documents.get(rel), self._facts.get(rel)
        self._documents[rel] = document
        self._entries.pop(rel, None)
        new = self._facts_of(document)
        self._facts[rel] = new
        self.revision += 1
        if old_document is not None and old == new:
            return frozenset()
        if old is None or old.listed != new.listed or document.kind == "index":
            self._reachable = None
        before = self._touched(rel, old, new)
        if old is not None:
            self._unlink(rel, old)
        self._link(rel, new)
        return frozenset(before | self._touched(rel, old, new)) - {rel}

    def remove(self, rel: str) -> frozenset[str]:
        """Drop a document; gives the files whose cross-file findings may have changed."""
        old = self._facts.get(rel)
        if old is None:
            return frozenset()
        touched = self._touched(rel, old, None)
        self._unlink(rel, old)
        del self._documents[rel], self._facts[rel]
        self._entries.pop(rel, None)
        self._reachable = None
        self.revision += 1
        return frozenset(touched | self._touched(rel, old, None)) - {rel}

    def _touched(self, rel: str, old: Facts | None, new: Facts | None) -> set[str]:
        """Files that look at what changed between `old` and `new`."""
        found: set[str] = set()
        if old is None or new is None:  # the file comes or goes: whoever links to it, and the indexes
            found |= self._cited_by.get(rel, set())
            found |= {d.rel for d in self.indexes()}
        for name in _differing(old, new, "name"):
            found |= self._by_name.get(name, set()) | self._wanted_by.get(name, set())
        for stem in _differing(old, new, "stem"):
            found |= self._by_stem.get(stem, set()) | self._wanted_by.get(stem, set())
        listed = (old.listed if old else frozenset()) ^ (new.listed if new else frozenset())
        if listed:
            found |= {target for target in listed if target in self._documents}
            found |= {d.rel for d in self.indexes()}
        return found

    def _link(self, rel: str, facts: Facts) -> None:
        if facts.name:
            self._by_name.setdefault(facts.name, set()).add(rel)
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

    def _facts_of(self, document: Document) -> Facts:
        rel = document.rel
        topic = document.kind == "topic"
        text = document.text
        targets: frozenset[str] = frozenset()
        wikilinks: frozenset[str] = frozenset()
        listed: frozenset[str] = frozenset()
        if "](" in text or "][" in text or "[[" in text:
            markdown = document.markdown
            targets = frozenset(
                path
                for link in markdown.links
                if not link.external and link.path and (path := resolve(rel, link.path)) is not None
            )
            wikilinks = frozenset(fold(_stem(link.name)) for link in markdown.wikilinks)
        if document.kind == "index" or (topic and text.count(".md") >= 2):
            found = self.entries(document)
            paths = [p for e in found for t in e.targets if not t.external and (p := resolve(rel, t.path)) is not None]
            targets |= frozenset(paths)
            if document.kind == "index":
                listed = targets | self._named_files(wikilinks)
            elif len(found) >= 2:
                listed = frozenset(paths)
        return Facts(fold(document.name) if topic and document.name else "", fold(document.stem) if topic else "", targets, wikilinks, listed)

    def _named_files(self, names: frozenset[str]) -> frozenset[str]:
        """Files an index lists as `[[name]]`, as far as they are known now."""
        found: set[str] = set()
        for name in names:
            found |= self._by_stem.get(name, set()) or self._by_name.get(name, set())
        return frozenset(found)


def _stem(name: str) -> str:
    name = name.rsplit("/", 1)[-1]
    return name[:-3] if name.lower().endswith(".md") else name


def _differing(old: Facts | None, new: Facts | None, field: str) -> set[str]:
    before = getattr(old, field) if old else ""
    after = getattr(new, field) if new else ""
    return {v for v in (before, after) if v} if before != after else set()
