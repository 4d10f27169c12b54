"""What one document of a memory directory tells the others: its names, its links, the files it lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from memdir.core.document import INDEX_NAME, Document
from memdir.core.index import Entry, resolve
from memdir.core.lazy_re import lazy

_FOLD = lazy(r"[-_\s]+")
_NONE: frozenset[str] = frozenset()
TEAM_INDEX = "team/" + INDEX_NAME
INDEXES = (INDEX_NAME, TEAM_INDEX)


def fold(name: str) -> str:
    """How names are compared: case folded, runs of `-`, `_` and blanks alike (5 % of real wikilinks need it)."""
    folded = name.strip().casefold()
    if folded.isascii() and folded.isprintable() and " " not in folded:
        folded = folded.replace("_", "-")
        return folded if "--" not in folded else _FOLD.sub("-", folded)
    return _FOLD.sub("-", folded)


def link_name(name: str) -> str:
    """The part of a wikilink that names a file: no folders, no '.md'."""
    name = name.rsplit("/", 1)[-1]
    return name[:-3] if name.lower().endswith(".md") else name


@dataclass(frozen=True, slots=True)
class Facts:
    """Names are folded, files are relative to the memory directory; `targets` and `wikilinks` are what it links to.

    `listed` are the files its entries name, when it is an index or may be a second-level index.
    """

    name: str
    stem: str
    targets: frozenset[str]
    wikilinks: frozenset[str]
    listed: frozenset[str]


def facts_of(document: Document, entries: Callable[[Document], Sequence[Entry]]) -> Facts:
    """The facts of a document; `entries` reads (or remembers) the entries of an index."""
    rel, text = document.rel, document.text
    topic = document.kind == "topic"
    targets = wikilinks = listed = _NONE
    if "](" in text or "][" in text or "[[" in text:
        markdown = document.markdown
        targets = frozenset(
            path
            for link in markdown.links
            if not link.external and link.path and (path := resolve(rel, link.path)) is not None
        )
        wikilinks = frozenset(fold(link_name(link.name)) for link in markdown.wikilinks)
    if document.kind == "index" or (topic and text.count(".md") >= 2):
        found = entries(document)
        paths = frozenset(
            p for e in found for t in e.targets if not t.external and (p := resolve(rel, t.path)) is not None
        )
        targets |= paths
        if document.kind == "index":
            listed = targets
        elif len(found) >= 2:
            listed = paths
    if not topic:
        return Facts("", "", targets, wikilinks, listed)
    return Facts(fold(document.name), fold(document.stem), targets, wikilinks, listed)


def differing(old: Facts | None, new: Facts | None, field: Literal["name", "stem"]) -> list[str]:
    """The values of `field` before and after, when they differ; without empty ones."""
    before: str = getattr(old, field) if old else ""
    after: str = getattr(new, field) if new else ""
    if before == after:
        return []
    return [before, after] if before and after else [before or after]
