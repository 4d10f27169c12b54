"""Structure of a Markdown body: links, wikilinks, headings, code and comments, each with its span.

Most bodies are simple enough for `memdir.core.markdown_quick`, which reads links, code spans, fences and headings some
ten times faster; everything else goes to pyromark (`memdir.core.markdown_events`). A property test holds both to the
same result.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias
from urllib.parse import unquote

from memdir.core.lazy_re import lazy
from memdir.core.model import Span

# Bodies past this length (code points) are read up to it; rule `file-too-large` says so in the editor.
MAX_BODY = 1_000_000

LinkKind: TypeAlias = Literal["inline", "reference", "autolink", "image"]


@dataclass(frozen=True, slots=True)
class Link:
    """`target` is the destination as written in Markdown, unescaped; `path` is it without anchor and %-escapes."""

    span: Span
    text: str
    target: str
    target_span: Span
    kind: LinkKind

    @property
    def external(self) -> bool:
        """Has a URL scheme or is protocol-relative."""
        target = self.target
        return (":" in target or target.startswith("//")) and _SCHEME.match(target) is not None

    @property
    def path(self) -> str:
        """The file part: no fragment, no query, percent-decoded. Empty for '#anchor'."""
        path = self.target
        if "#" in path or "?" in path:
            path = re.split(r"[#?]", path, maxsplit=1)[0]
        return unquote(path) if "%" in path else path


@dataclass(frozen=True, slots=True)
class WikiLink:
    """`[[name]]`, `[[name|label]]` or `[[name#heading]]`; `name_span` covers the name only."""

    span: Span
    name: str
    name_span: Span


@dataclass(frozen=True, slots=True)
class Heading:
    """`span` is the whole heading, `text` its source without the marks."""

    span: Span
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A code block or span; `inner` is the code itself, `info` the language of a fence."""

    span: Span
    kind: Literal["fence", "indented", "span"]
    inner: Span
    info: str = ""


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment. Block-level ones never reach the agent from an index."""

    span: Span
    block: bool
    closed: bool


@dataclass(frozen=True, slots=True)
class Markdown:
    """Everything found, in order of appearance. `tables` are spans of whole tables."""

    links: tuple[Link, ...] = ()
    wikilinks: tuple[WikiLink, ...] = ()
    headings: tuple[Heading, ...] = ()
    code: tuple[Code, ...] = ()
    comments: tuple[Comment, ...] = ()
    tables: tuple[Span, ...] = ()
    truncated: bool = False

    def in_code(self, offset: int) -> bool:
        """True when `offset` lies in a code block or span."""
        i = bisect_right(self.code, offset, key=lambda c: c.span.start) - 1
        return i >= 0 and offset in self.code[i].span


EMPTY = Markdown()
_SCHEME = lazy(r"(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|//)")
WIKILINK = lazy(r"\[\[(?P<name>[^\[\]\n|#]{1,200})(?:[#|][^\[\]\n]{0,200})?\]\]")


def atx_text(line: str) -> str:
    """Text of a heading line that begins with `#`, without its marks. Linear, whatever the line."""
    text = line.strip(" \t\r\n").lstrip("#").strip(" \t")
    bare = text.rstrip("#")
    if not bare:
        return ""
    return (bare if bare[-1] in " \t" else text).strip()


def parse_markdown(text: str, start: int = 0) -> Markdown:
    """Structure of `text[start:]`, spans counted from the start of `text`. Never raises; bounded by MAX_BODY."""
    from memdir.core.markdown_quick import read_quick

    body = text[start : start + MAX_BODY] if start or len(text) > MAX_BODY else text
    truncated = len(text) - start > MAX_BODY
    found = read_quick(body, start)
    if found is None:
        from memdir.core.markdown_events import read_events

        found = read_events(body, start)
    return replace(found, truncated=True) if truncated else found
