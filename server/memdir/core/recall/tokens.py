"""From text to search terms: folded, stemmed, Chinese, Japanese and Korean in bigrams, negation kept.

`terms("never mock the DB")` gives `["mock", "!mock", "db", "!db"]`: a negated word keeps its plain term, so that a
question about mocks still finds the rule against them, and adds a marked one, so that "do not mock" is nearer to "never
mock" than to "mock everything". Total: any string gives a list.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from memdir.core.lazy_re import lazy
from memdir.core.recall.stem import stem
from memdir.core.recall.words import (
    NEGATION_AFTER_JA,
    NEGATION_AFTER_KO,
    NEGATION_BEFORE,
    NEGATION_HAN,
    NOT_NEGATION_HAN,
    STOP,
    STOP_CJK,
)

NEGATED = "!"
_SCOPE = (
    4  # terms that a negation reaches at most: "not against the staging database", not the whole sentence
)

_COMBINING = lazy("[\u0300-\u036f]")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ё": "е"})
_NT = lazy(r"n['’]t\b", re.IGNORECASE)
_CJK = r"\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_PIECE = lazy(
    rf"[cfCF]\#|[cC]\+\+|[vV]?\d+(?:\.\d+)+|[^\W_{_CJK}]+(?:-[^\W_{_CJK}]+)*|[{_CJK}]+|[.,;:!?()。，；：！？、（）\n]"
)
_PIECE_ASCII = lazy(r"[cfCF]#|[cC]\+\+|[vV]?\d+(?:\.\d+)+|[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*|[.,;:!?()\n]")
_HAS_CJK = lazy(f"[{_CJK}]")
_CAMEL = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SCRIPT = lazy(
    "(?P<han>[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)"
    "|(?P<kata>[\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f]+)"
    "|(?P<hira>[\u3040-\u309f]+)|(?P<hangul>[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]+)|(?P<other>.)",
    re.DOTALL,
)
_PARTICLES = "はがをにでとのもへや"
_HIRA_GRAMMAR = lazy(
    "から|まで|より|する|した|して|され|です|ます|まし|いる|ある|べき|だけ|など|くだ|ない|ませ|れる|なる|この|その|どの|どれ|いつ|どこ|こと|もの|ため|くらい|ぐらい|よい|いい|たい|よう|という|でき|どう|なに|なぜ|だれ"
)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_KO_ENDINGS = _words(
    """에서만 에서는 에서 으로만 으로는 으로 까지는 까지 부터 에게 한테 하고 이고 한다 해야 하지 하는 하다 하면 하며 합니다 했다 해서 해도 할까 하나요 하나
    됩니다 된다 되는 되나 입니다 이다 인가 인지 이나 마다 처럼 보다 께서 이라 라고 만은 에는 에도 은 는 이 가 을 를 에 의 도 만 로 와 과 나 야"""
)


def fold(text: str) -> str:
    """Lower case without accents; full-width forms become ordinary ones. Hangul and kana stay composed."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _COMBINING.sub("", text)).translate(_LETTERS)


def terms(text: str) -> list[str]:
    """Search terms of `text` in order, repeated as often as they occur; negated ones followed by their marked twin."""
    ascii_only = text.isascii()
    if not ascii_only:
        text = unicodedata.normalize("NFKC", text)
    if "'" in text or "’" in text:
        text = _NT.sub(" not", text)
    out: list[str] = []
    scope = 0  # how many more terms the last negation reaches
    for piece in (_PIECE_ASCII if ascii_only else _PIECE).findall(text):
        first = piece[0]
        if not first.isalnum():
            if first not in "：:":
                scope = 0
            continue
        if first > "\u0dff" and _HAS_CJK.match(first):
            _cjk(piece, out)
            scope = 0
            continue
        found = _word(piece)
        if found is None:
            scope = _SCOPE
            continue
        out += found
        if scope and found:
            out += [NEGATED + t for t in found]
            scope -= 1
    return out


@lru_cache(maxsize=16384)
def _word(piece: str) -> tuple[str, ...] | None:
    """Terms of a word: itself, the parts of a compound (`on-call`, `PagerDuty`, `python3`) and these joined.

    None for a word that turns round what follows.
    """
    folded = fold(piece)
    if folded in NEGATION_BEFORE:
        return None
    if folded.isalpha() and (piece == folded or piece.istitle() or piece.isupper()):
        return () if folded in STOP or len(folded) < 2 else (stem(folded),)
    if not folded[-1].isalnum() or "." in folded:  # c#, c++, v2.1
        return (folded.removeprefix("v"),)
    kept: list[str] = []
    parts = piece.split("-")
    for part in parts:
        word = fold(part)
        inner = _CAMEL.findall(part) if part.isascii() else ()
        if len(inner) > 1:
            kept += [stem(f) for p in inner if len(p) > 1 and p.isalpha() and (f := p.lower()) not in STOP]
        if len(word) > 1 and word not in STOP:
            kept.append(stem(word))
    if 1 < len(parts) <= 4 and len(folded) > 4:
        kept.append(stem(folded.replace("-", "")))
    return tuple(kept)


def _bigrams(run: str) -> list[str]:
    if len(run) == 1:
        return [] if run in STOP_CJK else [run]
    return [g for i in range(len(run) - 1) if (g := run[i : i + 2]) not in STOP_CJK]


def _cjk(piece: str, out: list[str]) -> None:
    """Append the terms of a run of East or South-East Asian characters to `out`."""
    last: list[str] = []
    pending = ""
    for m in _SCRIPT.finditer(piece):
        run, kind = m.group(), m.lastgroup
        if kind == "other":
            pending += run
            continue
        if pending:
            out += _bigrams(pending)
            pending = ""
        if kind == "han":
            last = _han(run, out)
        elif kind == "kata":
            last = [fold(run)]
            if len(run) > 4:  # a compound: its pieces are found by three characters
                last += [run[i : i + 3] for i in range(len(run) - 2)]
            out += last
        elif kind == "hira":
            if last and any(cue in run for cue in NEGATION_AFTER_JA):
                out += [NEGATED + t for t in last]
            last = []
            word = run.strip(_PARTICLES)
            if 2 < len(word) < 7 and not _HIRA_GRAMMAR.search(word):
                out.append(word)
        elif any(cue in run for cue in NEGATION_AFTER_KO):
            out += [NEGATED + t for t in out[-_SCOPE:] if not t.startswith(NEGATED)]
        else:
            out += _hangul(run)
    if pending:
        out += _bigrams(pending)


def _hangul(run: str) -> list[str]:
    """Bigrams of a Korean word without its particle or verb ending."""
    for ending in _KO_ENDINGS:
        if run.endswith(ending):
            root = run[: -len(ending)]
            if len(root) >= 2 or (root == "" and len(ending) > 1):
                run = root
                break
    return _bigrams(run) if run else []


def _han(run: str, out: list[str]) -> list[str]:
    """Append the bigrams of a run of Han characters; what stands behind a negation gets its marked twin too."""
    for cue in NEGATION_HAN:
        at = run.find(cue)
        if (
            at >= 0
            and run[at : at + 2] not in NOT_NEGATION_HAN
            and run[max(at - 1, 0) : at + 1] not in NOT_NEGATION_HAN
        ):
            head, tail = run[:at], run[at + len(cue) :]
            found = _bigrams(head) if head else []
            denied = _bigrams(tail) if tail else []
            out += found + denied + [NEGATED + t for t in denied]
            return denied or found
    found = _bigrams(run)
    out += found
    return found


def surfaces(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """(word as written, its terms) for every word of `text`, to show people what matched. Bigrams stand for themselves."""
    text = unicodedata.normalize("NFKC", text)
    out: list[tuple[str, tuple[str, ...]]] = []
    for piece in _PIECE.findall(text):
        if not piece[0].isalnum():
            continue
        if _HAS_CJK.match(piece[0]):
            out += [(t, (t,)) for t in terms(piece) if not t.startswith(NEGATED)]
        else:
            out.append((piece, _word(piece) or ()))
    return out


_PLAIN = lazy(r"[a-z0-9][a-z0-9']*[a-z0-9]")
_BAG_LIMIT = 4000


def bag(text: str) -> set[str]:
    """Distinct plain terms of a long text (its first 4,000 characters): no negation, no compounds; five times faster."""
    text = text[:_BAG_LIMIT]
    if not text.isascii():
        return {t for t in terms(text) if not t.startswith(NEGATED)}
    return {stem(w) for w in set(_PLAIN.findall(text.lower())) if w not in STOP}
