"""Structure of simple Markdown without a parser: what nearly all memories are written in.

Simple means: nothing that needs more than one look at a line. No HTML, tables, escapes, tabs, indentation by four,
quotes, reference links, setext headings; fences at the margin; code spans and links within a line. For anything else
`read_quick` gives None and pyromark reads the body. Where both read it, they agree (tests/core/test_markdown.py).
"""

from __future__ import annotations

from bisect import bisect_right

from memdir.core.lazy_re import lazy
from memdir.core.markdown import EMPTY, WIKILINK, Code, Heading, Link, Markdown, WikiLink, atx_text
from memdir.core.model import Span

# Each sends the body to pyromark. Looking for one character costs a tenth of looking for two.
_COMPLEX = ("\t", "\\", "|", "\r", "\0", "\x0b", "\x0c", "    ")
_HTML = lazy(r"<[A-Za-z!/?]")
# One look at the start of every line: what sends the body to pyromark (quotes, setext underlines, headings and quotes in
# lists), rows of dashes, headings. It begins with a line break, a literal that the engine looks for quickly; the body
# gets one in front.
_STARTS = lazy(
    r"\n {0,3}(?:(?P<complex>>|=|(?:(?:[-*+]|\d{1,9}[.)]) +)+[#>])|(?P<dashes>-+ *(?=\n|\Z))|(?P<heading>#{1,6})(?=[ \n]|\Z))"
)
_SPAN = lazy(r"`[^`\n]+`")
_LINK = lazy(r"\[([^\[\]\n]*)\]\(([^()\s<>`]*)\)")


def read_quick(body: str, base: int) -> Markdown | None:
    """Structure of `body`, spans counted from `base` before it; None when it is not simple."""
    for mark in _COMPLEX:
        if mark in body:
            return None
    if "<" in body and _HTML.search(body):
        return None
    if "~" in body and "~~~" in body:
        return None
    brackets = "]" in body
    if brackets and ("]:" in body or "][" in body):
        return None
    text = "\n" + body
    base -= 1
    marks: list[tuple[int, int]] = []
    for m in _STARTS.finditer(text):
        if m.lastgroup == "heading":
            marks.append(m.span("heading"))
        elif m.lastgroup == "complex" or (m.start() > 0 and text[m.start() - 1] != "\n"):
            return None  # dashes under text make it a heading
    code: list[Code] = []
    if "`" in text and not _read_code(text, base, code):
        return None
    links: list[Link] = []
    wikilinks: list[WikiLink] = []
    if brackets and (total := text.count("](")) and not _read_links(text, base, code, links, total):
        return None
    if brackets and "[[" in text:
        for m in WIKILINK.finditer(text):
            if (name := m["name"].strip()) and not _inside(code, m.start() + base):
                wikilinks.append(
                    WikiLink(
                        Span(m.start() + base, m.end() + base),
                        name,
                        Span(m.start("name") + base, m.end("name") + base),
                    )
                )
    headings = _read_headings(text, base, code, marks) if marks else ()
    if not (code or links or wikilinks or headings):
        return EMPTY
    return Markdown(tuple(links), tuple(wikilinks), headings, tuple(code))


def _read_code(text: str, base: int, code: list[Code]) -> bool:
    """Collect fences and spans; False when they are not simple."""
    at = 0
    while True:
        fence = text.find("```", at)
        if not _read_spans(text, at, len(text) if fence < 0 else fence, base, code):
            return False
        if fence < 0:
            return True
        if text[fence - 1] != "\n":
            return False
        line_end = text.find("\n", fence)
        head = text[fence + 3 : line_end]
        if line_end < 0 or "`" in head or "&" in head:
            return False
        close = text.find("\n```", line_end)
        if close < 0:
            return False
        end = text.find("\n", close + 1)
        end = len(text) if end < 0 else end
        if text[close + 4 : end].strip(" "):
            return False
        span = Span(fence + base, end + base)
        inner = Span(line_end + 1 + base, close + 1 + base) if close > line_end else Span(span.end, span.end)
        if (
            text.startswith("````", fence)
            or text.startswith("````", close + 1)
            or "```" in text[line_end:close]
        ):
            return False
        info = head.strip(" ").split(" ")[0]
        code.append(Code(span, "fence", inner, info))
        at = end


def _read_spans(text: str, start: int, end: int, base: int, code: list[Code]) -> bool:
    ticks = text.count("`", start, end)
    if not ticks:
        return True
    if ticks % 2:
        return False
    before = -1
    for m in _SPAN.finditer(text, start, end):
        first, last = m.span()
        if first == before:
            return False  # two marks in a row are one mark
        before = last
        ticks -= 2
        code.append(Code(Span(first + base, last + base), "span", Span(first + 1 + base, last - 1 + base)))
    return ticks == 0  # one left over would reach into the next line


def _read_links(text: str, base: int, code: list[Code], links: list[Link], total: int) -> bool:
    """Collect inline links; False when not every `](` (`total` of them) is explained by a link or by code."""
    for m in _LINK.finditer(text):
        start, end = m.span()
        middle = m.end(1)
        if code:
            if _inside(code, middle + base):
                if not _inside(code, start + base):
                    return False
                continue
            if _inside(code, start + base):
                return False
        image = text[start - 1] == "!"
        start -= image
        links.append(
            Link(
                Span(start + base, end + base),
                m[1],
                m[2],
                Span(m.start(2) + base, m.end(2) + base),
                "image" if image else "inline",
            )
        )
    if total == len(links):
        return True
    if not code:
        return False
    at, hidden = text.find("]("), 0
    while at >= 0:
        hidden += _inside(code, at + base)
        at = text.find("](", at + 2)
    return total - hidden == len(links)


def _inside(code: list[Code], offset: int) -> bool:
    """True when `offset` lies in one of the blocks, which are in order."""
    if len(code) > 16:
        at = bisect_right(code, offset, key=_start) - 1
        return at >= 0 and offset < code[at].span.end
    for block in code:
        if block.span.start > offset:
            return False
        if offset < block.span.end:
            return True
    return False


def _start(block: Code) -> int:
    return block.span.start


def _read_headings(
    text: str, base: int, code: list[Code], marks: list[tuple[int, int]]
) -> tuple[Heading, ...]:
    found: list[Heading] = []
    for first, last in marks:
        if code and _inside(code, first + base):
            continue
        end = text.find("\n", last)
        line = text[first:] if end < 0 else text[first:end]
        found.append(Heading(Span(first + base, first + base + len(line)), last - first, atx_text(line)))
    return tuple(found)
