"""Room in an index that is over its limits: passages of content become memories, then the oldest entries move into a
second-level index.

What a second-level index lists is reached as long as one entry leads to it, so the memories stay known; what was cut off
by the limit was not.
"""

from __future__ import annotations

from memdir.core.consolidate.work import Work, only_rules
from memdir.core.document import Document
from memdir.core.fixing import line_deletions
from memdir.core.header_edit import new_header
from memdir.core.i18n import msg
from memdir.core.index import Entry, load, resolve
from memdir.core.index_edit import Shape, entry_line, link_path
from memdir.core.lint import check_document
from memdir.core.model import CreateFile, Diagnostic, Edit, EditFile, Span
from memdir.core.staleness import written
from memdir.core.text import apply_edits, encode, units

ROOM = 0.95  # of the limits is filled, so that the next few memories can be listed
_MAX_PASSAGES = 50
# Facts about projects age fastest, what is known of the person slowest.
_KEEP_LONGER = {"project": 0, "reference": 1, "feedback": 2, "user": 3}


def make_room(work: Work, rel: str) -> None:
    """Move content, then the oldest entries, out of the index `rel` when it is over a limit."""
    settings, directory = work.context.settings, work.directory
    if not (settings.runs("index-over-line-limit") or settings.runs("index-over-size-limit")):
        return
    _move_content(work, rel)
    index = directory.documents[rel]
    loaded = directory.loaded(index, settings.index_lines, settings.index_size)
    if not loaded.truncated:
        return
    archive = ("team/" if rel.startswith("team/") else "") + "reference_archive.md"
    lines_left = loaded.lines - int(settings.index_lines * ROOM) + 1  # the line that leads to the archive
    units_left = loaded.utf16 - int(settings.index_size * ROOM) + 150
    moved: list[Entry] = []
    for entry in sorted(_movable(work, index, archive), key=lambda e: _order(work, index, e)):
        if lines_left <= 0 and units_left <= 0:
            break
        moved.append(entry)
        lines_left -= 1
        units_left -= units(index.slice(entry.span)) + 1
    if moved:
        _move(work, index, archive, moved)
    index = directory.documents[rel]
    if load(index, settings.index_lines, settings.index_size).truncated:
        work.notes.append(
            msg(
                "{index} is still over its limits: it holds text that is no entry. Move that into memories.",
                index=rel,
            )
        )


def _move_content(work: Work, rel: str) -> None:
    """While the index is over a limit: its longest passage of content becomes a memory (the rule knows how)."""
    settings, directory = work.context.settings, work.directory
    context = only_rules(work.context, ("index-holds-content",))
    for _ in range(_MAX_PASSAGES):
        index = directory.documents[rel]
        if not directory.loaded(index, settings.index_lines, settings.index_size).truncated:
            return
        found = [d for d in check_document(index, context) if d.fix is not None]
        if not found:
            return
        fix = max(found, key=_lines).fix
        assert fix is not None
        for change in fix.changes:
            if isinstance(change, CreateFile):
                new = change.path.removeprefix(directory.root + "/")
                work.put(new, change.content, msg("takes over content that stood in {index}", index=rel))
                work.groups.append(frozenset({rel, new}))
            elif isinstance(change, EditFile):
                work.edit(index, change.edits, msg("content moves into memories of its own"))


def _lines(diagnostic: Diagnostic) -> int:
    """How many lines a passage has, as the rule says."""
    data = diagnostic.data or {}
    first, last = data.get("first_line"), data.get("last_line")
    return last - first if isinstance(first, int) and isinstance(last, int) else 0


def _movable(work: Work, index: Document, archive: str) -> list[Entry]:
    found = []
    for entry in work.directory.entries(index):
        if entry.kind != "bullet" or len(entry.targets) != 1 or entry.targets[0].external:
            continue
        rel = resolve(index.rel, entry.targets[0].path)
        document = work.directory.get(rel) if rel else None
        if document is None or rel == archive or work.directory.is_listing(document):
            continue
        below = index.lines.line(entry.line + 1)
        if below.strip() and below[0] in " \t":
            continue  # text that belongs to the entry would stay behind
        found.append(entry)
    return found


def _order(work: Work, index: Document, entry: Entry) -> tuple[int, float, int]:
    rel = resolve(index.rel, entry.targets[0].path)
    document = work.directory.get(rel) if rel else None
    when = written(document) if document else None
    kind = _KEEP_LONGER.get(document.type, 0) if document else 0
    return kind, when.at.timestamp() if when else 0.0, entry.line


def _move(work: Work, index: Document, archive: str, moved: list[Entry]) -> None:
    directory = work.directory
    moved = sorted(moved, key=lambda e: e.line)
    rows = [index.slice(e.span) + "\n" for e in moved]
    text = apply_edits(index.text, line_deletions(index, (e.line for e in moved)))
    count = len(moved)
    reason = msg(
        "takes over older entries that {index} has no room for: {count}",
        count=count,
        index=index.rel,
    )
    present = directory.get(archive)
    if present is None:
        header = new_header(
            "Archive of the index",
            f"Second-level index: older memories that {index.rel} has no room for",
            "reference",
        )
        document = work.put(archive, encode(f"{header}\n{''.join(rows)}"), reason)
        line = entry_line(Shape(), link_path(index, document), document, work.context.settings.entry_info)
        text = text if not text or text.endswith("\n") else text + "\n"
        text += line + "\n"
    else:
        lead = "" if present.text.endswith(("\n", "\r")) else present.newline
        end = len(present.text)
        work.edit(present, [Edit(Span(end, end), lead + "".join(rows))], reason)
    work.groups.append(frozenset({index.rel, archive}))
    work.put(
        index.rel,
        encode(text, index.bom),
        msg("older entries moved to {archive}: {count}", count=count, archive=archive),
        mtime=index.mtime,
    )
