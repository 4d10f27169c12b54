"""Renaming a memory, its name or its file, and everything that points to it; files that moved or go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.directory import Directory, fold, link_name
from memdir.core.document import Document
from memdir.core.header_edit import quote
from memdir.core.i18n import Message, msg
from memdir.core.index import resolve
from memdir.core.lazy_re import lazy
from memdir.core.model import ChangeSet, Edit, EditFile, FileChange, RenameFile, Span
from memdir.core.moving import own_links, path_edit, relative_path
from memdir.core.rule import Context
from memdir.ide.pointers import Pointer, pointer_at, pointers_to

What: TypeAlias = Literal["name", "file"]
_FORBIDDEN = lazy(r"[\x00-\x1f\x7f/\\:*?\"<>|\[\]()#]")
_UNLINKABLE = lazy(r"[\[\]|#]")
_TITLE_MARKS = str.maketrans({"[": r"\[", "]": r"\]"})


class RenameError(Exception):
    """The rename can't be done; `message` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


@dataclass(frozen=True, slots=True)
class Renamable:
    """What a rename at a place would change: the name in the header or the file; `span` holds `text` now."""

    document: Document
    what: What
    span: Span
    text: str


def prepare(document: Document, context: Context, offset: int) -> Renamable | None:
    """What can be renamed at `offset`: the name in a header, or the memory that a pointer means.

    A wikilink by name renames the name, one by file stem the file, as do index entries and links.
    """
    header = document.frontmatter
    field = header.find("name") if header is not None else None
    if field is not None and document.kind == "topic" and field.value_span.touches(offset):
        return Renamable(document, "name", field.value_span, field.value)
    pointer = pointer_at(document, context.directory, offset)
    meant = context.directory.get(pointer.rel) if pointer is not None and pointer.rel else None
    if pointer is None or meant is None or meant.kind != "topic":
        return None
    if pointer.kind in ("wikilink", "header"):
        written = document.slice(pointer.span)
        by_stem = fold(link_name(written)) == fold(meant.stem)
        return Renamable(
            meant, "file" if by_stem else "name", pointer.span, meant.stem if by_stem else meant.name
        )
    return Renamable(meant, "file", pointer.span, meant.stem)


def rename(target: Renamable, new: str, context: Context) -> ChangeSet:
    """The changes that give the memory its new name or file name. Raises RenameError."""
    new = new.strip()
    if not new or "\n" in new or "\r" in new:
        raise RenameError(msg("A name has one line and is not empty."))
    return (
        _rename_name(target.document, new, context)
        if target.what == "name"
        else _rename_file(target, new, context)
    )


def _rename_name(document: Document, new: str, context: Context) -> ChangeSet:
    header = document.frontmatter
    field = header.find("name") if header is not None else None
    if field is None or field.style in ("block", "flow", "map"):
        raise RenameError(msg("{file} has no name in its header that could be changed.", file=document.rel))
    edits = _Edits()
    lead = " " if field.style == "null" and document.text[field.value_span.start - 1] == ":" else ""
    edits.add(document, Edit(field.value_span, lead + quote(new)))
    old = document.name
    for source, pointer in pointers_to(document.rel, context.directory):
        if pointer.kind in ("wikilink", "header") and _by_name(source, pointer, document):
            edits.add(source, Edit(pointer.span, _linkable(new)))
    for index in context.directory.indexes():
        for entry in context.directory.entries(index):
            means_it = len(entry.targets) == 1 and resolve(index.rel, entry.targets[0].path) == document.rel
            if means_it and entry.title == old and entry.title_span != entry.targets[0].span:
                edits.add(index, Edit(entry.title_span, new.translate(_TITLE_MARKS)))
    return ChangeSet(msg("Rename “{old}” to “{new}”", old=old, new=new), edits.changes(), "rename")


def _linkable(name: str) -> str:
    """A name as a wikilink or a list in a header can hold it."""
    return " ".join(_UNLINKABLE.sub(" ", name).split())


def _by_name(source: Document, pointer: Pointer, meant: Document) -> bool:
    written = fold(link_name(source.slice(pointer.span)))
    return written != fold(meant.stem) and written == fold(meant.name)


def _rename_file(target: Renamable, new: str, context: Context) -> ChangeSet:
    document = target.document
    stem = new[:-3] if new.lower().endswith(".md") else new
    if not stem or _FORBIDDEN.search(stem) or stem.startswith(".") or stem.strip(". ") != stem:
        raise RenameError(msg("“{name}” can't be a file name here: use letters, digits, - and _.", name=new))
    folder, slash, _ = document.rel.rpartition("/")
    rel = f"{folder}{slash}{stem}.md"
    if rel == document.rel:
        raise RenameError(msg("The file has this name already."))
    if rel in context.directory and rel.casefold() != document.rel.casefold():
        raise RenameError(msg("{file} exists already; choose another name or merge both.", file=rel))
    changes = moved_edits({document.rel: rel}, context.directory)
    path = context.directory.path_of(rel)
    title = msg("Rename {old} to {new}", old=document.rel, new=rel)
    return ChangeSet(title, (*changes, RenameFile(document.path, path, document.hash)), "rename")


def moved_edits(moves: Mapping[str, str], directory: Directory) -> tuple[FileChange, ...]:
    """The edits that keep every pointer right when files move (old -> new relative path); the moves themselves not.

    Index entries and links get the new path, wikilinks by stem the new stem; links of the moved files follow their
    place. Edits of a moved file are made before it moves.
    """
    edits = _Edits()
    for old in moves:
        for source, pointer in pointers_to(old, directory):
            edit = _repointed(source, pointer, old, moves)
            if edit is not None:
                edits.add(source, edit)
        document = directory.get(old)
        if document is not None:
            for edit in own_links(document, moves):
                edits.add(document, edit)
    return edits.changes()


def _repointed(source: Document, pointer: Pointer, old: str, moves: Mapping[str, str]) -> Edit | None:
    new = moves[old]
    if pointer.kind in ("wikilink", "header"):
        before, after = _stem(old), _stem(new)
        written = source.slice(pointer.span)
        if before == after or fold(link_name(written)) != fold(before):
            return None
        tail = ".md" if written.lower().endswith(".md") else ""
        return Edit(pointer.span, after + tail)
    if pointer.kind not in ("entry", "link"):
        return None
    here = moves.get(source.rel, source.rel)
    return path_edit(source, pointer.span, relative_path(here, new))


def _stem(rel: str) -> str:
    name = rel.rsplit("/", 1)[-1]
    return name[:-3] if name.lower().endswith(".md") else name


class _Edits:
    """Edits by document, each place once."""

    def __init__(self) -> None:
        self._by_rel: dict[str, tuple[Document, dict[Span, Edit]]] = {}

    def add(self, document: Document, edit: Edit) -> None:
        _, known = self._by_rel.setdefault(document.rel, (document, {}))
        if (
            not any(edit.span.overlaps(span) and len(span) for span in known)
            and document.slice(edit.span) != edit.text
        ):
            known[edit.span] = edit

    def changes(self) -> tuple[FileChange, ...]:
        return tuple(
            EditFile(document.path, tuple(edits.values()), document.hash)
            for _, (document, edits) in sorted(self._by_rel.items())
            if edits
        )


def pointer_count(rels: Iterable[str], directory: Directory) -> int:
    """How many places point to these files."""
    return sum(1 for rel in rels for source, _ in pointers_to(rel, directory) if source.rel != rel)
