"""Places in the repository that a memory names: `src/app.py:12`, `src/app.py:12-30`, "`src/app.py` (line 12)".

Precision first: a citation is something that reads as a path of the repository. Web addresses, globs, commands,
placeholders, paths outside the repository, `#123` and bare words are none. Paths count in back-ticks, or in running
text when a line number follows at once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.model import Span

_MAX_PATH = 200
_EXTENSIONS = frozenset(
    "py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro css scss sass less html htm xml svg json jsonc json5 "
    "yaml yml toml ini cfg conf env md mdx rst txt adoc tex sh bash zsh fish ps1 bat cmd go rs c h cc cpp cxx hpp hh m mm "
    "java kt kts scala groovy gradle clj cljs cs fs vb rb erb php pl pm lua r jl swift dart ex exs erl hrl hs elm ml mli "
    "zig nim v sol sql graphql gql proto thrift tf hcl nix cmake make mk dockerfile lock mod sum csv tsv parquet prisma "
    "wasm asm s f90 cob lisp el vim service rake gemspec podspec plist xcconfig properties".split()
)
_SEGMENTS = lazy(r"[\w.@+-]+(?:/[\w.@+-]+)*/?")
# what may follow a path in the same back-ticks, or directly in text
_LINES = lazy(
    r"(?::~?(?P<first>\d{1,7})(?:[-–](?P<last>\d{1,7})|(?::\d{1,5})?)|#L(?P<hfirst>\d{1,7})(?:-L?(?P<hlast>\d{1,7}))?|::?[\w.:\[\]-]*)(?![\w/])"
)
_PROSE = lazy(r"\.[A-Za-z]\w{0,9}:~?\d")
# "line 12" in the languages of real memories: a word first, so that the engine has a literal to look for
_NUMBER = r"(?P<about>~|≈|about |around |circa |env\. )?(?P<first>\d{1,7})(?:[ ]?[-–][ ]?(?P<last>\d{1,7}))?"
_NEAR = {
    word: lazy(rf"{word}{rest}{_NUMBER}{end}")
    for word, rest, end in (
        ("line", "s?[ \u00a0]", ""),
        ("Line", "s?[ \u00a0]", ""),
        ("Zeile", "n?[ \u00a0]", ""),
        ("ligne", "s?[ \u00a0]", ""),
        ("línea", "s?[ \u00a0]", ""),
        ("linha", "s?[ \u00a0]", ""),
        ("第", "[ ]?", "[ ]?行"),
    )
}
_ABOUT = (
    "~",
    "≈",
    "about ",
    "around ",
    "approx. ",
    "approximately ",
    "roughly ",
    "ca. ",
    "environ ",
    "etwa ",
)
_OF = lazy(r"\)?,? (?:of|in|von|in der|de|du|dans) `?")
_GAP = 60  # characters between a path and "(line 12)" behind it
_PLACEHOLDER = lazy(
    r"(?:^|/)(?:path/to|foo|bar|baz|xxx+|yyyy|your[-_]\w+|my[-_]\w+|example\w*|\.{3,})(?:/|$|\.)", re.I
)
_NOT_PATHS = lazy(
    r"\d+(?:[./-]\d+)*/?$|(?:application|text|image|audio|video|multipart)/[\w.+-]+$|(?:origin|upstream|refs|heads|remotes)/"
)


@dataclass(frozen=True, slots=True)
class Citation:
    """`path` is relative to the repository, without './'; `span` covers path and line, `lines` is (first, last), 1-based."""

    path: str
    span: Span
    path_span: Span
    lines: tuple[int, int] | None = None
    line_span: Span | None = None
    approximate: bool = False


def citations(document: Document) -> tuple[Citation, ...]:
    """Every citation in the body, in order; computed once per document."""
    found = document.memo.get("citations")
    if found is None:
        found = document.memo["citations"] = tuple(_find(document))
    assert isinstance(found, tuple)
    return found


def _find(document: Document) -> list[Citation]:
    text, start = document.text, document.body_start
    found: list[Citation] = []
    if text.find("`", start) >= 0:
        for code in document.markdown.code:
            if code.kind == "span" and (c := _read(text, code.inner.start, code.inner.end)):
                found.append(c)
    spans = len(found)
    if text.find(":", start) >= 0:
        found += _in_prose(document, start)
    if len(found) > spans > 0:
        found.sort(key=lambda c: c.span)
    if found:
        _add_lines_nearby(document, found)
    return found


def _read(text: str, start: int, end: int) -> Citation | None:
    """A citation that fills `text[start:end]` (the inside of back-ticks), blanks aside."""
    while start < end and text[start] == " ":
        start += 1
    while end > start and text[end - 1] == " ":
        end -= 1
    if end - start > _MAX_PATH or end - start < 3:
        return None
    m = _SEGMENTS.match(text, start, end)
    if m is None:
        return None
    stop = m.end()
    lines: tuple[int, int] | None = None
    line_span: Span | None = None
    approximate = False
    if stop < end:
        tail = _LINES.match(text, stop, end)
        if tail is None or tail.end() != end:
            return None
        first = tail["first"] or tail["hfirst"]
        if first:
            last = tail["last"] or tail["hlast"] or first
            lines, line_span = _order(int(first), int(last)), Span(stop, end)
            approximate = "~" in tail[0]
    path = m[0]
    if not _is_path(path, lines is not None):
        return None
    return Citation(
        path.removeprefix("./"), Span(start, end), Span(start, stop), lines, line_span, approximate
    )


def _order(first: int, last: int) -> tuple[int, int]:
    return (first, last) if last >= first else (first, first)


def _is_path(path: str, has_line: bool) -> bool:
    name = path.rstrip("/").rsplit("/", 1)[-1]
    stem, dot, extension = name.rpartition(".")
    if "/" not in path.removeprefix("./"):
        # a bare name: only with an extension of source text, so that `redis:6379` and `e.g.` are none
        if not (dot and stem and extension.lower() in _EXTENSIONS):
            return False
    elif _NOT_PATHS.match(path) or path.startswith("@"):
        return False
    elif "." in path.split("/", 1)[0][1:] and not has_line and extension.lower() not in _EXTENSIONS:
        return False  # `example.com/team/repo`
    return ".." not in path and not _PLACEHOLDER.search(path)


def _in_prose(document: Document, start: int) -> Iterator[Citation]:
    """`src/app.py:12` in running text, outside code, links and addresses."""
    text, markdown = document.text, document.markdown
    for m in _PROSE.finditer(text, start):
        at = m.start()
        if markdown.in_code(at) or any(at in link.target_span for link in markdown.links):
            continue
        first, floor = at, max(start, at - _MAX_PATH)
        while first > floor and (text[first - 1].isalnum() or text[first - 1] in "_.@+/-"):
            first -= 1
        if first == at or text[first] in "/-" or (first > start and text[first - 1] in ":~$\\`<>{}*?=&%#"):
            continue
        tail = _LINES.match(text, text.index(":", at))
        if tail and (c := _read(text, first, tail.end())):
            yield c


def _add_lines_nearby(document: Document, found: list[Citation]) -> None:
    """Give paths without a line the one that stands beside them: "`src/app.py` (line 12)", "line 12 of `src/app.py`"."""
    text, start = document.text, document.body_start
    if all(c.lines for c in found):
        return
    ends = [c.span.end for c in found]
    for word, pattern in _NEAR.items():
        if word not in text:
            continue
        for m in pattern.finditer(text, start):
            if word != "第" and text[m.start() - 1 : m.start()].isalpha():
                continue  # the end of another word, "pipeline 12"
            index = _beside(text, found, ends, m.start(), m.end())
            if index < 0:
                continue
            number = m["first"]
            lines = _order(int(number), int(m["last"] or number))
            about = bool(m["about"]) or text[max(m.start() - 14, 0) : m.start()].endswith(_ABOUT)
            found[index] = replace(found[index], lines=lines, line_span=Span(*m.span()), approximate=about)


def _beside(text: str, found: list[Citation], ends: list[int], start: int, end: int) -> int:
    """The citation without a line that "line 12" at `start`..`end` belongs to; -1 for none."""
    at = bisect_left(ends, start + 1) - 1
    if at >= 0 and found[at].lines is None:
        between = text[ends[at] : start]
        if len(between) <= _GAP and "\n" not in between and ". " not in between:
            return at
    if at + 1 < len(found) and found[at + 1].lines is None:
        if _OF.fullmatch(text[end : found[at + 1].span.start]):
            return at + 1
    return -1
