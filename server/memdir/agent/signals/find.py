"""Looks through what a person said, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal, TypeAlias

from memdir.agent.signals import words
from memdir.core.dates import find as find_dates

SignalKind: TypeAlias = Literal["remember", "correction", "confirmation", "deadline", "place"]

MAX_TEXT = 8_000  # characters: longer messages are pasted
MAX_SENTENCE = 500
_MIN_LETTERS = 4  # a CJK sentence says something with four
_MAX_PER_MESSAGE = 4
# Which type of memory such a sentence usually becomes.
TYPE_OF: Mapping[SignalKind, str] = {
    "remember": "project",
    "correction": "feedback",
    "confirmation": "feedback",
    "deadline": "project",
    "place": "reference",
}
_SAID: tuple[SignalKind, ...] = (
    "remember",
    "correction",
    "confirmation",
)  # told by words alone, strongest first
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.S | re.M)
_CODE = re.compile(r"`[^`\n]*`")
_SENTENCE = re.compile(r"[^\n.!?。！？]+(?:[.!?](?=\S)[^\n.!?。！？]+)*[.!?。！？]*")
_URL = re.compile(r"https?://[^\s<>()\"'`]+")
_DAY = re.compile(r"(?<!\d)20\d\d-\d\d?-\d\d?(?!\d)|20\d\d\s?年\s?\d{1,2}\s?月")
_QUESTION = re.compile(r"[?？]\s*$|[吗嗎]\s*[。.]?\s*$")
_PASTED = re.compile(
    r"^\s*(?:[>|+#$]|[-+]{3}|@@|at \S+\(|File \"|Traceback|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:|\[?(?:INFO|WARN|ERROR|DEBUG)\b|\{|<[\w/])"
)


@dataclass(frozen=True, slots=True)
class Signal:
    """A sentence, why it counts, and the type of memory it may become."""

    kind: SignalKind
    quote: str
    type: str


def find_signals(text: str, said: date) -> list[Signal]:
    """Signals in what a person said on the day `said`: each sentence once, of its strongest kind, at most four."""
    if len(text) > MAX_TEXT:
        text = text[: MAX_TEXT // 2]
    found: list[Signal] = []
    for sentence in _sentences(text):
        kind = _kind(sentence, said)
        if kind is not None and all(s.quote != sentence for s in found):
            found.append(Signal(kind, sentence, TYPE_OF[kind]))
    order = list(TYPE_OF)
    best = sorted(found, key=lambda s: order.index(s.kind))[:_MAX_PER_MESSAGE]
    return [s for s in found if s in best]


def _sentences(text: str) -> Iterator[str]:
    text = _FENCE.sub("\n", text)
    for line in text.splitlines():
        if _PASTED.match(line) or len(line) > 2_000:
            continue
        masked = _URL.sub(lambda m: "u" * len(m[0]), line)  # dots of an address end no sentence
        start: int | None = None
        for m in _SENTENCE.finditer(masked):
            start = m.start() if start is None else start
            sentence = line[start : m.end()].strip(" \t-*")
            if sum(c.isalnum() for c in line[m.start() : m.end()]) < _MIN_LETTERS and m.end() < len(
                line.rstrip()
            ):
                continue  # "No." goes with what follows it
            start = None
            if sum(c.isalnum() for c in sentence) >= _MIN_LETTERS and len(sentence) <= MAX_SENTENCE:
                yield sentence


def _kind(sentence: str, said: date) -> SignalKind | None:
    folded = _CODE.sub("", sentence).casefold().replace("’", "'")
    question = bool(_QUESTION.search(sentence))
    if not question:
        for kind in _SAID:
            if any(p.search(folded) for p in _compiled(kind)):
                return kind
        if _is_deadline(sentence, folded, said):
            return "deadline"
    if _is_place(sentence, folded):
        return "place"
    return None


def _is_deadline(sentence: str, folded: str, said: date) -> bool:
    """A day to come, and a word that makes it matter."""
    if not any(p.search(folded) for p in _compiled("deadline")):
        return False
    if _DAY.search(sentence):
        return True
    return any(
        hit.latest is not None
        and hit.latest >= said
        and hit.period in ("day", "week", "month", "quarter", "weekend")
        for hit in find_dates(sentence, said)
    )


def _is_place(sentence: str, folded: str) -> bool:
    urls = _URL.findall(sentence)
    if not urls:
        return False
    places = _compiled("place")
    return any(places[0].search(u.casefold()) for u in urls) or bool(places[1].search(folded))


@cache
def _compiled(kind: str) -> tuple[re.Pattern[str], ...]:
    if kind == "place":
        return re.compile(words.PLACES), re.compile(words.PLACE_WORDS)
    tables = {
        "remember": words.REMEMBER,
        "correction": words.CORRECTION,
        "confirmation": words.CONFIRMATION,
        "deadline": words.DEADLINE,
    }
    return tuple(re.compile(pattern) for pattern in tables[kind].values())
