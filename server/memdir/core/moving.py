"""Memories that change their place: the move between private and team memory, and links as they read from elsewhere.

Paths are relative to the memory directory. What a rename changes beside links is in `memdir.ide.rename`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memdir.core.directory import TEAM_INDEX, Directory, fold, link_name
from memdir.core.document import INDEX_NAME, Document
from memdir.core.fixing import line_deletions
from memdir.core.index import resolve
from memdir.core.index_edit import Shape, additions, entry_line, link_path
from memdir.core.lazy_re import lazy
from memdir.core.model import CreateFile, Edit, EditFile, FileChange, RenameFile, Span
from memdir.core.naming import free_rel
from memdir.core.settings import Settings

_ESCAPE = lazy(r"%(?=[0-9A-Fa-f]{2})")


def move(
    document: Document, directory: Directory, settings: Settings, *, team: bool
) -> tuple[FileChange, ...]:
    """The changes that move `document` to the team or back: the file, its index entry, and the links from and to it.

    A name that is taken there gets a number. An index that is missing there is made.
    """
    rel = document.rel.removeprefix("team/")
    new = free_rel(("team/" + rel) if team else rel, directory.documents)
    moved = Document(directory.path_of(new), new, document.content, document.mtime)
    changes: dict[str, list[Edit]] = {}
    for source in directory.cited_by(document.rel):
        changes.setdefault(source.rel, []).extend(_links_to(source, document, new, directory))
    own = [*_links_to(document, document, new, directory), *own_links(document, {document.rel: new})]
    new_index, old_index = (TEAM_INDEX, INDEX_NAME) if team else (INDEX_NAME, TEAM_INDEX)
    old = directory.get(old_index)
    if old is not None:
        lines = [
            e.line
            for e in directory.entries(old)
            if len(e.targets) == 1 and resolve(old.rel, e.targets[0].path) == document.rel
        ]
        if lines:
            gone = [old.lines.span(line, with_break=True) for line in lines]
            kept = [e for e in changes.get(old.rel, []) if not any(s.overlaps(e.span) for s in gone)]
            changes[old.rel] = [*kept, *line_deletions(old, lines)]
    result: list[FileChange] = []
    if own:
        result.append(document.edit(*own))
    result.append(RenameFile(document.path, moved.path, document.hash))
    index = directory.get(new_index)
    if index is not None:
        changes.setdefault(index.rel, []).extend(additions(directory, index, [moved], settings))
    else:
        empty = Document(directory.path_of(new_index), new_index, "")
        line = entry_line(Shape(), link_path(empty, moved), moved, settings.entry_info)
        result.append(CreateFile(empty.path, (line + "\n").encode()))
    for changed_rel, edits in changes.items():
        changed = directory.get(changed_rel)
        if changed is not None and edits:
            result.append(EditFile(changed.path, tuple(edits), changed.hash))
    return tuple(result)


def relative_path(source: str, target: str) -> str:
    """How the file `source` writes a link to `target`."""
    here, there = source.split("/")[:-1], target.split("/")
    common = 0
    while common < min(len(here), len(there) - 1) and here[common] == there[common]:
        common += 1
    return "/".join([".."] * (len(here) - common) + there[common:])


def path_edit(source: Document, span: Span, path: str) -> Edit:
    """A path in the place of another: its `./` and its anchor stay; what a link can't hold as it is gets escaped."""
    written = source.slice(span)
    before = source.text[span.start - 1 : span.start]
    anchor = written[written.index("#") :] if "#" in written else ""
    lead = "./" if written.startswith("./") and not path.startswith("../") else ""
    if before == "<":
        path = _escaped(path, "<>#?")
    elif before in ("(", " ", "\t"):
        path = _escaped(path, " ()#?")
    return Edit(span, lead + path + anchor)


def own_links(document: Document, moves: Mapping[str, str]) -> Iterator[Edit]:
    """Links of a file that moves to another folder, as they read from there; those to files that move too are left out.

    `moves` says where files go (old -> new), the document among them.
    """
    new = moves[document.rel]
    if new.rpartition("/")[0] == document.rel.rpartition("/")[0]:
        return
    for link in document.markdown.links:
        if link.external or not link.path or link.kind != "inline":
            continue
        target = resolve(document.rel, link.path)
        if target is not None and target not in moves:
            yield path_edit(document, link.target_span, relative_path(new, target))


def _links_to(source: Document, document: Document, new: str, directory: Directory) -> Iterator[Edit]:
    """Links from `source` (maybe the document itself) to `document`, pointed at its new place.

    Wikilinks find it by its name as before, unless its file got another one.
    """
    here = new if source is document else source.rel
    for link in source.markdown.links:
        meant = resolve(source.rel, link.path) if link.path and not link.external else None
        if meant == document.rel and link.kind == "inline":
            yield path_edit(source, link.target_span, relative_path(here, new))
    stem = link_name(new)
    if stem == document.stem:
        return
    for wiki in source.markdown.wikilinks:
        if fold(link_name(wiki.name)) == fold(document.stem):
            found = directory.resolve_wikilink(wiki.name, source)
            if found and found[0] is document:
                yield Edit(wiki.name_span, stem)


def _escaped(path: str, characters: str) -> str:
    path = _ESCAPE.sub("%25", path)
    for c in characters:
        path = path.replace(c, f"%{ord(c):02X}")
    return path
