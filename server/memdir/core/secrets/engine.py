"""Finding credentials in prose without ever saying what they are.

A finding carries kind and place, never the value, so that no log, message or report can leak it. Cost matters, since every
file is scanned at every keystroke: long words are picked out first (prose has few), provider marks are looked for in
those only, and patterns run where a mark was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TypeAlias

from memdir.core.model import Edit, Span
from memdir.core.secrets import generic
from memdir.core.secrets.checks import entropy, is_placeholder
from memdir.core.secrets.formats import Format, compiled
from memdir.core.secrets.formats_cloud import CLOUD
from memdir.core.secrets.formats_code import CODE
from memdir.core.secrets.formats_services import MODELS, SERVICES
from memdir.core.words import look

FORMATS: tuple[Format, ...] = CODE + CLOUD + MODELS + SERVICES
LEAST = min(fmt.least for fmt in FORMATS)
_Mark: TypeAlias = tuple[bytes, int, int]  # mark, least length of a word with it, number of the format
_MARKS: tuple[_Mark, ...] = tuple(
    (keyword.encode(), fmt.least, number) for number, fmt in enumerate(FORMATS) for keyword in fmt.keywords
)
# Formats of words at least this long may have marks that say little; the others' marks are looked for all at once.
_LONG = 50
_MARKS_OF_LONG = tuple(row for row in _MARKS if row[1] >= _LONG)
_MANY = 64  # texts from which on it pays to compile all marks into one expression
_scans = count()


@cache
def _all_marks() -> tuple[re.Pattern[bytes], dict[bytes, list[_Mark]]]:
    """An expression for the marks of all formats that short words can hold, and what each of its matches may begin."""
    table: _Trie = {}
    short = [row for row in _MARKS if row[1] < _LONG]
    for mark, _, _ in short:
        node = table
        for byte in mark:
            node = node.setdefault(byte, {})
        node[_END] = {}
    pattern = re.compile(_expression(table))
    begun: dict[bytes, list[_Mark]] = {}
    for row in short:
        match = pattern.match(row[0])
        assert match is not None
        begun.setdefault(match[0], []).append(row)
    return pattern, begun


_Trie: TypeAlias = "dict[int, _Trie]"
_END = -1


def _expression(node: _Trie) -> bytes:
    if _END in node:  # a longer mark with the same beginning is found by the shorter one
        return b""
    branches = [re.escape(bytes((byte,))) + _expression(rest) for byte, rest in sorted(node.items())]
    return branches[0] if len(branches) == 1 else b"(?:" + b"|".join(branches) + b")"


# the generic kinds give way to a provider's format on the same place
_GENERIC = frozenset({"secret-value", "password", "bearer-token", "password-in-url", "basic-credentials"})


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """One place that holds a credential. `verified`: its checksum or structure proves it."""

    span: Span
    kind: str
    label: str
    verified: bool = False


def scan(text: str) -> tuple[Secret, ...]:
    """The credentials in `text`, in order and without overlaps. Total: any text gives an answer in linear time."""
    words = [word for word in look(text).raw.split() if len(word) >= LEAST]
    hits: list[Secret] = []
    if words and (wanted := _wanted(words)):
        hits += _providers(text, words, wanted)
    hits += [Secret(Span(a, b), kind, label, sure) for kind, label, a, b, sure in generic.find(text, words)]
    return _disjoint(hits) if hits else ()


def _wanted(words: list[bytes]) -> list[Format]:
    """Formats of which a mark occurs in `words`."""
    joined = b" ".join(words)
    marks: Iterable[_Mark] = _MARKS
    if next(_scans) >= _MANY:
        pattern, begun = _all_marks()
        seen, at = set(), 0
        while match := pattern.search(joined, at):
            seen.add(match[0])
            at = match.start() + 1
        marks = [*_MARKS_OF_LONG, *(row for mark in seen for row in begun[mark])]
    numbers = {
        number
        for mark, least, number in marks
        if mark in joined and any(len(word) >= least and mark in word for word in words)
    }
    return [FORMATS[number] for number in sorted(numbers)]


def _providers(text: str, words: list[bytes], wanted: list[Format]) -> Iterable[Secret]:
    spans: list[tuple[str, int]] = []
    at = 0
    for many in words:
        for word in many.decode("utf-8", "surrogatepass").split():  # bytes know blanks of ASCII only
            at = text.index(word, at)
            spans.append((word, at))
            at += len(word)
    for fmt in wanted:
        pattern = compiled(fmt)
        for word, start in spans:
            if len(word) < fmt.least or not any(mark in word for mark in fmt.keywords):
                continue
            for m in pattern.finditer(text, start, start + len(word)):
                group = "s" if fmt.pattern.find("(?P<s>") >= 0 else 0
                value = m[group]
                if value is None:
                    continue
                verdict = fmt.check(value) if fmt.check else None
                if verdict is False:
                    continue
                if verdict is None and (
                    is_placeholder(value) or (fmt.entropy and entropy(value) < fmt.entropy)
                ):
                    continue
                yield Secret(Span(*m.span(group)), fmt.kind, fmt.label, verdict is True)


def _disjoint(hits: list[Secret]) -> tuple[Secret, ...]:
    """Drop what overlaps a better hit: a provider's format before a guess, then the longer one."""
    kept: list[Secret] = []
    for hit in sorted(hits, key=lambda s: (s.kind in _GENERIC, not s.verified, -len(s.span), s.span.start)):
        if not any(hit.span.overlaps(other.span) for other in kept):
            kept.append(hit)
    return tuple(sorted(kept))


def replacement(secret: Secret) -> str:
    """What stands in a file after redaction."""
    return f"[redacted: {secret.label}]"


def redact(text: str, secrets: Iterable[Secret] | None = None) -> tuple[Edit, ...]:
    """Edits that replace each of `secrets` (default: all that `scan` finds) by a mark that names its kind."""
    found = scan(text) if secrets is None else secrets
    return tuple(Edit(s.span, replacement(s)) for s in found)


def masked(text: str) -> str:
    """`text` with every secret shown as dots, of the same length: what may be printed, logged or quoted."""
    for secret in scan(text):
        span = secret.span
        hidden = "".join(c if c in "\r\n" else "•" for c in text[span.start : span.end])
        text = text[: span.start] + hidden + text[span.end :]
    return text
