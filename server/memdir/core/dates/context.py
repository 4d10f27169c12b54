"""What stands around a hit: its sentence, whether it begins one, and whether a date is written beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memdir.core.lazy_re import lazy

REACH = 200  # code points looked at on either side; sentences of memories are shorter

# One set of characters first, so that the engine skips to the next of them.
_BREAK = lazy(
    r"[.!?。！？；;\n|](?:(?<=[.!?])(?=[\s\"')\]*_])|(?<=[。！？；;|])"
    r"|(?<=\n)[ \t]*(?:(?=\n)|(?:[-*+>|]|#{1,6}|\d{1,3}[.)])(?=\s)))"
)
_MARKS = lazy(r"^(?:[-*+>#|\s_]|\d{1,3}[.)]\s|\[[ xX]\])*")
_OPENED = lazy(r"[:：(（\[—–\-,，、~*_]\W{0,4}$")

# ISO-like dates, and the CJK and Korean forms; languages add those with month names.
NUMERIC_DATE = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}\s?[年년]\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日号號일])?"
    r"|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}\s?[月월]\s?\d{1,2}\s?[日号號일])"
)


@dataclass(frozen=True, slots=True)
class Context:
    """`left` and `right`: the sentence before and after the hit, as far as REACH; `starts`: the hit begins a sentence or
    follows a label such as "Deadline:"; `line`: the start of the hit's line."""

    left: str
    right: str
    starts: bool
    line: str


def around(text: str, start: int, end: int) -> Context:
    """Context of text[start:end]."""
    before = text[max(0, start - REACH) : start]
    after = text[end : end + REACH]
    cut = 0
    for found in _BREAK.finditer(before):
        cut = found.end()
    left = before[cut:]
    stop = _BREAK.search(after)
    bare = _MARKS.sub("", left)
    return Context(
        left=left,
        right=after[: stop.start()] if stop else after,
        starts=not bare.strip(" \t\n*_") or bool(_OPENED.search(bare[-8:])),
        line=before[before.rfind("\n") + 1 :],
    )


class DateBeside:
    """Tells whether a date written out beside a hit, or at the head of its line or sentence, already resolves it."""

    __slots__ = ("_after", "_before", "_head", "_label", "_of")

    def __init__(self, dates: str, as_of: str) -> None:
        date = f"(?:{NUMERIC_DATE}|{dates})" if dates else NUMERIC_DATE
        gap = r"[\s,(（\[=:：、*_–—\-→]{0,5}"
        self._after = re.compile(rf"\s?{gap}(?:on |the |of |am |vom |le |du |el |del )?{date}")
        self._before = re.compile(rf"{date}{gap}$")
        self._head = re.compile(rf"\s*(?:[-*+]\s+|\d{{1,3}}[.)]\s+|\|\s*)?[\s*_\[(（]{{0,4}}{date}")
        self._label = re.compile(
            rf"[\s\-*+_\[(]{{0,6}}(?:[^\W\d_]{{1,14}}\s){{0,4}}[(\[]?{date}[)\]*_]{{0,4}}\s?[:：]"
        )
        self._of = re.compile(as_of.replace("{date}", date)) if as_of else None

    def __call__(self, context: Context) -> bool:
        return bool(
            self._after.match(context.right)
            or self._before.search(context.left)
            or self._head.match(context.line)
            or self._label.match(context.left)
            or (self._of and (self._of.search(context.left) or self._of.search(context.right)))
        )
