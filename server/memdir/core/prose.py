"""What a memory's body says in prose: its first sentence, its first lines, its words."""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.model import Span

_STOP = lazy(r"(?<=[.!?])\s|(?<=[。！？])")
_MARKS = lazy(r"(?:\*\*|__|`|^[>\s]*[-*+]\s+|^\s*\d+[.)]\s+)")
_LINK = lazy(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_WIKI = lazy(r"\[\[([^\]|\n]+)(?:\|[^\]\n]*)?\]\]")


_MAX_LINE = 2_000  # code points of a line that are looked at: unclosed brackets cost their square


def plain(line: str) -> str:
    """A line without Markdown marks: links give their text, emphasis and bullets vanish."""
    line = line[:_MAX_LINE]
    return _MARKS.sub("", _WIKI.sub(r"\1", _LINK.sub(r"\1", line))).strip()


def first_sentence(document: Document, limit: int = 200) -> str:
    """The first prose sentence of the body as plain text, at most `limit` characters (cut at a word)."""
    from memdir.core.secrets import scan

    code = document.markdown.code
    for number in range(document.lines.line_of(document.body_start), document.lines.count):
        span = document.lines.span(number)
        line = document.text[span.start : span.end].strip()
        if not line or line.startswith(("#", "|", "<!--", "```", "~~~", "---", "===")):
            continue
        if any(c.kind != "span" and span.start in c.span for c in code):
            continue
        text = _STOP.split(plain(line), maxsplit=1)[0].strip()
        if text and not scan(
            text
        ):  # a sentence with a credential must not be copied into a header or a title
            return shorten(text, limit)
    return ""


def shorten(text: str, limit: int) -> str:
    """`text` cut to `limit` characters at a blank, with an ellipsis when something was cut."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    blank = cut.rfind(" ")
    if blank > limit // 2:
        cut = cut[:blank]
    return cut.rstrip(" ,;:–—-") + "…"


def first_line(document: Document) -> Span:
    """The first line of the body that holds text (the header's first line when there is none)."""
    text, at = document.text, document.body_start
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return document.lines.span(document.lines.line_of(at) if at < len(text) else 0)
