"""Who is called what and who links to whom in a memory directory: tables from names and paths to documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from memdir.core.directory_facts import INDEXES, Facts, differing

_NONE: frozenset[str] = frozenset()


class Links:
    """Names are folded, documents and files are relative paths. Sets are never empty; no name has the empty string."""

    __slots__ = ("by_name", "by_stem", "cited_by", "wanted_by")

    def __init__(self) -> None:
        self.by_name: dict[str, set[str]] = {}
        self.by_stem: dict[str, set[str]] = {}
        self.cited_by: dict[str, set[str]] = {}  # path -> documents that link to it
        self.wanted_by: dict[str, set[str]] = {}  # folded name -> documents with such a wikilink

    def copy(self) -> Links:
        twin = Links()
        twin.by_name = {k: set(v) for k, v in self.by_name.items()}
        twin.by_stem = {k: set(v) for k, v in self.by_stem.items()}
        twin.cited_by = {k: set(v) for k, v in self.cited_by.items()}
        twin.wanted_by = {k: set(v) for k, v in self.wanted_by.items()}
        return twin

    def add(self, rel: str, facts: Facts) -> None:
        """Enter a document that is not in the tables."""
        if facts.name:
            self.by_name.setdefault(facts.name, set()).add(rel)
        if facts.stem:
            self.by_stem.setdefault(facts.stem, set()).add(rel)
        for target in facts.targets:
            self.cited_by.setdefault(target, set()).add(rel)
        for name in facts.wikilinks:
            self.wanted_by.setdefault(name, set()).add(rel)

    def remove(self, rel: str, facts: Facts) -> None:
        """Take a document out; `facts` are those it was entered with."""
        for table, keys in (
            (self.by_name, (facts.name,)),
            (self.by_stem, (facts.stem,)),
            (self.cited_by, facts.targets),
            (self.wanted_by, facts.wikilinks),
        ):
            for key in keys:
                holders = table.get(key)
                if holders is not None:
                    holders.discard(rel)
                    if not holders:
                        del table[key]

    def named_files(self, names: Iterable[str]) -> set[str]:
        """Files an index lists as `[[name]]`."""
        found: set[str] = set()
        for name in names:
            found |= self.by_stem.get(name) or self.by_name.get(name) or set()
        return found

    def unmet(self, facts: Facts) -> frozenset[str]:
        """Names of the document's wikilinks that mean no memory."""
        return frozenset(n for n in facts.wikilinks if n not in self.by_stem and n not in self.by_name)

    def sources(self, rel: str, facts: Facts | None) -> set[str]:
        """Documents that link to the file `rel`, by path or by one of the names in its `facts`."""
        found = set(self.cited_by.get(rel, ()))
        if facts is not None:
            for name in (facts.stem, facts.name):
                if name:
                    found |= self.wanted_by.get(name, set())
        found.discard(rel)
        return found

    def touched(self, rel: str, old: Facts | None, new: Facts | None, known: Collection[str]) -> set[str]:
        """Files that look at what changes between `old` and `new`, asked before the change is entered.

        `known` are the documents of the directory.
        """
        found: set[str] = set()
        if old is None or new is None:  # the file comes or goes: whoever links to it, and the indexes
            found |= self.cited_by.get(rel, _NONE)
            found.update(index for index in INDEXES if index in known)
        wanted = self.wanted_by
        for name in differing(old, new, "name"):
            found |= self.by_name.get(name, _NONE)
            found |= wanted.get(name, _NONE)
        for stem in differing(old, new, "stem"):
            found |= self.by_stem.get(stem, _NONE)
            found |= wanted.get(stem, _NONE)
        before, after = old.listed if old else _NONE, new.listed if new else _NONE
        if before != after:
            found.update(target for target in before ^ after if target in known)
            found.update(index for index in INDEXES if index in known)
        return found
