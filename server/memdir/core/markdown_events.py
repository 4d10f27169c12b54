"""Structure of any Markdown, from the events of pyromark (pulldown-cmark: CommonMark with tables).

pyromark reports UTF-8 byte offsets and resolved destinations; the places of destinations are found in the source.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from dataclasses import replace
from typing import Any

from memdir.core.lazy_re import lazy
from memdir.core.markdown import WIKILINK, Code, Comment, Heading, Link, Markdown, WikiLink, atx_text
from memdir.core.model import Span

_COMMENT = lazy(r"<!--.*?(?:-->|\Z)", re.S)
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


@functools.cache
def _reader() -> Any:
    """pyromark's reader, loaded with the first body that needs it."""
    import pyromark

    return pyromark.Markdown(options=pyromark.Options.ENABLE_TABLES)


def read_events(body: str, base: int) -> Markdown:
    """Structure of `body`, spans counted from `base` before it. Never raises."""
    ascii_only = body.isascii()
    source = body if ascii_only else body.translate(_SURROGATES)
    # pulldown-cmark offsets are bytes; CR alone ends a line for it as for us
    events: list[tuple[Any, dict[str, int]]] = _reader().events_with_range(source)
    at = _Identity() if ascii_only else _Bytes(source)
    links: list[Link] = []
    headings: list[Heading] = []
    code: list[Code] = []
    comments: list[Comment] = []
    tables: list[Span] = []
    html_from = -1
    label_end: list[int] = []  # per open link: end of its label, where '](' follows
    targets: list[str] = []  # per open link: the destination as pyromark resolved it
    fence: tuple[str, int, int] | None = None  # info, first inner byte, last inner byte
    for event, where in events:
        first, last = where["start"], where["end"]
        if isinstance(event, str):
            if label_end:
                label_end[-1] = max(label_end[-1], last)
            continue
        ((kind, value),) = event.items()
        if kind == "Start":
            tag, detail = (value, None) if isinstance(value, str) else next(iter(value.items()))
            if tag in ("Link", "Image"):
                if label_end:
                    label_end[-1] = max(label_end[-1], last)
                label_end.append(first + (2 if tag == "Image" else 1))
                targets.append(str(detail["dest_url"]) if detail else "")
            elif tag == "CodeBlock":
                fence = (
                    "" if isinstance(detail, str) or detail is None else str(detail.get("Fenced", "")),
                    -1,
                    -1,
                )
                if detail == "Indented" or (isinstance(detail, dict) and "Indented" in detail):
                    fence = ("\0indented", -1, -1)
            elif tag == "HtmlBlock":
                html_from = first
            elif tag == "Table":
                tables.append(Span(base + at(first), base + at(last)))
            elif tag == "Heading":
                span = Span(at(first), at(last))
                raw = body[span.start : span.end].rstrip("\r\n")
                headings.append(
                    Heading(
                        Span(base + span.start, base + span.start + len(raw)),
                        int(str(detail["level"])[1]) if detail else 1,
                        _heading_text(raw),
                    )
                )
            continue
        if kind == "End":
            tag = value if isinstance(value, str) else next(iter(value))
            if tag in ("Link", "Image") and label_end:
                end = label_end.pop()
                if label_end:
                    label_end[-1] = max(label_end[-1], last)
                links.append(_link(body, base, at(first), at(last), at(end), tag, targets.pop()))
            elif tag == "CodeBlock" and fence is not None:
                span = Span(base + at(first), base + at(last))
                inner = (
                    Span(base + at(fence[1]), base + at(fence[2]))
                    if fence[1] >= 0
                    else Span(span.end, span.end)
                )
                indented = fence[0] == "\0indented"
                code.append(
                    Code(
                        span,
                        "indented" if indented else "fence",
                        inner,
                        "" if indented else fence[0].split(" ")[0],
                    )
                )
                fence = None
            elif tag == "HtmlBlock" and html_from >= 0:
                block_start, block_end = at(html_from), at(last)
                for m in _COMMENT.finditer(source, block_start, block_end):
                    comments.append(
                        Comment(Span(base + m.start(), base + m.end()), True, m[0].endswith("-->"))
                    )
                html_from = -1
            continue
        if label_end:
            label_end[-1] = max(label_end[-1], last)
        if kind == "Code":
            s, e = at(first), at(last)
            ticks = len(body[s:e]) - len(body[s:e].lstrip("`"))
            code.append(
                Code(
                    Span(base + s, base + e), "span", Span(base + s + ticks, base + max(e - ticks, s + ticks))
                )
            )
        elif kind == "Text" and fence is not None:
            fence = (fence[0], first if fence[1] < 0 else fence[1], last)
        elif kind == "InlineHtml" and str(value).startswith("<!--"):
            comments.append(Comment(Span(base + at(first), base + at(last)), False, True))
    code.sort(key=lambda c: c.span.start)
    links.sort(key=lambda link: link.span.start)
    found = Markdown(tuple(links), (), tuple(headings), tuple(code), tuple(comments), tuple(tables))
    wikilinks = (
        tuple(
            WikiLink(
                Span(base + m.start(), base + m.end()),
                m["name"].strip(),
                Span(base + m.start("name"), base + m.end("name")),
            )
            for m in WIKILINK.finditer(body)
            if m["name"].strip() and not found.in_code(base + m.start())
        )
        if "[[" in body
        else ()
    )
    if comments and wikilinks:
        starts = [c.span.start for c in comments]
        wikilinks = tuple(
            w
            for w in wikilinks
            if (i := bisect_right(starts, w.span.start) - 1) < 0 or w.span.start not in comments[i].span
        )
    return replace(found, wikilinks=wikilinks)


def _heading_text(raw: str) -> str:
    if raw.lstrip(" ").startswith("#"):
        return atx_text(raw)
    return re.split(r"[\r\n]", raw, maxsplit=1)[0].strip()


def _link(source: str, base: int, start: int, end: int, label_end: int, tag: str, resolved: str) -> Link:
    """A link from its source text: pyromark gives the destination decoded, but its place is needed."""
    raw = source[start:end]
    if raw.startswith("<"):
        span = Span(base + start + 1, base + end - 1)
        return Link(Span(base + start, base + end), raw[1:-1], raw[1:-1], span, "autolink")
    opening = 2 if tag == "Image" else 1
    cut = source.find("](", max(label_end - 1, start), end)
    text_end = cut if cut >= 0 else label_end
    text = source[start + opening : text_end]
    if cut < 0:
        return Link(
            Span(base + start, base + end), text, resolved, Span(base + start, base + end), "reference"
        )
    pos = cut + 2
    while pos < end and source[pos] in " \t\r\n":
        pos += 1
    stop = pos
    if pos < end and source[pos] == "<":
        pos += 1
        stop = pos
        while stop < end and source[stop] != ">":
            stop += 2 if source[stop] == "\\" else 1
    else:
        depth = 0
        while stop < end and source[stop] not in " \t\r\n":
            c = source[stop]
            if c == "\\":
                stop += 2
                continue
            if c == "(":
                depth += 1
            elif c == ")":
                if depth == 0:
                    break
                depth -= 1
            stop += 1
    stop = min(stop, end)
    target = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", source[pos:stop])
    return Link(
        Span(base + start, base + end),
        text,
        target,
        Span(base + pos, base + stop),
        "image" if tag == "Image" else "inline",
    )


class _Identity:
    def __call__(self, offset: int) -> int:
        return offset


class _Bytes:
    """Byte offset to code point offset: a checkpoint every 64 code points, then a short count."""

    __slots__ = ("_data", "_points")
    STEP = 64

    def __init__(self, source: str) -> None:
        self._data = source.encode("utf-8")
        points, at = [0], 0
        for i in range(0, len(source) - self.STEP, self.STEP):
            chunk = source[i : i + self.STEP]
            at += len(chunk) if chunk.isascii() else len(chunk.encode("utf-8"))
            points.append(at)
        self._points = points

    def __call__(self, offset: int) -> int:
        i = bisect_right(self._points, offset) - 1
        at = self._points[i]
        return i * self.STEP + (len(self._data[at:offset].decode("utf-8", "ignore")) if offset > at else 0)
