"""Which languages a text may hold dates of, decided cheaply: most texts hold none, and every keystroke asks.

Scripts tell Chinese, Japanese and Korean. Languages in Latin letters are told by their frequent words; one counts only
if one of its anchor words occurs. The text is cut into words as UTF-8 bytes, which is several times faster than with a
regular expression: 1.5 KB take about 15 microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import import_module

from memdir.core.dates.grammar import Grammar
from memdir.core.dates.patterns import anchor_words
from memdir.core.dates.table import Language
from memdir.core.lazy_re import lazy

_BY_SCRIPT = ("zh", "ja", "ko")  # told by their characters; the others have blanks between words
# A new language: one file `<code>.py` with LANGUAGE, and its code here.
LANGUAGES = ("en", "zh", "ja", "ko", "de", "fr", "es")

_CJK = lazy(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
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

# Lower-cases ASCII letters, keeps bytes of non-ASCII letters, blanks the rest. E2 and 80, 93, 94, 98, 99, 9C, 9D are the
# bytes of dashes and typographic quotes; where they belong to a capital letter (Ü), words and anchors are cut alike.
_TABLE = bytes(
    b + 32
    if 65 <= b <= 90
    else b
    if 97 <= b <= 122 or (b >= 0x80 and b not in b"\xe2\x80\x93\x94\x98\x99\x9c\x9d")
    else 32
    for b in range(256)
)


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


def _tokens(text: str) -> list[bytes]:
    return text.encode("utf-8", "surrogatepass").translate(_TABLE).split()


@lru_cache(maxsize=1)
def _latin() -> tuple[tuple[str, frozenset[bytes], frozenset[bytes]], ...]:
    """(code, anchor words, common words) of every language with blanks between words."""
    found = []
    for code in LANGUAGES:
        if code not in _BY_SCRIPT:
            table = language(code)
            words = anchor_words(table)
            forms = [form for w in words for form in (w, w.capitalize(), w.upper())]
            found.append(
                (code, frozenset(_tokens(" ".join(forms))), frozenset(_tokens(" ".join(table.common))))
            )
    return tuple(found)


def candidates(text: str) -> tuple[str, ...]:
    """Codes of the languages whose grammar is worth running on `text`, the most likely first."""
    found: list[str] = []
    if not text.isascii() and _CJK.search(text):
        found = [code for code in _by_script(text) if grammar(code).patterns.anchor.search(text)]
        text = _CJK_RUN.sub(" ", text)  # letters stand right beside Han: cut words there
    words = set(_tokens(text))
    anchored = [code for code, anchors, _ in _latin() if not anchors.isdisjoint(words)]
    if anchored:
        scores = _scores(words)
        best = max(scores.values())
        anchored = [code for code in anchored if scores[code] or best < 3]
        found += sorted(anchored, key=lambda code: -scores[code])
    return tuple(found)


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


def _scores(words: Iterable[bytes]) -> dict[str, int]:
    """How many of each language's common words occur."""
    present = set(words)
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
                self._whole = _scores(_tokens(self._text))
            scores = self._whole
        return scores[code] == max(scores.values())

    def _paragraph(self, offset: int) -> dict[str, int]:
        start, end = self._line(offset)
        scores = self._cache.get((start, end))
        if scores is None:
            part = _CJK_RUN.sub(" ", self._text[start:end])
            scores = self._cache[start, end] = _scores(_tokens(part))
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
