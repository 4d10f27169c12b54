"""Parts of a Markdown text whose words are not the writer's own statement about time.

Code (fences, spans), links and their titles, wikilinks, URLs, HTML tags and comments, quotations (quotation marks of all
our languages, block quotes), and sections under a heading that starts with a date: there, the heading says what
"yesterday" means. Every expression is bounded and unbounded constructs are scanned by hand, so time stays linear.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator

from memdir.core.lazy_re import lazy
from memdir.core.model import Span

_FENCE = lazy(r"^[ \t]{0,12}(?:[-*+>][ \t]{1,4})?(`{3,}|~{3,})([^\n]*)", re.M)
_HEADING = lazy(r"^#{1,6}[ \t]+(\S.{0,11})?", re.M)
_DATED = lazy(r"\W{0,3}\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}")
_LINE = r"(?:[^{0}\n]|\n(?![ \t]*\n))"  # anything but the closer, within one paragraph
# Each beside the characters it begins with. An expression for a text is made of those whose characters occur in it, and
# every one begins with a literal, so that the engine skips to the next of them instead of trying all at every place.
_INLINE: tuple[tuple[str, str], ...] = (
    ("`", r"``(?:[^`\n]|`(?!`)){1,400}``"),
    ("`", "`" + _LINE.format("`") + "{1,400}`"),
    ("[", r"\[\[[^\[\]\n]{1,300}\]\]"),
    ("[", r"\[[^\[\]\n]{0,300}\]\((?:[^()\n]|\([^()\n]{0,100}\)){0,500}\)"),
    ("[", r"\[[^\[\]\n]{1,300}\]\[[^\[\]\n]{0,100}\]"),
    (":", r"://[^\s<>，。、；）」”]{1,2000}"),
    ("<", r"</?[A-Za-z][^<>\n]{0,500}>"),
    ("<", r"<[a-z]{3,10}:[^<>\s]{1,500}>"),
    ('"', r"\"(?<!\w\")(?=\S)" + _LINE.format('"') + r'{1,300}"(?!\w)'),
    ("'", r"'(?<![\w']')(?=\S)[^'\n]{1,80}'(?![\w'])"),
    ("‘", r"‘[^‘’\n]{1,80}’(?!\w)"),
    ("“", "“" + _LINE.format("“”") + "{1,300}”"),
    ("„", "„" + _LINE.format("„“”") + "{1,300}[“”]"),
    ("«", "«" + _LINE.format("«»") + "{1,300}»"),
    ("»", "»" + _LINE.format("«»") + "{1,300}«"),
    ("‹", r"‹[^‹›\n]{1,300}›"),
    ("「", "「" + _LINE.format("「」") + "{1,300}」"),
    ("『", "『" + _LINE.format("『』") + "{1,300}』"),
    ("《", "《" + _LINE.format("《》") + "{1,300}》"),
)
_SIGNS = "".join(dict.fromkeys(sign for sign, _ in _INLINE))
_QUOTE_INDENT = 16  # characters in front of the mark of a quoted line


def hidden(text: str, *, dated_sections: bool = True) -> list[Span]:
    """The masked parts of `text`, sorted and merged; with `dated_sections`, those under headings that start with a date."""
    spans = [*_fences(text), *_comments(text), *_block_quotes(text)]
    if dated_sections:
        spans += _dated_sections(text)
    if inline := _inline("".join(sign for sign in _SIGNS if sign in text)):
        spans += [Span(m.start(), m.end()) for m in inline.finditer(text)]
    spans.sort()
    merged: list[Span] = []
    for span in spans:
        if merged and span.start <= merged[-1].end:
            if span.end > merged[-1].end:
                merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(span)
    return merged


@functools.lru_cache(256)
def _inline(signs: str) -> re.Pattern[str] | None:
    return (
        re.compile("|".join(expression for sign, expression in _INLINE if sign in signs)) if signs else None
    )


def is_hidden(spans: list[Span], span: Span) -> bool:
    """True when `span` touches one of the sorted, merged `spans`."""
    at = bisect_right(spans, span.end, key=lambda s: s.start) - 1
    return at >= 0 and (spans[at].overlaps(span) or (at > 0 and spans[at - 1].overlaps(span)))


def _fences(text: str) -> Iterator[Span]:
    """Fenced code; an unclosed fence reaches to the end."""
    position = 0
    while opened := _FENCE.search(text, position):
        mark = opened[1]
        if mark[0] == "`" and "`" in opened[2]:  # a code span in a line of its own
            position = opened.end()
            continue
        closer = re.compile(rf"^[ \t>]*{mark[0]}{{{len(mark)},}}[ \t]*\r?$", re.M).search(text, opened.end())
        position = closer.end() if closer else len(text)
        yield Span(opened.start(), position)


def _block_quotes(text: str) -> Iterator[Span]:
    """Lines that begin with `>`, in a list item too."""
    at = text.find(">")
    while at >= 0:
        start = text.rfind("\n", max(at - _QUOTE_INDENT, 0), at) + 1
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if (start or at <= _QUOTE_INDENT) and not text[start:at].strip(" \t-*+"):
            yield Span(start, end)
        at = text.find(">", end)


def _comments(text: str) -> Iterator[Span]:
    position = text.find("<!--")
    while position >= 0:
        end = text.find("-->", position + 4)
        end = len(text) if end < 0 else end + 3
        yield Span(position, end)
        position = text.find("<!--", end)


def _dated_sections(text: str) -> Iterator[Span]:
    if "#" not in text:
        return
    start: int | None = None
    for heading in _HEADING.finditer(text):
        if start is not None:
            yield Span(start, heading.start())
        start = heading.start() if heading[1] and _DATED.match(heading[1]) else None
    if start is not None:
        yield Span(start, len(text))
