"""Which files the indexes of a memory directory reach, and which memories they don't.

Costs a walk over what the indexes list when somebody asks first, then as much as an edit changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from memdir.core.directory_facts import INDEXES, Facts
from memdir.core.directory_links import Links
from memdir.core.document import Document

_NONE: frozenset[str] = frozenset()


class Reach:
    """Looks at the tables of its directory, which tells it of every change (`edited`, `update`)."""

    __slots__ = ("_documents", "_facts", "_files", "_links", "_orphans", "_unlisted")

    def __init__(
        self,
        documents: Mapping[str, Document],
        facts: Mapping[str, Facts],
        links: Links,
        like: Reach | None = None,
    ) -> None:
        """`documents`, `facts` and `links` are live; `like` is the state of a directory that holds the same."""
        self._documents, self._facts, self._links = documents, facts, links
        self._files: frozenset[str] | None = (
            like._files if like is not None else None
        )  # None until somebody asks
        self._unlisted: set[str] = set(like._unlisted) if like is not None else set()
        self._orphans: list[Document] | None = None

    @property
    def files(self) -> frozenset[str]:
        """Files listed by an index, directly or through second-level indexes that an index lists."""
        return self._ensure()

    def is_orphan(self, rel: str) -> bool:
        """True for a memory that no index reaches, in a directory that has an index."""
        self._ensure()
        return rel in self._unlisted and self._has_index()

    @property
    def orphan_count(self) -> int:
        """Number of memories no index reaches; 0 while there is no index at all."""
        if not self._has_index():
            return 0
        self._ensure()
        return len(self._unlisted)

    def orphans(self) -> list[Document]:
        """Memories no index reaches, by path. Empty while the directory has no index at all."""
        if not self.orphan_count:
            return []
        if self._orphans is None:
            self._orphans = [self._documents[rel] for rel in sorted(self._unlisted) if rel in self._documents]
        return list(self._orphans)

    def edited(self, rel: str) -> None:
        """Another document stands at `rel`, whatever its facts."""
        if rel in self._unlisted:
            self._orphans = None

    def update(self, rel: str, old: Facts | None, new: Facts | None, group: int) -> set[str]:
        """Keep in step with a change that the directory's tables hold already.

        Gives the memories that became or ceased to be orphans; all that are some when their number crosses `group`.
        """
        if self._files is None:
            return set()
        before = len(self._unlisted)
        changed = self._follow(rel, old, new, self._files)
        after = len(self._unlisted)
        if min(before, after) <= group < max(before, after):
            changed |= self._unlisted
        return changed

    def _ensure(self) -> frozenset[str]:
        if self._files is None:
            self._files = files = self._walk()
            self._unlisted = {
                d.rel for d in self._documents.values() if d.kind == "topic" and d.rel not in files
            }
            self._orphans = None
        return self._files

    def _follow(self, rel: str, old: Facts | None, new: Facts | None, before: frozenset[str]) -> set[str]:
        is_index = rel in INDEXES
        changed: set[str] = set()
        reached = before
        lists = (old.listed if old else _NONE) != (new.listed if new else _NONE)
        if lists or is_index or any(f.wikilinks for r in INDEXES if (f := self._facts.get(r))):
            self._files = reached = self._walk()
            gained, lost = reached - before, before - reached
            for other in gained & self._unlisted:
                self._unlisted.discard(other)
                changed.add(other)
            for other in lost:
                if (document := self._documents.get(other)) is not None and document.kind == "topic":
                    self._unlisted.add(other)
                    changed.add(other)
        document = self._documents.get(rel)
        if document is None or document.kind != "topic" or rel in reached:
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

    def _has_index(self) -> bool:
        return any(rel in self._documents for rel in INDEXES)

    def _walk(self) -> frozenset[str]:
        seen: set[str] = set()
        todo = [rel for rel in INDEXES if rel in self._documents]
        first = len(todo)
        for number, rel in enumerate(todo):  # grows while it is walked
            facts = self._facts.get(rel)
            if facts is None:
                continue
            listed = facts.listed
            if number < first and facts.wikilinks:
                listed = listed | self._links.named_files(facts.wikilinks)
            new = listed - seen
            seen |= new
            todo += new
        return frozenset(seen)
