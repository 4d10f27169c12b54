"""What a repository's instruction files say, so that a memory that repeats them can be found.

CLAUDE.md and rule files load in every session; a memory that says the same costs a second reading and goes stale apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from memdir.core.lazy_re import lazy
from memdir.core.shingles import shingles
from memdir.core.words import cut_plain

_MARKS = lazy(r"^(?:[-*+>]|\d+[.)])\s+|\*\*|__|`")
_MIN_WORDS_LATIN = 5  # "Run the tests." repeats without being a duplicate
# Part of an instruction's word triples that the memory must contain. Half a sentence in common is coincidence in prose.
SHARE = 0.7


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of an instruction file: `line` counts from 0.

    `words` are its different ASCII words; a text that lacks more than `spare` of them cannot repeat it, for every word
    that is missing breaks at least one shingle. Empty for statements with letters of other scripts.
    """

    path: str
    line: int
    text: str
    shingles: frozenset[int]
    words: frozenset[bytes] = frozenset()
    spare: int = 0

    @classmethod
    def of(cls, path: str, line: int, text: str) -> Statement:
        found = frozenset(shingles(text))
        words = frozenset(w for w in cut_plain(text) or () if not w[:1].isdigit())
        return cls(path, line, text, found, words, int((1 - SHARE) * len(found) + 1e-9))


@dataclass(frozen=True, slots=True)
class Instructions:
    """Statements of all instruction files of a repository, found by what they say."""

    statements: tuple[Statement, ...] = ()
    _by_shingle: dict[int, list[int]] = field(default_factory=dict, compare=False, repr=False)
    # The longest words of each statement, one more than it can spare: a text that repeats it has one of them.
    _by_word: dict[bytes, list[int]] = field(default_factory=dict, compare=False, repr=False)
    _words: frozenset[bytes] = field(default=frozenset(), compare=False, repr=False)
    _foreign: bool = False

    @classmethod
    def of(cls, files: Iterable[tuple[str, str]]) -> Instructions:
        """From (absolute path, text) of each file."""
        statements: list[Statement] = []
        for path, text in files:
            for number, line in enumerate(text.splitlines()):
                plain = _MARKS.sub("", line.strip()).strip()
                if plain.startswith(("#", "|", "@", "<!--")) or not plain:
                    continue
                statement = Statement.of(path, number, plain)
                if len(statement.shingles) >= _MIN_WORDS_LATIN - 2:
                    statements.append(statement)
        by_shingle: dict[int, list[int]] = {}
        by_word: dict[bytes, list[int]] = {}
        for i, statement in enumerate(statements):
            for value in statement.shingles:
                by_shingle.setdefault(value, []).append(i)
            for word in sorted(statement.words, key=lambda w: (-len(w), w))[: statement.spare + 1]:
                by_word.setdefault(word, []).append(i)
        foreign = any(len(s.words) <= s.spare for s in statements)
        return cls(tuple(statements), by_shingle, by_word, frozenset(by_word), foreign)

    def __bool__(self) -> bool:
        return bool(self.statements)

    def may_be_in(self, words: frozenset[bytes]) -> bool:
        """Whether a text of these words may repeat a statement; cheap, and false for most texts."""
        if self._foreign:
            return True
        wanted = {i for word in self._words & words for i in self._by_word[word]}
        return any(len(s.words - words) <= s.spare for s in map(self.statements.__getitem__, wanted))

    def repeated_in(self, text: str) -> list[tuple[Statement, float]]:
        """Statements that `text` repeats, with the part of each that it contains, the most complete first."""
        found = self.contained(shingles(text))
        return sorted(found, key=lambda p: (-p[1], p[0].path, p[0].line))

    def contained(self, found: set[int]) -> list[tuple[Statement, float]]:
        """Statements of whose shingles enough are `found`, with the part."""
        table = self._by_shingle
        shared = Counter(i for value in found if value in table for i in table[value])
        parts = ((self.statements[i], n / len(self.statements[i].shingles)) for i, n in shared.items())
        return [pair for pair in parts if pair[1] >= SHARE]
