"""`source.organizeIndex`: entries sorted by type and title within their section, dead and repeated lines dropped.

Headings, free text, comments and tables stay where they are; an entry takes the indented lines below it along.
"""

from __future__ import annotations

from dataclasses import dataclass

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.fixing import TYPE_PREFIXES
from memdir.core.index import Entry, resolve
from memdir.core.model import Edit, Span
from memdir.core.rule import Context


@dataclass(slots=True)
class _Item:
    """An entry with its following lines: `text` without the last line break."""

    text: str
    key: tuple[int, str]
    dead: bool
    targets: frozenset[str]


def organize(document: Document, context: Context) -> tuple[Edit, ...]:
    """The edits that bring an index into order; none when it is. Entries that name no file of ours are never dropped."""
    directory = context.directory
    lines = document.lines
    table = {e.line: e for e in directory.entries(document) if e.kind == "bullet"}
    seen: set[str] = set()
    edits: list[Edit] = []
    number = lines.line_of(document.body_start)
    while number < lines.count:
        if number not in table or _indent(lines.line(number)):
            number += 1
            continue
        first, items = number, []
        while number < lines.count and number in table and not _indent(lines.line(number)):
            last = number + 1
            while last < lines.count and lines.line(last).strip() and _indent(lines.line(last)):
                last += 1
            span = Span(lines.start(number), lines.span(last - 1).end)
            items.append(_item(directory, document, table[number], document.slice(span)))
            number = last
        edits += _block(document, Span(lines.start(first), lines.start(number)), items, seen)
    return tuple(edits)


def _block(document: Document, span: Span, items: list[_Item], seen: set[str]) -> list[Edit]:
    kept = []
    for item in items:
        repeated = bool(item.targets) and item.targets <= seen
        seen |= item.targets
        if not item.dead and not repeated:
            kept.append(item)
    numbered = any(i.text.lstrip()[:1].isdigit() for i in items)  # an order that somebody wrote down is kept
    ordered = kept if numbered else sorted(kept, key=lambda i: i.key)
    text = "".join(i.text + document.newline for i in ordered)
    old = document.slice(span)
    if not old.endswith(("\n", "\r")):
        text = text.removesuffix(document.newline)
    return [Edit(span, text)] if text != old else []


def _item(directory: Directory, document: Document, entry: Entry, text: str) -> _Item:
    targets = frozenset(
        rel for t in entry.targets if not t.external and (rel := resolve(document.rel, t.path)) is not None
    )
    known = [d for rel in sorted(targets) if (d := directory.get(rel)) is not None]
    inside = bool(targets) and len(targets) == len(entry.targets)
    type_ = known[0].type if known else ""
    rank = TYPE_PREFIXES.index(type_) if type_ in TYPE_PREFIXES else len(TYPE_PREFIXES)
    return _Item(text, (rank, entry.title.casefold()), inside and not known, targets)


def _indent(line: str) -> bool:
    return line[:1] in (" ", "\t")
