"""The indexes put in order: dead pointers out, unlisted memories in, long entries short, the whole within its budget.

Nothing is thrown away that is not pointless by itself: text of an entry that is cut moves into its memory, entries that the
budget has no room for move into a second-level index that one entry leads to.
"""

from __future__ import annotations

from memdir.core.consolidate.archive import make_room
from memdir.core.consolidate.work import Work
from memdir.core.directory import TEAM_INDEX
from memdir.core.document import INDEX_NAME, Document
from memdir.core.fixing import joined, line_deletion, line_deletions
from memdir.core.i18n import Message, msg
from memdir.core.index import Entry, resolve
from memdir.core.index_edit import Shape, additions, entry_line, link_path
from memdir.core.link_repair import dead_target, renamed
from memdir.core.lint import excluded
from memdir.core.model import Edit, Span
from memdir.core.preservation import normalised
from memdir.core.prose import shorten
from memdir.core.staleness import written
from memdir.core.text import encode

_MIN_HOOK = 20  # characters: a shorter hook says nothing, so such an entry is left as it is


def rebuild_indexes(work: Work, *, keep_text: bool = True) -> None:
    """Put MEMORY.md and team/MEMORY.md in order. `keep_text` False: text cut from entries is not moved into memories
    (a model has judged it already)."""
    runs = work.context.settings.runs  # a rule that the person switched off asks for nothing
    documents = work.directory.documents
    for rel in (INDEX_NAME, TEAM_INDEX):
        if excluded(rel, work.context.settings):
            continue
        if rel in documents and runs("index-broken-link"):
            _pointers(work, documents[rel])
        if rel in documents and runs("index-duplicate-entry"):
            _doubles(work, documents[rel])
        if rel in documents and runs("index-entry-too-long"):
            _shorten(work, documents[rel], keep_text=keep_text)
        if runs("index-orphan"):
            _list_missing(work, rel)
        if rel in documents:
            make_room(work, rel)


def _pointers(work: Work, index: Document) -> None:
    """Entries that lead to nothing: pointed to the renamed file where that is certain, else removed."""
    directory = work.directory
    edits: list[Edit] = []
    removed: list[str] = []
    moved: list[str] = []
    for entry in directory.entries(index):
        if entry.targets[0].external or not _certainly_dead(work, index, entry):
            continue
        target = entry.targets[0]
        dead = dead_target(work.context, index, target.path) or ""
        found = renamed(directory, dead) if len(entry.targets) == 1 else None
        if found is not None and found[1] and found[0].rel not in directory.reachable:
            path = link_path(index, found[0])
            edits.append(Edit(target.span, path))
            moved.append(path)
        elif _has_lines_below(index, entry):
            work.notes.append(
                msg("{index}, line {line}: the entry leads to no file, but text stands below it; decide where that belongs.", index=index.rel, line=entry.line + 1)
            )  # fmt: skip
        else:
            edits.append(line_deletion(index, entry.line))
            removed.append(target.path)
    if removed:
        index_reason: Message = msg(
            "entries for files that are gone are removed ({files})", files=_some(removed)
        )
        if moved:
            index_reason = msg("{first}; {second}", first=index_reason, second=_moved(moved))
        work.edit(index, joined(edits), index_reason)
    elif moved:
        work.edit(index, joined(edits), _moved(moved))


def _moved(paths: list[str]) -> Message:
    return msg("entries point to the renamed files ({files})", files=_some(paths))


def _certainly_dead(work: Work, index: Document, entry: Entry) -> bool:
    return all(not t.external and dead_target(work.context, index, t.path) for t in entry.targets)


def _doubles(work: Work, index: Document) -> None:
    """A second entry for a file goes when it says nothing that the first one, or the memory, does not say."""
    directory = work.directory
    seen: dict[str, Entry] = {}
    lines: list[int] = []
    for entry in directory.entries(index):
        target = entry.targets[0]
        rel = resolve(index.rel, target.path)
        if target.external or rel is None or len(entry.targets) != 1 or "#" in index.slice(target.span):
            continue
        first = seen.setdefault(rel, entry)
        if first is entry or _has_lines_below(index, entry):
            continue
        memory = directory.get(rel)
        known = normalised(f"{first.hook} {memory.description + ' ' + memory.body if memory else ''}")
        if normalised(entry.hook) in known:
            lines.append(entry.line)
    if lines:
        edits = line_deletions(index, lines)
        work.edit(index, edits, msg("double entries removed: {count}", count=len(lines)))


def _shorten(work: Work, index: Document, *, keep_text: bool) -> None:
    """Entries that are too long get the memory's description, or are cut at a word."""
    settings, directory = work.context.settings, work.directory
    edits: list[Edit] = []
    for entry in directory.entries(index):
        if len(entry.span) <= settings.entry_warn or not entry.hook or entry.kind == "table":
            continue
        at = index.text.rfind(entry.hook, entry.span.start, entry.span.end)
        room = settings.entry_info - (len(entry.span) - len(entry.hook))
        if at < 0 or room < _MIN_HOOK:
            continue
        rel = resolve(index.rel, entry.targets[0].path)
        memory = directory.get(rel) if rel else None
        if memory is None or memory.kind != "topic":
            if not keep_text:
                edits.append(Edit(Span(at, at + len(entry.hook)), shorten(entry.hook, room)))
            continue  # there is no place where the rest of the text could go
        description = " ".join(memory.description.split())
        hook = description if description and len(description) <= room else shorten(entry.hook, room)
        edits.append(Edit(Span(at, at + len(entry.hook)), hook))
        if keep_text and normalised(entry.hook) not in normalised(f"{memory.description} {memory.body}"):
            _move_text(work, memory, entry.hook, index.rel)
    if edits:
        work.edit(index, edits, msg("long entries shortened at a word: {count}", count=len(edits)))


def _move_text(work: Work, memory: Document, text: str, index: str) -> None:
    end, newline = len(memory.text), memory.newline
    lead = "" if memory.text.endswith(("\n", "\r")) or not memory.text else newline
    reason = msg("takes over what its entry in {index} said in full", index=index)
    work.edit(memory, [Edit(Span(end, end), f"{lead}{newline}{text}{newline}")], reason)


def _list_missing(work: Work, rel: str) -> None:
    """Entries for memories that no index reaches, newest first; a missing index is made."""
    directory, settings = work.directory, work.context.settings
    team = rel == TEAM_INDEX
    index = directory.get(rel)
    missing = [
        d
        for d in directory.topics()
        if d.rel not in directory.reachable
        and d.rel.startswith("team/") == team
        and not excluded(d.rel, settings)
    ]
    if not missing or (
        team and index is None and INDEX_NAME in directory and not directory.has_folder("team")
    ):
        return
    missing.sort(key=lambda d: (-_age(d), d.rel))
    reason = msg("lists what no index listed ({files})", files=_some([d.rel for d in missing]))  # fmt: skip
    if index is None:
        empty = Document(directory.path_of(rel), rel, b"")
        lines = [entry_line(Shape(), link_path(empty, d), d, settings.entry_info) + "\n" for d in missing]
        work.put(rel, encode("".join(lines)), reason)
    else:
        work.edit(index, list(additions(directory, index, missing, settings)), reason)


def _age(document: Document) -> float:
    when = written(document)
    return when.at.timestamp() if when else 0.0


def _has_lines_below(index: Document, entry: Entry) -> bool:
    """Indented text belongs to the entry above it."""
    lines = index.lines
    indent = len(lines.line(entry.line)) - len(lines.line(entry.line).lstrip())
    if entry.line + 1 >= lines.count:
        return False
    below = lines.line(entry.line + 1)
    return bool(below.strip()) and len(below) - len(below.lstrip()) > indent


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
