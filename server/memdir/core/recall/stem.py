"""Light stemming: endings that change with grammar and not with meaning.

Deliberately weaker than Porter: a wrong merge costs precision, a missed one is often saved by another word. English
endings for Latin words, the commonest inflections for Cyrillic. Words come in folded.
"""

from __future__ import annotations

import re
from functools import lru_cache


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_VOWEL = re.compile(r"[aeiouy]")
_RU = _words(
    "иями ями ами ией иях ого его ому ему ыми ими ать ять ить еть ешь ишь ает яет уют ают ах ях ов ев ей ой ий ый "
    "ая яя ое ее ые ие ую юю ом ем ам ям ых их ть ет ит ут ют ат ят ла ло ли а я о е ы и у ю ь"
)


def _undouble(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeioulsz":
        return word[:-1]
    return word


def _english(word: str) -> str:
    n = len(word)
    if word.endswith("ies") and n > 4:
        word = word[:-3] + "y"
    elif (word.endswith(("sses", "shes", "ches", "xes", "zes")) and n > 5) or (
        word.endswith(("ungen", "heiten", "keiten", "ionen")) and n > 7
    ):
        word = word[:-2]
    elif word.endswith("s") and n > 3 and word[-2] not in "suia":
        word = word[:-1]
    for suffix, keep in (("ations", 4), ("ation", 4), ("ments", 4), ("ment", 4), ("ions", 4), ("ion", 4), ("ing", 3), ("ed", 3), ("ers", 4), ("er", 4), ("ors", 4), ("or", 4), ("ly", 4)):  # fmt: skip
        if word.endswith(suffix) and len(word) - len(suffix) >= keep:
            root = word[: -len(suffix)]
            if suffix in ("ing", "ed") and not _VOWEL.search(root):
                continue
            if suffix in ("ion", "ions") and root[-1] not in "ts":
                continue
            word = root + "at" if suffix in ("ation", "ations") else _undouble(root)
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    elif len(word) > 3 and word.endswith("y"):
        word = word[:-1] + "i"
    return word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a folded word; words with digits and short ones come back as they are."""
    if len(word) < 4 or not word.isalpha():
        return word
    if word.isascii():
        return _english(word)
    if "\u0400" <= word[0] <= "\u04ff":
        for suffix in _RU:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                return word[: -len(suffix)]
    return word
