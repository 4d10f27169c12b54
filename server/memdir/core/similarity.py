"""Near duplicates: which memories of a directory say almost the same, kept up to date per edit.

A text becomes a set of shingles (three words in a row; three characters in a row for scripts without blanks). The
smallest hashes of the set are its sketch (bottom-k MinHash, Broder 1997): texts that share much share small hashes, so
an inverted index over a few of them finds candidates without comparing all pairs. Candidates are then compared exactly.
Texts of a series ("Release 4.2", "Release 4.3") fool every such measure, so the numbers, dates and identifiers in which
two texts differ are reported beside the score.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from sys import hash_info
from typing import NamedTuple
from zlib import crc32

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.words import cut_plain

SKETCH = 12  # hashes per text in the inverted index
# Of two texts of similarity .6 the sketches share seven on average; fewer than three happens once in two thousand pairs.
SHARED = 3  # no more than MIN_SHINGLES, the size of the smallest sketch
COMMON = 60  # a hash shared by more texts than this says nothing (boilerplate) and proposes nobody
MAX_TEXT = 4_000  # code points of a text that count; the rest would only cost time
CANDIDATES = 12  # the most likely ones of a text; families of hundreds say the same of each other
RECENT = 128  # texts whose shingles are kept at hand (some ten kilobytes each)
PAIRS = 4096  # comparisons that are remembered: each pair is asked for from both sides
MIN_SHINGLES = 6  # shorter texts are alike by chance

_WORD = lazy(r"[^\W_]+")
_CJK = lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_NUMBER = lazy(r"[A-Za-z_]*\d[\w.:/-]*\d|\w*\d\w*")


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two texts are: `score` from 0 to 1; `mine` and `theirs` are numbers, dates and identifiers that only
    one of them has. Both empty: nothing of that kind tells them apart."""

    score: float
    mine: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()

    @property
    def series(self) -> bool:
        """The texts belong to one family and differ in numbers: merging them would lose facts."""
        return bool(self.mine or self.theirs)


def content_of(document: Document) -> str:
    """What is compared: the description and the body."""
    return document.description + "\n" + document.text[document.body_start : document.body_start + MAX_TEXT]


_last: list[tuple[Document | None, set[int]]] = [(None, set())]


def shingles_of(document: Document) -> set[int]:
    """The shingles of a memory; those of the last one asked about are kept, for several rules ask. Not to be changed."""
    known = _last[0]
    if known[0] is not document:
        _last[0] = known = (document, shingles(content_of(document)))
    return known[1]


def shingles(text: str) -> set[int]:
    """Hashes of the shingles of `text`; numbers count as one and the same word."""
    plain = cut_plain(text)
    if plain is not None:
        hashes = list(map(_word_hashes.__getitem__, plain))
    else:
        folded = text.casefold()
        words = _WORD.findall(folded)
        hashes = (
            _mixed(words)
            if _CJK.search(folded)
            else [_word_hashes[w.encode("utf-8", "replace")] for w in words]
        )
    return set(map(hash, zip(hashes, hashes[1:], hashes[2:], strict=False)))


class _WordHashes(dict[bytes, int]):
    """Words of a directory repeat; a table of their hashes saves most of the time."""

    def __missing__(self, word: bytes) -> int:
        value = 7 if 48 <= word[0] <= 57 else crc32(word) | 1
        if len(self) < _MAX_WORDS:  # hostile text must not fill memory
            self[word] = value
        return value


_MAX_WORDS = 100_000
_word_hashes = _WordHashes()


def _mixed(words: list[str]) -> list[int]:
    """Words of scripts with blanks as words, the others character by character."""
    hashes: list[int] = []
    for word in words:
        if _CJK.search(word):
            hashes += [7 if c.isdigit() else ord(c) * 2246822519 & 0xFFFFFFFF for c in word]
        else:
            hashes.append(_word_hashes[word.encode("utf-8", "replace")])
    return hashes


def sketch_of(found: set[int]) -> tuple[int, ...]:
    """The smallest shingles of a text, () when it is too short to be compared."""
    size = len(found)
    if size < MIN_SHINGLES:
        return ()
    if size > 4 * SKETCH:  # sort those only that are small enough to be among them
        limit = _LEAST + (_RANGE // size) * 2 * SKETCH
        low = [x for x in found if x < limit]
        if len(low) >= SKETCH:
            return tuple(sorted(low)[:SKETCH])
    return tuple(sorted(found)[:SKETCH])


_LEAST, _RANGE = -(1 << (hash_info.width - 1)), 1 << hash_info.width


def compare(mine: str, theirs: str) -> Likeness:
    """Compare two texts exactly: the shared part of all their shingles (Jaccard)."""
    return _likeness(mine, shingles(mine), theirs, shingles(theirs), 0.0) or Likeness(0.0)


def _likeness(mine: str, a: set[int], theirs: str, b: set[int], threshold: float) -> Likeness | None:
    """The same for texts whose shingles are known; None below `threshold`."""
    small, large = sorted((len(a), len(b)))
    if not small or small < threshold * large:
        return None
    shared = len(a & b)
    score = shared / (small + large - shared)
    if score < threshold:
        return None
    x, y = set(_NUMBER.findall(mine)), set(_NUMBER.findall(theirs))
    return Likeness(score, tuple(sorted(x - y)), tuple(sorted(y - x)))


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
            likeness = _likeness(
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
