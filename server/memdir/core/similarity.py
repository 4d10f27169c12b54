"""Near duplicates: which memories of a directory say almost the same, kept up to date per edit.

An inverted index over a few hashes of each text's sketch (`memdir.core.shingles`) finds candidates without comparing all
pairs. Candidates are then compared exactly.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.shingles import Likeness, content_of, likeness_of, shingles_of, sketch_of

# Of two texts of similarity .6 the sketches share seven on average; fewer than three happens once in two thousand pairs.
SHARED = 3  # no more than `shingles.MIN_SHINGLES`, the size of the smallest sketch
COMMON = 60  # a hash shared by more texts than this says nothing (boilerplate) and proposes nobody
CANDIDATES = 12  # the most likely ones of a text; families of hundreds say the same of each other
RECENT = 128  # texts whose shingles are kept at hand (some ten kilobytes each)
PAIRS = 4096  # comparisons that are remembered: each pair is asked for from both sides


class SimilarityIndex:
    """Sketches of many texts by key. `put` and `remove` cost in proportion to one text, `candidates` to its sketch."""

    def __init__(self) -> None:
        self._sketches: dict[str, array[int]] = {}  # a third of the memory of tuples
        # Most hashes belong to one text: a set for each would take more memory than the texts.
        self._holders: dict[int, str | set[str]] = {}

    def __len__(self) -> int:
        return len(self._sketches)

    def put(self, key: str, sketch: tuple[int, ...]) -> None:
        """Add or replace a text by its sketch."""
        if key in self._sketches:
            self.remove(key)
        self._sketches[key] = array("q", sketch)
        holders = self._holders
        for value in sketch:
            known = holders.get(value)
            if known is None:
                holders[value] = key
            elif isinstance(known, set):
                known.add(key)
            else:
                holders[value] = {known, key}

    def remove(self, key: str) -> None:
        """Forget a text; nothing happens when it is unknown."""
        for value in self._sketches.pop(key, ()):
            known = self._holders.get(value)
            if isinstance(known, set):
                known.discard(key)
                if not known:
                    del self._holders[value]
            elif known == key:
                del self._holders[value]

    def sketch(self, key: str) -> tuple[int, ...]:
        return tuple(self._sketches.get(key, ()))

    def candidates(self, key: str) -> list[str]:
        """Keys of texts that may be like `key`'s, those that share most first. Needs an exact comparison."""
        holders = self._holders
        shared = [
            h
            for v in self._sketches.get(key, ())
            if isinstance(h := holders.get(v), set) and len(h) <= COMMON
        ]
        if len(shared) < SHARED:
            return []
        counts = Counter(chain.from_iterable(shared))
        counts.pop(key, None)
        return sorted((k for k, n in counts.items() if n >= SHARED), key=lambda k: (-counts[k], k))


class _Pair(NamedTuple):
    one: Document
    two: Document
    threshold: float
    likeness: Likeness | None


class DuplicateFinder:
    """Near duplicates of the memories of one directory: a `Follower` that `prepare` builds in the background or before a
    check. Private and team memories are compared alike; indexes and logs are not."""

    NAME = "similarity"

    def __init__(self) -> None:
        self._index = SimilarityIndex()
        self._documents: dict[str, Document] = {}
        # Shingles of the memories compared last: while somebody types, the candidates stay the same.
        self._recent: dict[str, tuple[Document, set[int]]] = {}
        self._pairs: dict[tuple[str, str], _Pair] = {}

    def put(self, document: Document) -> None:
        if document.kind == "topic" and self._documents.get(document.rel) is not document:
            self._documents[document.rel] = document
            self._index.put(document.rel, sketch_of(shingles_of(document)))

    def adopt(self, document: Document, sketch: tuple[int, ...]) -> None:
        """Add a memory by its sketch, which is known already."""
        self._documents[document.rel] = document
        self._index.put(document.rel, sketch)

    def sketch(self, rel: str) -> tuple[int, ...]:
        """The sketch of a memory; () for an unknown or short one."""
        return self._index.sketch(rel)

    def remove(self, rel: str) -> None:
        self._documents.pop(rel, None)
        self._index.remove(rel)

    def _shingles(self, document: Document) -> set[int]:
        known = self._recent.pop(document.rel, None)
        if known is None or known[0] is not document:
            known = (document, shingles_of(document))
            if len(self._recent) >= RECENT:
                del self._recent[next(iter(self._recent))]
        self._recent[document.rel] = known
        return known[1]

    def known(self) -> list[str]:
        """Relative paths of the memories it knows."""
        return list(self._documents)

    def like(self, rel: str, threshold: float, limit: int = 3) -> list[tuple[Document, Likeness]]:
        """Memories at least `threshold` like `rel`, the most alike first, at most `limit`."""
        document = self._documents.get(rel)
        if document is None:
            return []
        candidates = self._index.candidates(rel)[:CANDIDATES]
        if not candidates:
            return []
        found = []
        for other in (self._documents[c] for c in candidates):
            likeness = self._compare(document, other, threshold)
            if likeness is not None:
                found.append((other, likeness))
        found.sort(key=lambda pair: (-pair[1].score, pair[0].rel))
        return found[:limit]

    def _compare(self, document: Document, other: Document, threshold: float) -> Likeness | None:
        """Likeness of two memories; None below `threshold`."""
        if other.rel < document.rel:
            likeness = self._compare(other, document, threshold)
            return likeness and Likeness(likeness.score, likeness.theirs, likeness.mine)
        key = (document.rel, other.rel)
        pair = self._pairs.get(key)
        if pair is None or pair.one is not document or pair.two is not other or pair.threshold != threshold:
            likeness = likeness_of(
                content_of(document),
                self._shingles(document),
                content_of(other),
                self._shingles(other),
                threshold,
            )
            pair = _Pair(document, other, threshold, likeness)
            if len(self._pairs) >= PAIRS:
                del self._pairs[next(iter(self._pairs))]
            self._pairs[key] = pair
        return pair.likeness


def prepare(directory: Directory) -> DuplicateFinder:
    """The finder of `directory`, built on the first call (a second for 10,000 memories), kept in step afterwards."""
    finder = directory.follow(DuplicateFinder.NAME, DuplicateFinder)
    assert isinstance(finder, DuplicateFinder)
    return finder


def prepare_steps(directory: Directory) -> Iterator[None]:
    """The same in steps of one memory, for a server that answers in between; the finder exists after the last one."""
    finder = DuplicateFinder()
    for rel in list(directory.documents):
        document = directory.get(rel)
        if document is not None:
            finder.put(document)
            yield
    for rel in [r for r in finder.known() if r not in directory]:
        finder.remove(rel)
    directory.follow(DuplicateFinder.NAME, lambda: finder)  # puts again only what changed meanwhile


def finder_of(directory: Directory) -> DuplicateFinder | None:
    """The finder of `directory` when it is built already: a keystroke must not wait for it."""
    finder = directory.follower(DuplicateFinder.NAME)
    return finder if isinstance(finder, DuplicateFinder) else None
