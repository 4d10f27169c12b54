"""What a repository's instruction files say, so that a memory that repeats them can be found.

CLAUDE.md and rule files load in every session; a memory that says the same costs a second reading and goes stale apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from memdir.core.similarity import shingles

_MARKS = re.compile(r"^(?:[-*+>]|\d+[.)])\s+|\*\*|__|`")
_MIN_WORDS_LATIN = 5  # "Run the tests." repeats without being a duplicate
# Part of an instruction's word triples that the memory must contain. Half a sentence in common is coincidence in prose.
SHARE = 0.7


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of an instruction file: `line` counts from 0."""

    path: str
    line: int
    text: str
    shingles: frozenset[int]


@dataclass(frozen=True, slots=True)
class Instructions:
    """Statements of all instruction files of a repository, found by what they say."""

    statements: tuple[Statement, ...] = ()
    _by_shingle: dict[int, list[int]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, files: Iterable[tuple[str, str]]) -> Instructions:
        """From (absolute path, text) of each file."""
        statements: list[Statement] = []
        for path, text in files:
            for number, line in enumerate(text.splitlines()):
                plain = _MARKS.sub("", line.strip()).strip()
                if plain.startswith(("#", "|", "@", "<!--")) or not plain:
                    continue
                found = shingles(plain)
                if len(found) >= _MIN_WORDS_LATIN - 2:
                    statements.append(Statement(path, number, plain, frozenset(found)))
        table: dict[int, list[int]] = {}
        for i, statement in enumerate(statements):
            for value in statement.shingles:
                table.setdefault(value, []).append(i)
        return cls(tuple(statements), table)

    def __bool__(self) -> bool:
        return bool(self.statements)

    def may_be_in(self, text: str) -> bool:
        """Enough of some statement stands in `text` to look at its lines one by one (cheap, errs on the side of yes)."""
        return len(self._by_shingle.keys() & shingles(text)) >= _MIN_WORDS_LATIN - 3

    def repeated_in(self, text: str) -> list[tuple[Statement, float]]:
        """Statements that `text` repeats, with the part of each that it contains, the most complete first."""
        if not self.statements:
            return []
        shared: dict[int, int] = {}
        for value in shingles(text):
            for i in self._by_shingle.get(value, ()):
                shared[i] = shared.get(i, 0) + 1
        found = [(self.statements[i], n / len(self.statements[i].shingles)) for i, n in shared.items()]
        return sorted((p for p in found if p[1] >= SHARE), key=lambda p: (-p[1], p[0].path, p[0].line))
