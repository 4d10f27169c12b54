"""Texts as sets of shingles: their sketches, and how alike two of them are.

A text becomes a set of shingles (three words in a row; three characters in a row for scripts without blanks). The
smallest hashes of the set are its sketch (bottom-k MinHash, Broder 1997): texts that share much share small hashes.
Texts of a series ("Release 4.2", "Release 4.3") fool every such measure, so the numbers, dates and identifiers in which
two texts differ are reported beside the score.
"""

from __future__ import annotations

from dataclasses import dataclass
from sys import hash_info
from zlib import crc32

from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.words import cut_plain

SKETCH = 12  # hashes per text in the inverted index
MAX_TEXT = 4_000  # code points of a text that count; the rest would only cost time
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
    return likeness_of(mine, shingles(mine), theirs, shingles(theirs), 0.0) or Likeness(0.0)


def likeness_of(mine: str, a: set[int], theirs: str, b: set[int], threshold: float) -> Likeness | None:
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
