"""Passages that repeat what the repository already says: listings, inventories, pasted code, tables of an API."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.markdown import Code
from memdir.core.model import Span

PassageKind: TypeAlias = Literal["tree", "listing", "inventory", "code", "api", "commits", "versions"]

# Sizes from which a passage is an inventory and no longer an example.
MIN_TREE = 4
MIN_INVENTORY = 6
MIN_COMMITS = 5
MIN_VERSIONS = 6
MIN_API = 4
MIN_CODE = 800  # characters of fenced code
CODE_SHARE = 0.7  # of the body

# Patterns begin with a line break, a literal that the engine looks for quickly.
_TREE = lazy(r"\n[ \t>│|]*(?:├──|└──|├─|└─|\|--|`--|\+--)[ \t]*\S")
_LS = lazy(r"\n[ \t]*[-dl](?:[r-][w-][xsStT-]){3}[.+@]?[ \t]+\d+[ \t]")
# A bullet, table row or plain line that begins with a path, a commit, a route, or is a name with a version.
_BULLET = r"\n[ \t]{0,8}(?:[-*+|]|\d{1,3}[.)])[ \t]+(?:\*\*)?"
_PLAIN = r"\n[ \t]{0,8}"
_KINDS = (
    r"(?:(?P<inventory>`(?:\./)?[\w.@+-]{1,80}(?:/[\w.@+-]{1,80})+/?`)"
    r"|(?P<commits>`?(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,40}`?(?![\w/.-]))"
    r"|(?P<api>`?(?:GET|POST|PUT|PATCH|DELETE|HEAD)`?(?:\*\*)?[ \t|]+(?:`|\*\*)?/))"
)
_VERSION = (
    r"[\"'`]?@?[\w./-]{1,60}[\"'`]?(?:\*\*)?[ \t]{0,4}(?::|==|=|@|\|)?[ \t]{0,4}[\"'`~^>=v]{0,4}\d{1,6}\.\d{1,6}[\w.+-]{0,40}"
    r"[\"'`,| \t]{0,8}(?=\n|\Z)"
)
# bulleted rows; and plain ones, as they are pasted into a fence
_ROWS = (lazy(_BULLET + _KINDS), lazy(_PLAIN + _KINDS))
_VERSION_ROWS = (lazy(_BULLET + _VERSION), lazy(_PLAIN + _VERSION))
_POINT = lazy(r"\.\d")
_LEAST: dict[str, tuple[PassageKind, int]] = {
    "inventory": ("inventory", MIN_INVENTORY),
    "commits": ("commits", MIN_COMMITS),
    "api": ("api", MIN_API),
}


@dataclass(frozen=True, slots=True)
class Passage:
    """`rows` are lines of a list, or the percentage of the body that is code."""

    kind: PassageKind
    span: Span
    rows: int


def find_passage(document: Document) -> Passage | None:
    """The most telling derivable passage of a memory; None for ordinary prose."""
    if document.body_start:
        return _find(document, document.text, document.body_start - 1)  # with the line break in front
    found = _find(document, "\n" + document.text, 0)
    return replace(found, span=found.span.shift(-1)) if found and found.kind != "code" else found


def _find(document: Document, text: str, start: int) -> Passage | None:
    """The same in `text` from `start`, where a line break stands."""
    if "─" in text or "-- " in text:
        if found := _rows(text, start, _TREE):
            return Passage("tree", *found)
    if "rw" in text:
        if found := _rows(text, start, _LS):
            return Passage("listing", *found)
    blocks = [c for c in document.markdown.code if c.kind == "fence"] if "`" in text and "```" in text else []
    if blocks and (passage := _code(blocks, len(text) - start)):
        return passage
    # the rest are many short lines that begin alike: bullets, table rows, or lines pasted into a fence
    pasted = any(document.text.count("\n", c.inner.start, c.inner.end) >= MIN_API for c in blocks)
    if (
        (bullets := text.count("\n- ", start)) >= MIN_COMMITS
        or (bullets >= MIN_API and " /" in text)
        or "|" in text
        or pasted
        or "\n5. " in text
        or ("*" in text and text.count("\n* ", start) >= MIN_API)
    ):
        return _list(document, text, start, pasted)
    return None


def _rows(text: str, start: int, pattern: re.Pattern[str]) -> tuple[Span, int] | None:
    matches = list(pattern.finditer(text, start))
    if len(matches) < MIN_TREE:
        return None
    return _span(text, matches[0].start() + 1, matches[-1].end()), len(matches)


def _span(text: str, start: int, last: int) -> Span:
    """From `start` to the end of the line that holds `last`."""
    end = text.find("\n", last)
    return Span(start, end if end >= 0 else len(text))


def _list(document: Document, text: str, start: int, pasted: bool) -> Passage | None:
    """A list of paths, commits, routes or versions that makes up a good part of the memory."""
    counts: dict[str, list[int]] = {}
    for m in _ROWS[pasted].finditer(text, start):
        assert m.lastgroup is not None  # every alternative is named
        counts.setdefault(m.lastgroup, []).append(m.start() + 1)
    for group, places in counts.items():
        kind, least = _LEAST[group]
        if len(places) >= least and _dominates(document, len(places)):
            return Passage(kind, _span(text, places[0], places[-1]), len(places))
    if len(_POINT.findall(text, start)) >= MIN_VERSIONS:
        places = [m.start() + 1 for m in _VERSION_ROWS[pasted].finditer(text, start)]
        if len(places) >= MIN_VERSIONS and _dominates(document, len(places)):
            return Passage("versions", _span(text, places[0], places[-1]), len(places))
    return None


def _dominates(document: Document, rows: int) -> bool:
    """A third of the lines with text at least: a few rows in a long memory are its evidence, not its content."""
    return rows * 3 >= sum(1 for line in document.body.splitlines() if line.strip())


def _code(blocks: Sequence[Code], size: int) -> Passage | None:
    total = sum(len(c.inner) for c in blocks)
    if total < MIN_CODE or total < CODE_SHARE * size:
        return None
    largest = max(blocks, key=lambda c: len(c.inner))
    return Passage("code", largest.span, 100 * total // size)
