"""Pointers to a memory that is merged into another one: they lead to the other one afterwards."""

from __future__ import annotations

from memdir.core.consolidate.work import Work
from memdir.core.directory import fold
from memdir.core.document import Document
from memdir.core.fixing import line_deletion
from memdir.core.i18n import msg
from memdir.core.index import resolve
from memdir.core.index_edit import target_edit
from memdir.core.model import Edit, Span
from memdir.core.moving import relative_path


def redirect(work: Work, gone: Document, keep: Document) -> list[str]:
    """Point everything that leads to `gone` to `keep` instead; an index that lists both loses the second line.

    Gives the files that were changed.
    """
    directory = work.directory
    names = {fold(gone.stem), fold(gone.name)} - {"", fold(keep.stem), fold(keep.name)}
    for other in directory.topics():
        if other.rel not in (gone.rel, keep.rel):
            names -= {fold(other.stem), fold(other.name)}  # such a wikilink still leads somewhere
    touched = []
    for source in directory.cited_by(gone.rel):
        if source.rel == gone.rel:
            continue
        edits = _edits(work, source, gone, keep, names)
        if edits:
            work.edit(source, edits, msg("{gone} is merged into {keep}", gone=gone.rel, keep=keep.rel))
            touched.append(source.rel)
    return touched


def _edits(work: Work, source: Document, gone: Document, keep: Document, names: set[str]) -> list[Edit]:
    lists_keep = False
    dropped: set[int] = set()
    entries = work.directory.entries(source) if source.kind == "index" else ()
    for entry in entries:
        lists_keep |= any(resolve(source.rel, t.path) == keep.rel for t in entry.targets)
    for entry in entries:
        mine = [t for t in entry.targets if resolve(source.rel, t.path) == gone.rel]
        if mine and lists_keep and len(entry.targets) == 1:
            dropped.add(entry.line)
    edits = [line_deletion(source, line) for line in sorted(dropped)]
    for link in source.markdown.links:
        if link.external or not link.path or resolve(source.rel, link.path) != gone.rel:
            continue
        if source.lines.line_of(link.span.start) not in dropped:
            edits.append(target_edit(source, link.target_span, relative_path(source.rel, keep.rel)))
    for wiki in source.markdown.wikilinks:
        if fold(wiki.name.rsplit("/", 1)[-1].removesuffix(".md")) in names:
            if source.lines.line_of(wiki.span.start) not in dropped:
                edits.append(Edit(wiki.name_span, keep.stem))
    return _disjoint(edits)


def _disjoint(edits: list[Edit]) -> list[Edit]:
    """Edits in order; deletions of neighbouring lines that overlap become one."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda e: e.span):
        if found and edit.span.start < found[-1].span.end:
            last = found[-1]
            if not edit.text and not last.text:
                found[-1] = Edit(Span(last.span.start, max(last.span.end, edit.span.end)), "")
            continue
        found.append(edit)
    return found
