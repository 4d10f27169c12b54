"""Forgetting a memory: the file goes, and with it every pointer to it (index lines, links, wikilinks)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memdir.core.directory import Directory, fold
from memdir.core.document import Document
from memdir.core.fixing import line_deletions
from memdir.core.i18n import Message, msg
from memdir.core.index import resolve
from memdir.core.model import ChangeSet, DeleteFile, Edit, EditFile, FileChange


@dataclass(frozen=True, slots=True)
class ForgetPlan:
    """What forgetting would do. `matches`: memories that the words may mean; `change_set` is empty unless it is one."""

    change_set: ChangeSet
    matches: tuple[Document, ...]


def plan_forget(directory: Directory, what: str) -> ForgetPlan:
    """The change set that forgets `what`: a relative path, a file stem or a name.

    Several memories of that name give no change set: the person picks a path. None at all gives the memories on the
    subject of these words as matches.
    """
    title = msg("Forget “{name}”", name=what)
    found = find_memory(directory, what)
    if len(found) == 1:
        title = msg("Forget “{name}”", name=found[0].title)
        return ForgetPlan(
            ChangeSet(title, forget_changes(directory, found[0], title), "delete"), tuple(found)
        )
    if not found:
        from memdir.core.subject import on_subject

        near = on_subject(directory, what, "", loosely=True)
        found = [d for c in near if (d := directory.get(c.rel)) is not None]
    return ForgetPlan(ChangeSet(title, (), "delete"), tuple(found))


def find_memory(directory: Directory, what: str) -> list[Document]:
    """Memories that `what` names exactly: by path, else by stem or name (compared as wikilinks are)."""
    what = what.strip()
    for rel in (what, f"{what}.md"):
        document = directory.get(rel)
        if document is not None and document.kind == "topic":
            return [document]
    stem = what.removesuffix(".md")
    found = {d.rel: d for d in (*directory.with_stem(stem), *directory.named(what)) if d.kind == "topic"}
    return [found[rel] for rel in sorted(found)]


def forget_changes(
    directory: Directory, document: Document, reason: Message | None = None
) -> tuple[FileChange, ...]:
    """The deletion of `document` and the edits that take every pointer to it out of the other files."""
    edits = pointer_edits(directory, document)
    return (DeleteFile(document.path, document.hash, reason), *edits)


def pointer_edits(directory: Directory, document: Document) -> tuple[EditFile, ...]:
    """Edits of the files that point to `document`: entries of an index lose their line, links become plain text."""
    namesakes = {fold(document.stem), fold(document.name)} - {""}
    for other in directory.topics():
        if other is not document:
            namesakes -= {fold(other.stem), fold(other.name)}  # such a wikilink still leads somewhere
    found = []
    for source in directory.cited_by(document.rel):
        edits = list(_edits(directory, source, document, namesakes))
        if edits:
            found.append(
                source.edit(*edits, reason=msg("It points to “{name}”, which goes.", name=document.title))
            )
    return tuple(found)


def _edits(directory: Directory, source: Document, document: Document, names: set[str]) -> Iterable[Edit]:
    lines: set[int] = set()
    lists = source.kind == "index" or _is_list(directory, source)
    for entry in directory.entries(source) if lists else ():
        if all(resolve(source.rel, t.path) == document.rel for t in entry.targets):
            lines.add(entry.line)
    kept: list[Edit] = []
    for link in source.markdown.links:
        if not link.external and link.path and resolve(source.rel, link.path) == document.rel:
            kept.append(Edit(link.span, link.text))
    for wiki in source.markdown.wikilinks:
        if fold(wiki.name.rsplit("/", 1)[-1].removesuffix(".md")) not in names:
            continue
        line = source.lines.line_of(wiki.span.start)
        before = source.text[source.lines.start(line) : wiki.span.start]
        if lists and not before.strip(" \t*-+"):
            lines.add(line)
        else:
            kept.append(Edit(wiki.span, source.slice(wiki.span).strip("[]").rpartition("|")[2]))
    yield from line_deletions(source, lines)
    yield from (e for e in kept if source.lines.line_of(e.span.start) not in lines)


def _is_list(directory: Directory, source: Document) -> bool:
    """A second-level index: most lines of its body are entries. Elsewhere a line says more than its link."""
    lines = [line for line in source.body.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return len(directory.entries(source)) * 2 > len(lines)
