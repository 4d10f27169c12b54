"""Lines, positions and edits over text held as code points.

The only place that knows about position encodings. A line ends at LF, CRLF or CR (LSP's rule); form feeds and
Unicode separators are ordinary characters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Literal, TypeAlias

from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Span

Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]
BOM = "\ufeff"
_STRAY = lazy("[\ud800-\udc7f\udd00-\udfff]")
_SURROGATE = lazy("[\ud800-\udfff]")
_EOL = lazy(r"\r\n|\n|\r")


class LineIndex:
    """Offsets of line starts of one text, and the conversion between offsets and editor positions."""

    __slots__ = ("_ascii", "_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        if "\r" in text:
            starts = [0, *(m.end() for m in _EOL.finditer(text))]
        else:
            lengths = [len(line) + 1 for line in text.split("\n")]
            lengths.pop()
            starts = list(accumulate(lengths, initial=0))
        self._starts = starts

    @property
    def count(self) -> int:
        """Number of lines; text that ends with a line break has an empty last line."""
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """0-based line that holds `offset`."""
        return bisect_right(self._starts, offset) - 1

    def start(self, line: int) -> int:
        """Offset of the first code point of `line`; the end of the text for lines past the last."""
        return self._starts[line] if line < len(self._starts) else len(self._text)

    def span(self, line: int, *, with_break: bool = False) -> Span:
        """The code points of `line`, without or with its line break."""
        start, end = self.start(line), self.start(line + 1)
        if not with_break:
            while end > start and self._text[end - 1] in "\r\n":
                end -= 1
        return Span(start, end)

    def line(self, line: int) -> str:
        """Text of `line` without its line break."""
        span = self.span(line)
        return self._text[span.start : span.end]

    def position(self, offset: int, encoding: Encoding = "utf-16") -> tuple[int, int]:
        """(line, character) of `offset` (clamped to the text) in the units of `encoding`."""
        offset = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        if self._ascii or encoding == "utf-32":
            return line, offset - start
        return line, units(self._text[start:offset], encoding)

    def offset(self, line: int, character: int, encoding: Encoding = "utf-16") -> int:
        """Offset of an editor position; positions past a line's end clamp to it, past the text to its end."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self._text)
        span = self.span(line)
        if self._ascii or encoding == "utf-32":
            return min(span.start + max(character, 0), span.end)
        left, pos = character, span.start
        while left > 0 and pos < span.end:
            left -= units(self._text[pos], encoding)
            if left < 0:  # inside a surrogate pair or a multi-byte character: stay before it
                break
            pos += 1
        return pos


def units(text: str, encoding: Encoding = "utf-16") -> int:
    """Length of `text` in the code units of `encoding`. Lone surrogates count as one UTF-16 unit."""
    if text.isascii() or encoding == "utf-32":
        return len(text)
    if encoding == "utf-16":
        return len(text) + sum(c > "\uffff" for c in text)
    return len(text.encode("utf-8", "surrogatepass"))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with non-overlapping `edits` applied, all spans meaning the original text.

    Raises ValueError when two edits overlap or a span lies outside the text: a wrong edit must never be guessed at.
    Insertions at one place keep their order.
    """
    parts: list[str] = []
    pos = 0
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        start, end = edit.span.start, edit.span.end
        if start < pos or end < start or end > len(text):
            raise ValueError(f"edit {edit.span} overlaps another one or lies outside the text of {len(text)}")
        parts.append(text[pos:start])
        parts.append(edit.text)
        pos = end
    parts.append(text[pos:])
    return "".join(parts)


def decode(content: bytes) -> tuple[str, bool]:
    """(text without byte-order mark, whether there was one). Undecodable bytes become lone surrogates."""
    bom = content.startswith(b"\xef\xbb\xbf")
    return (content[3:] if bom else content).decode("utf-8", "surrogateescape"), bom


def encode(text: str, bom: bool = False) -> bytes:
    """Inverse of `decode`: gives back the same bytes, also for files that are not UTF-8.

    Surrogates that stand for no byte (an editor's buffer can hold them) become U+FFFD.
    """
    try:
        content = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        content = _STRAY.sub("\ufffd", text).encode("utf-8", "surrogateescape")
    return b"\xef\xbb\xbf" + content if bom else content


def printable(text: str) -> str:
    """`text` without lone surrogates (bytes that could not be decoded), for use in another file or a message."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
