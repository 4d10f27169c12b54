"""Near duplicates: which memories of a directory say almost the same, kept up to date per edit.

A text becomes a set of shingles (three words in a row; three characters in a row for scripts without blanks). The
smallest hashes of the set are its sketch (bottom-k MinHash, Broder 1997): texts that share much share small hashes, so
an inverted index over a few of them finds candidates without comparing all pairs. Candidates are then compared exactly.
Texts of a series ("Release 4.2", "Release 4.3") fool every such measure, so the numbers, dates and identifiers in which
two texts differ are reported beside the score.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from memdir.core.directory import Directory
from memdir.core.document import Document

SKETCH = 12  # hashes per text in the inverted index
# Of two texts of similarity .6 the sketches share seven on average; fewer than three happens once in two thousand pairs.
SHARED = 3
COMMON = 60  # a hash shared by more texts than this says nothing (boilerplate) and proposes nobody
MAX_TEXT = 4_000  # code points of a text that count; the rest would only cost time
CANDIDATES = 12  # the most likely ones of a text; families of hundreds say the same of each other
RECENT = 128  # texts whose shingles are kept at hand (some ten kilobytes each)
MIN_SHINGLES = 6  # shorter texts are alike by chance

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_NUMBER = re.compile(r"[A-Za-z_]*\d[\w.:/-]*\d|\w*\d\w*")
_MASK = 0xFFFFFFFF


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


def shingles(text: str) -> set[int]:
    """Hashes of the shingles of `text`; numbers count as one and the same word."""
    folded = text.casefold()
    if not folded.isascii() and _CJK.search(folded):
        return _mixed(folded)
    known = _word_hashes
    return _triples([known.get(w) or _hash_word(w) for w in _WORD.findall(folded)])


# Words of a directory repeat; a table of their hashes saves most of the time. Bounded: hostile text must not fill memory.
_word_hashes: dict[str, int] = {}
_MAX_WORDS = 100_000


def _hash_word(word: str) -> int:
    value = 7 if word[0].isdigit() else crc32(word.encode("utf-8", "replace")) | 1
    if len(_word_hashes) < _MAX_WORDS:
        _word_hashes[word] = value
    return value


def _triples(hashes: list[int]) -> set[int]:
    return {
        (a * 2654435761 ^ b * 40503 ^ c) & _MASK
        for a, b, c in zip(hashes, hashes[1:], hashes[2:], strict=False)
    }


def _mixed(folded: str) -> set[int]:
    """Words of scripts with blanks as words, the others character by character."""
    hashes: list[int] = []
    for word in _WORD.findall(folded):
        if _CJK.search(word):
            hashes += [7 if c.isdigit() else ord(c) * 2246822519 & _MASK for c in word]
        else:
            hashes.append(_hash_word(word))
    return _triples(hashes)


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
        self._sketches: dict[str, tuple[int, ...]] = {}
        self._holders: dict[int, set[str]] = {}

    def __len__(self) -> int:
        return len(self._sketches)

    def put(self, key: str, text: str) -> None:
        """Add or replace a text."""
        self.remove(key)
        found = shingles(text)
        sketch = tuple(sorted(found)[:SKETCH]) if len(found) >= MIN_SHINGLES else ()
        self._sketches[key] = sketch
        for value in sketch:
            self._holders.setdefault(value, set()).add(key)

    def remove(self, key: str) -> None:
        """Forget a text; nothing happens when it is unknown."""
        for value in self._sketches.pop(key, ()):
            holders = self._holders.get(value)
            if holders is not None:
                holders.discard(key)
                if not holders:
                    del self._holders[value]

    def candidates(self, key: str) -> list[str]:
        """Keys of texts that may be like `key`'s, those that share most first. Needs an exact comparison."""
        shared: dict[str, int] = {}
        for value in self._sketches.get(key, ()):
            holders = self._holders.get(value, set())
            if len(holders) <= COMMON:
                for other in holders:
                    shared[other] = shared.get(other, 0) + 1
        shared.pop(key, None)
        likely = [
            k for k, n in shared.items() if n >= min(SHARED, len(self._sketches[key]), len(self._sketches[k]))
        ]
        return sorted(likely, key=lambda k: (-shared[k], k))


class DuplicateFinder:
    """Near duplicates of the memories of one directory: a `Follower` that `prepare` builds in the background or before a
    check. Private and team memories are compared alike; indexes and logs are not."""

    NAME = "similarity"

    def __init__(self) -> None:
        self._index = SimilarityIndex()
        self._documents: dict[str, Document] = {}
        # Shingles of the memories compared last: while somebody types, the candidates stay the same.
        self._recent: dict[str, tuple[Document, set[int]]] = {}

    def put(self, document: Document) -> None:
        if document.kind == "topic" and self._documents.get(document.rel) is not document:
            self._documents[document.rel] = document
            self._index.put(document.rel, content_of(document))

    def remove(self, rel: str) -> None:
        self._documents.pop(rel, None)
        self._index.remove(rel)

    def _shingles(self, document: Document) -> set[int]:
        known = self._recent.pop(document.rel, None)
        if known is None or known[0] is not document:
            known = (document, shingles(content_of(document)))
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
        text, mine = content_of(document), self._shingles(document)
        found = []
        for other in (self._documents[c] for c in candidates):
            likeness = _likeness(text, mine, content_of(other), self._shingles(other), threshold)
            if likeness is not None:
                found.append((other, likeness))
        found.sort(key=lambda pair: (-pair[1].score, pair[0].rel))
        return found[:limit]


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
