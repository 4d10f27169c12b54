"""Which languages a text may hold dates of, decided cheaply: most texts hold none, and every keystroke asks.

Scripts tell Chinese, Japanese and Korean. Languages in Latin letters are told by their frequent words; one counts only
if one of its anchor words occurs. The text is cut into words by `memdir.core.words`, once for all rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import import_module

from memdir.core.dates.anchors import ANCHORS, CJK, COMMON, keys_of
from memdir.core.dates.grammar import Grammar
from memdir.core.dates.table import Language
from memdir.core.lazy_re import lazy
from memdir.core.words import cut, look

# A new language: one file `<code>.py` with LANGUAGE, and its code here.
LANGUAGES = ("en", "zh", "ja", "ko", "de", "fr", "es")

_CJK_RUN = lazy(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+")
_KANA = lazy(r"[\u3040-\u30ff]")
_HAN = lazy(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_HANGUL = lazy(r"[\uac00-\ud7a3]")
_KANA_SHARE = (
    0.08  # kana among Han and kana; Japanese prose has about a half, Chinese with a quoted name less than 5 %
)

_KANA_FREE = 10
_REACH = 600
_CHINESE = lazy("[们們这這么麼吗嗎呢吧没沒让讓给給说說从從样樣还還会會你您她很也]")


@cache
def language(code: str) -> Language:
    """The table of a language. Raises ValueError for an unknown code."""
    if code not in LANGUAGES:
        raise ValueError(f"no date table for {code!r}; there are {', '.join(LANGUAGES)}")
    found: Language = import_module(f"memdir.core.dates.{code}").LANGUAGE
    return found


@cache
def grammar(code: str) -> Grammar:
    """The grammar of a language; its expressions compile when it is first used."""
    return Grammar(language(code))


@lru_cache(maxsize=1)
def _latin() -> tuple[tuple[str, frozenset[bytes], frozenset[bytes]], ...]:
    """(code, anchor words, common words) of every language with blanks between words."""
    return tuple(
        (
            code,
            frozenset(key for word in anchors.split() for key in keys_of(word)),
            frozenset(cut(" ".join(COMMON[code]))),
        )
        for code, anchors in ANCHORS.items()
    )


def candidates(text: str, words: frozenset[bytes] | None = None) -> tuple[str, ...]:
    """Codes of the languages whose grammar is worth running on `text`, the most likely first.

    `words` are those of the document that `text` is the greater part of, when somebody has cut them already.
    """
    found: list[str] = []
    if not text.isascii() and CJK.search(text):
        found = [code for code in _by_script(text) if grammar(code).patterns.anchor.search(text)]
    present = look(text).words if words is None else words
    anchored = [code for code, anchors, _ in _latin() if not anchors.isdisjoint(present)]
    if anchored:
        scores = _scores(present)
        best = max(scores, key=lambda code: scores[code])
        # `Judge` would refuse whatever is found in a language without any word where another one has several.
        if not all(scores[code] for code in anchored) and (words is None or _is_prose(text, best)):
            anchored = [code for code in anchored if scores[code] or scores[best] < _SEVERAL]
        found += sorted(anchored, key=lambda code: -scores[code])
    return tuple(found)


_SEVERAL = 3  # common words that make a text one of their language


def _is_prose(text: str, code: str) -> bool:
    """Several common words of the language stand in `text` itself, between blanks (errs on the side of no)."""
    seen = 0
    for word in COMMON[code]:  # the most frequent ones come first
        seen += f" {word} " in text
        if seen == _SEVERAL:
            return True
    return False


def _by_script(text: str) -> Iterable[str]:
    if _HANGUL.search(text):
        yield "ko"
    if _KANA.search(text):
        yield from ("ja", "zh") if _mostly_japanese(text) else ("zh", "ja")
    elif _HAN.search(text):
        yield "zh"


def _mostly_japanese(text: str) -> bool:
    kana = len(_KANA.findall(text))
    return kana > _KANA_SHARE * (len(_HAN.findall(text)) + kana)


def _is_japanese(line: str, otherwise: bool) -> bool:
    """Whether a line of a text with kana is Japanese. Without kana it is so only if short and like the rest of the text:
    a Japanese heading or table cell may do without, a sentence does not."""
    if _KANA.search(line):
        return _mostly_japanese(line)
    return otherwise and len(_HAN.findall(line)) < _KANA_FREE and not _CHINESE.search(line)


def _scores(present: frozenset[bytes]) -> dict[str, int]:
    """How many of each language's common words occur."""
    return {code: len(common & present) for code, _, common in _latin()}


class Judge:
    """Says whether a passage of `text` is in a given language: its own paragraph decides, else the whole text."""

    __slots__ = ("_cache", "_japanese", "_kana", "_text", "_whole")

    def __init__(self, text: str) -> None:
        self._text = text
        self._whole: dict[str, int] | None = None
        self._cache: dict[tuple[int, int], dict[str, int]] = {}
        self._kana: bool | None = None
        self._japanese = False

    def is_in(self, code: str, offset: int) -> bool:
        """True when no other language has more common words in the line of `offset`; Chinese and Japanese are told apart
        by kana. Always true for Korean."""
        if code in ("zh", "ja"):
            return self._is_cjk(code, offset)
        scores = self._paragraph(offset)
        if code not in scores:
            return True
        if not any(scores.values()):
            if self._whole is None:
                self._whole = _scores(frozenset(cut(self._text)))
            scores = self._whole
        return scores[code] == max(scores.values())

    def _paragraph(self, offset: int) -> dict[str, int]:
        start, end = self._line(offset)
        scores = self._cache.get((start, end))
        if scores is None:
            part = _CJK_RUN.sub(" ", self._text[start:end])
            scores = self._cache[start, end] = _scores(frozenset(cut(part)))
        return scores

    def _is_cjk(self, code: str, offset: int) -> bool:
        if self._kana is None:
            self._kana = _KANA.search(self._text) is not None
            self._japanese = self._kana and _mostly_japanese(self._text)
        if not self._kana:
            return code == "zh"
        start, end = self._line(offset)
        return _is_japanese(self._text[start:end], self._japanese) == (code == "ja")

    def _line(self, offset: int) -> tuple[int, int]:
        """The line of `offset`, as far as REACH to either side."""
        text, reach = self._text, _REACH
        start = text.rfind("\n", max(0, offset - reach), offset) + 1 or max(0, offset - reach)
        end = text.find("\n", offset, offset + reach)
        return start, min(len(text), offset + reach) if end < 0 else end
