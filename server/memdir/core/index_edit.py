"""Adding entries to an index, in the shape and the section that the index itself uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.index import Entry, resolve
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Span
from memdir.core.prose import shorten
from memdir.core.settings import Settings
from memdir.core.text import printable, units

_NUMBER = lazy(r"(?P<indent>\s*)(?P<number>\d{1,4})(?P<dot>[.)]\s)")
_BRACKETS = str.maketrans({"[": r"\[", "]": r"\]"})
_DEFAULT_SEPARATOR = " — "  # the form that the agent's own instructions ask for


@dataclass(frozen=True, slots=True)
class Shape:
    """How an index writes its entries: what stands before the link, between link and hook, and the link's own form."""

    prefix: str = "- "
    separator: str = _DEFAULT_SEPARATOR
    bare: bool = False
    ticks: str = ""
    cells: tuple[str, ...] = ()  # of a table row: "link", "hook", "type" or ""


def link_path(index: Document, document: Document) -> str:
    """The path of `document` as an entry of `index` writes it."""
    return document.rel.removeprefix("team/") if index.rel.startswith("team/") else document.rel


def link_target(path: str) -> str:
    """`path` as the target of a link: in angle brackets when it has blanks or parentheses."""
    return f"<{path}>" if any(c in path for c in " ()") else path


def target_edit(document: Document, span: Span, path: str) -> Edit:
    """`path` in the place of the target at `span`, which may stand in angle brackets already."""
    bracketed = document.text[span.start - 1 : span.start] == "<"
    return Edit(span, path if bracketed else link_target(path))


def entry_line(shape: Shape, path: str, document: Document, limit: int) -> str:
    """One entry without line break, its hook shortened so that the line keeps to `limit` characters."""
    link = (
        f"{shape.ticks}{path}{shape.ticks}"
        if shape.bare
        else f"[{_one_line(document.title).translate(_BRACKETS)}]({link_target(path)})"
    )
    hook = _one_line(document.description)
    if shape.cells:
        values = {"link": link, "hook": shorten(hook, limit) if hook else "", "type": document.type, "": ""}
        return "| " + " | ".join(values[cell].replace("|", r"\|") for cell in shape.cells) + " |"
    head = shape.prefix + link
    room = limit - len(head) - len(shape.separator)
    if not hook or not shape.separator.strip("* _") or room < 10:
        return head + _closing(shape.prefix)
    return head + shape.separator + shorten(hook, room)


def _one_line(text: str) -> str:
    return " ".join(printable(text).split())


def additions(
    directory: Directory, index: Document, documents: Sequence[Document], settings: Settings
) -> tuple[Edit, ...]:
    """The edits that list `documents` in `index`: each behind the last entry of the section that holds its type."""
    known = directory.entries(index)
    entries = [e for e in known if not e.targets[0].external] or known
    types = {e.line: _type_of(directory, index, e) for e in entries}
    separator = _usual_separator(index, entries)
    groups: dict[int, list[Document]] = {}
    anchors: dict[int, Entry] = {}
    places: dict[str, Entry | None] = {}
    for document in documents:
        if document.type not in places:
            places[document.type] = _place(entries, types, document.type)
        anchor = places[document.type]
        line = anchor.line if anchor else -1
        if anchor:
            anchors[line] = anchor
        groups.setdefault(line, []).append(document)
    edits = []
    for line, members in groups.items():
        shape = _shape(index, anchors[line], types, separator) if line >= 0 else Shape()
        rows = [
            entry_line(_numbered(shape, i), link_path(index, d), d, settings.entry_info)
            for i, d in enumerate(members, 1)
        ]
        edits.append(_insertion(index, line, rows))
    return tuple(edits)


def fits(directory: Directory, index: Document, edits: Sequence[Edit], settings: Settings) -> bool:
    """True when the index stays within its limits with `edits`, so that no entry is lost by adding one."""
    loaded = directory.loaded(index, settings.index_lines, settings.index_size)
    lines = sum(e.text.count("\n") or 1 for e in edits)
    size = sum(units(e.text) for e in edits)
    return loaded.lines + lines <= settings.index_lines and loaded.utf16 + size <= settings.index_size


def _type_of(directory: Directory, index: Document, entry: Entry) -> str:
    rel = resolve(index.rel, entry.targets[0].path)
    document = directory.get(rel) if rel else None
    return document.type if document else ""


def _place(entries: Sequence[Entry], types: Mapping[int, str], wanted: str) -> Entry | None:
    """The last entry of the section in which most memories of the type stand; without one, the last of all."""
    counts = Counter(e.section for e in entries if wanted and types[e.line] == wanted)
    if not counts:
        return entries[-1] if entries else None
    best = max(counts, key=lambda s: counts[s])
    same = [e for e in entries if e.section == best]
    return same[-1]


def _link_span(index: Document, entry: Entry) -> Span:
    """The whole link of a single-link entry, with brackets, parentheses or back-ticks."""
    text, target = index.text, entry.targets[0].span
    if entry.title_span == target:  # a bare file name
        ticked = text[target.start - 1 : target.start] == "`" == text[target.end : target.end + 1]
        return Span(target.start - 1, target.end + 1) if ticked else target
    start = text.rfind("[", entry.span.start, entry.title_span.start)
    end = text.find(")", target.end, entry.span.end)
    return Span(start if start >= 0 else entry.title_span.start, end + 1 if end >= 0 else target.end)


def _separator(index: Document, entry: Entry) -> str | None:
    """What stands between link and hook; None when the entry has no hook, or several links."""
    if not entry.hook or len(entry.targets) != 1 or entry.kind == "table":
        return None
    end = _link_span(index, entry).end
    at = index.text.find(entry.hook, end, entry.span.end)
    return index.text[end:at] if at >= end else None


def _usual_separator(index: Document, entries: Sequence[Entry]) -> str | None:
    """The most frequent separator, its bold marks removed; None when no entry has a hook."""
    counts = Counter(s.strip("*_") for e in entries if (s := _separator(index, e)) is not None)
    return counts.most_common(1)[0][0] if counts else None


def _shape(index: Document, entry: Entry, types: Mapping[int, str], usual: str | None) -> Shape:
    link = _link_span(index, entry)
    if entry.kind == "table":
        return Shape(cells=_cells(index, entry, link, types[entry.line]))
    line = index.lines.span(entry.line)
    prefix = index.text[line.start : link.start]
    prefix = re.sub(r"\[[xX]\]", "[ ]", prefix)
    bare = entry.title_span == entry.targets[0].span
    own = _separator(index, entry)
    separator = own if own is not None else "" if usual is None else _closing(prefix) + usual
    return Shape(prefix, separator, bare, "`" if bare and index.text[link.start] == "`" else "")


def _cells(index: Document, entry: Entry, link: Span, type_: str) -> tuple[str, ...]:
    """What each cell of a table row holds, read from an existing row."""
    roles: list[str] = []
    at = entry.span.start
    parts = re.split(r"(?<!\\)\|", index.slice(entry.span).strip().strip("|"))
    at += len(index.slice(entry.span)) - len(index.slice(entry.span).lstrip("|"))
    for part in parts:
        if link.start < at + len(part) and at <= link.start:
            roles.append("link")
        elif type_ and part.strip().casefold() == type_.casefold():
            roles.append("type")
        else:
            roles.append("")
        at += len(part) + 1
    longest = max((i for i, r in enumerate(roles) if not r), key=lambda i: len(parts[i].strip()), default=-1)
    if longest >= 0:
        roles[longest] = "hook"
    return tuple(roles)


def _closing(prefix: str) -> str:
    """The marks that close what the prefix opened (`- **` needs `**`)."""
    return "**" if prefix.rstrip().endswith("**") else ""


def _numbered(shape: Shape, step: int) -> Shape:
    m = _NUMBER.match(shape.prefix)
    if m is None:
        return shape
    number = int(m["number"]) + step
    return Shape(
        m["indent"] + str(number) + m["dot"] + shape.prefix[m.end() :],
        shape.separator,
        shape.bare,
        shape.ticks,
    )


def _insertion(index: Document, line: int, rows: Sequence[str]) -> Edit:
    """`rows` as lines behind `line` and what is indented below it; at the end of the file for -1."""
    newline, lines, text = index.newline, index.lines, index.text
    if line < 0:
        at = len(text)
        gap = "" if not text or text.endswith(("\n", "\r")) else newline
        if text.strip() and not text.endswith((newline * 2,)):
            gap += newline
        return Edit(Span(at, at), gap + newline.join(rows) + newline)
    indent = len(lines.line(line)) - len(lines.line(line).lstrip())
    while line + 1 < lines.count:
        below = lines.line(line + 1)
        if not below.strip() or len(below) - len(below.lstrip()) <= indent:
            break
        line += 1
    at = lines.span(line, with_break=True).end
    if at == len(text) and not text.endswith(("\n", "\r")):
        return Edit(Span(at, at), newline + newline.join(rows))
    return Edit(Span(at, at), newline.join(rows) + newline)
