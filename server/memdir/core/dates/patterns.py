"""Finding: the patterns of a language as regular expressions, and the stretches of a text in which they are tried.

A table's rules are compiled in parts, by the words that anchor them (units, days, weekdays ...), each when such a word
first occurs: most texts need one or two, and a part costs a few milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from memdir.core.dates.anchors import keys_of
from memdir.core.dates.table import Language
from memdir.core.lazy_re import lazy
from memdir.core.words import look

_SLOT = lazy(r"\{(\w+)\}")
_WORD_TAIL = lazy(r"[^\W_]+$")
# Reach of a pattern to either side of an anchor; the longest phrases have about 45 letters, 12 Han or kana.
_REACH, _CJK_REACH = (70, 60), (18, 16)
_EDGE = 4  # what `right_edge` looks at behind a match
# Slots whose words can be told apart from ordinary ones; "n" and "which" never come without one of them.
_ANCHORING = ("day", "unit", "weekday", "month", "period")


class Found(NamedTuple):
    """A match of rule number `rule`; `slots` are the slots of its pattern with their text."""

    start: int
    rule: int
    end: int
    slots: tuple[tuple[str, str], ...]


class Part:
    """Rules that share their anchor words."""

    def __init__(self, language: Language, indices: list[int], key: str) -> None:
        self._language = language
        self._indices = indices
        # Every match ends with its anchor: plain words do, and patterns that are nothing but the slot.
        self.ends = key == "" or all(language.rules[i].pattern == "{" + key + "}" for i in indices)
        self._groups: dict[int, tuple[tuple[str, int], ...]] = {}

    def search(self, text: str, start: int, end: int) -> Iterator[Found]:
        for match in self._pattern.finditer(text, start, end):
            name = match.lastgroup
            assert name is not None  # every alternative is a named group
            index = int(name[1:])
            slots = tuple((s, t) for s, group in self._groups[index] if (t := match[group]) is not None)
            yield Found(match.start(), index, match.end(), slots)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        language = self._language
        group = 0
        alternatives = []
        for index in self._indices:
            group += 1  # the rule's own group
            used: list[tuple[str, int]] = []

            def expand(slot: re.Match[str], used: list[tuple[str, int]] = used, base: int = group) -> str:
                used.append((slot[1], base + len(used) + 1))
                return f"({_alternatives(language, slot[1])})"

            expression = _SLOT.sub(expand, language.rules[index].pattern.replace(" ", language.space))
            group += len(used)
            self._groups[index] = tuple(used)
            alternatives.append(f"(?P<r{index}>{expression})")
        return re.compile(language.left_edge + "(?:" + "|".join(alternatives) + ")" + language.right_edge)


class Patterns:
    """All parts of a language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def fold(self, text: str) -> str:
        """`text` in the form that patterns are written for, character by character: lower case, one script."""
        folded = text.lower()
        if len(folded) != len(text):  # U+0130 alone becomes two characters
            folded = "".join(lower if len(lower := c.lower()) == 1 else c for c in text)
        return folded.translate(self._language.fold) if self._language.fold else folded

    @cached_property
    def anchor(self) -> re.Pattern[str]:
        """An expression that every hit contains, cheap to look for; for languages without blanks it fits unfolded text."""
        language = self._language
        if language.anchors:
            return re.compile(_widen(language.anchors, language.fold))
        words = "|".join(sorted(map(re.escape, anchor_words(language)), key=len, reverse=True))
        return re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])")

    def search(self, folded: str, words: Collection[bytes] | None = None) -> list[Found]:
        """Matches in folded text, in order; where several overlap, the first one and of these the earlier rule.

        `words`: those of the text, or of one that it is part of (`memdir.core.words.look`), when they are known.
        """
        found = [
            f for part, start, end in self._windows(folded, words) for f in part.search(folded, start, end)
        ]
        found.sort()
        kept: list[Found] = []
        for match in found:
            if not kept or match.start >= kept[-1].end:
                kept.append(match)
        return kept

    def _windows(self, text: str, words: Collection[bytes] | None) -> Iterator[tuple[Part, int, int]]:
        """Stretches around the anchors of each part, merged."""
        before, after = _CJK_REACH if self._language.anchors else _REACH
        length = len(text)
        open_windows: dict[int, list[int]] = {}
        for start, end, word in self._anchors(text, words):
            for number in self._parts_of(word):
                reach = _EDGE if self._parts[number].ends else after
                first, last = max(start - before, 0), min(end + reach, length)
                window = open_windows.get(number)
                if window is not None and first <= window[1]:
                    window[1] = last
                    continue
                if window is not None:
                    yield self._parts[number], window[0], window[1]
                open_windows[number] = [first, last]
        for number, (first, last) in open_windows.items():
            yield self._parts[number], first, last

    def _anchors(self, text: str, words: Collection[bytes] | None) -> list[tuple[int, int, str]]:
        """(start, end, word) of the anchors in `text`, in order."""
        if self._language.anchors:
            return [(m.start(), m.end(), m[0]) for m in self.anchor.finditer(text)]
        if words is None:
            words = look(text).words
        length, found = len(text), []
        for word in {word for key in self._by_key.keys() & words for word in self._by_key[key]}:
            at = text.find(word)
            while at >= 0:
                end = at + len(word)
                if not (at and text[at - 1].isalnum()) and not (end < length and text[end].isalnum()):
                    found.append((at, end, word))
                at = text.find(word, end)
        found.sort()
        return found

    @cached_property
    def _by_key(self) -> dict[bytes, list[str]]:
        """Words as `look` cuts them, in every way they may be written -> anchors."""
        found: dict[bytes, list[str]] = {}
        for word in anchor_words(self._language):
            for key in keys_of(word):
                found.setdefault(key, []).append(word)
        return found

    @cached_property
    def _parts(self) -> list[Part]:
        return [Part(self._language, indices, key) for key, indices in _grouped(self._language).items()]

    @cached_property
    def _by_word(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for number, key in enumerate(_grouped(self._language)):
            for word in _words_of(self._language, key):
                found.setdefault(word, []).append(number)
        return {word: tuple(numbers) for word, numbers in found.items()}

    def _parts_of(self, word: str) -> tuple[int, ...]:
        return (0,) if self._language.anchors else self._by_word[word]


def _grouped(language: Language) -> dict[str, list[int]]:
    """Indices of the rules by their anchoring slot ("" for plain words); all in one for languages without blanks."""
    if language.anchors:
        return {"all": list(range(len(language.rules)))}
    groups: dict[str, list[int]] = {}
    for index, rule in enumerate(language.rules):
        key = next((slot for slot in _ANCHORING if "{" + slot + "}" in rule.pattern), "")
        groups.setdefault(key, []).append(index)
    return groups


def _words_of(language: Language, key: str) -> set[str]:
    """Anchor words of a group: the last word of every phrase of its slot, or of its plain patterns."""
    if key:
        phrases = list(language.slots.get(key, ()))
    else:
        phrases = [
            p.strip() for i in _grouped(language).get("", ()) for p in language.rules[i].pattern.split("|")
        ]
    words: set[str] = set()
    for phrase in phrases:
        tail = _WORD_TAIL.search(phrase)
        if tail is None:
            raise ValueError(
                f"{language.code}: no anchor in {phrase!r}; patterns without slots are words joined by |"
            )
        words.add(tail[0])
    return words


def anchor_words(language: Language) -> set[str]:
    """Words (lower case) of which every hit of a language with blanks contains one."""
    return set().union(*(_words_of(language, key) for key in _grouped(language)))


def _alternatives(language: Language, slot: str) -> str:
    """The words of a slot as an expression, longest first."""
    if slot == "dom":
        return r"\d{1,2}"
    words = sorted(language.slots.get(slot, ()), key=len, reverse=True)
    parts = [re.escape(w).replace(r"\ ", language.space).replace("'", "['’]") for w in words]
    if slot == "n":
        parts.insert(0, r"\d{1,3}(?:[.,]5|\s?(?:-|–|~|〜|～|、)\s?\d{1,3})?(?!\d)")
        if language.numerals:
            parts.append(f"[{language.numerals}]{{1,4}}")
    return "|".join(parts)


def _widen(expression: str, fold: Mapping[int, int]) -> str:
    """`expression` with every character followed by the ones that fold to it, so that it fits text before folding."""
    variants: dict[str, str] = {}
    for variant, character in fold.items():
        variants[chr(character)] = variants.get(chr(character), "") + chr(variant)
    parts: list[str] = []
    in_class = False
    for c in expression:
        in_class = c == "[" or (in_class and c != "]")
        more = variants.get(c, "")
        parts.append(c if not more else c + more if in_class else f"[{c}{more}]")
    return "".join(parts)
