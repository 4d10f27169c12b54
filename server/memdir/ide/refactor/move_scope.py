"""Move a memory between private and team: the file, its index entry, and the links that point to it."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import TEAM_INDEX, Directory
from memdir.core.document import INDEX_NAME, Document
from memdir.core.fixing import line_deletion
from memdir.core.i18n import msg
from memdir.core.index import resolve
from memdir.core.index_edit import Shape, additions, entry_line, link_path
from memdir.core.model import CreateFile, Edit, EditFile, FileChange, RenameFile, Span
from memdir.core.rule import Context
from memdir.core.rules.user_memory_in_team import is_user_memory
from memdir.core.secrets import scan
from memdir.ide.refactor.action import Action


def offer(document: Document, span: Span, context: Context) -> Iterator[Action]:
    """To the team unless the memory is about a person or holds a credential; to private always."""
    if document.kind != "topic" or document.scope == "agent":
        return
    header = document.frontmatter
    if header is not None and not header.span.touches(span.start):
        return
    if document.scope == "team":
        yield Action(
            msg("Move to private memory"),
            "refactor.move",
            move(document, context, team=False),
            look_first=True,
        )
    elif refusal(document) is None:
        yield Action(
            msg("Move to team memory"), "refactor.move", move(document, context, team=True), look_first=True
        )


def refusal(document: Document) -> str | None:
    """Why a memory may not go to the team: 'user' or 'secret'; None when it may."""
    if is_user_memory(document):
        return "user"
    return "secret" if scan(document.text) else None


def move(document: Document, context: Context, *, team: bool) -> tuple[FileChange, ...]:
    """The changes that move `document`; a name that is taken there gets a number."""
    directory = context.directory
    rel = document.rel.removeprefix("team/")
    new = _free(directory, ("team/" + rel) if team else rel)
    moved = Document(directory.path_of(new), new, document.content, document.mtime)
    changes: dict[str, list[Edit]] = {}
    for source in directory.cited_by(document.rel):
        changes.setdefault(source.rel, []).extend(_link_edits(source, document.rel, new))
    own = _own_links(document, new)
    new_index = TEAM_INDEX if team else INDEX_NAME
    old_index = INDEX_NAME if team else TEAM_INDEX
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
            changes[old.rel] = [*kept, *(line_deletion(old, line) for line in lines)]
    result: list[FileChange] = []
    if own:
        result.append(document.edit(*own))
    result.append(RenameFile(document.path, moved.path, document.hash))
    index = directory.get(new_index)
    if index is not None:
        changes.setdefault(index.rel, []).extend(additions(directory, index, [moved], context.settings))
    else:
        empty = Document(directory.path_of(new_index), new_index, "")
        line = entry_line(Shape(), link_path(empty, moved), moved, context.settings.entry_info)
        result.append(CreateFile(empty.path, (line + "\n").encode()))
    for changed_rel, edits in changes.items():
        changed = directory.get(changed_rel)
        if changed is not None and edits and changed.rel != document.rel:
            result.append(EditFile(changed.path, tuple(edits), changed.hash))
    return tuple(result)


def _free(directory: Directory, rel: str) -> str:
    stem, number, found = rel[:-3], 2, rel
    while found in directory:
        found, number = f"{stem}_{number}.md", number + 1
    return found


def relative_path(source: str, target: str) -> str:
    """How the file `source` writes a link to `target`; both relative to the memory directory."""
    here, there = source.split("/")[:-1], target.split("/")
    common = 0
    while common < min(len(here), len(there) - 1) and here[common] == there[common]:
        common += 1
    return "/".join([".."] * (len(here) - common) + there[common:])


def _link_edits(source: Document, old: str, new: str) -> list[Edit]:
    """Markdown links from `source` to `old`, pointed at `new`; wikilinks find it by its name as before."""
    edits = []
    for link in source.markdown.links:
        if (
            not link.external
            and link.path
            and link.kind == "inline"
            and resolve(source.rel, link.path) == old
        ):
            anchor = link.target[len(link.target.split("#")[0]) :]
            edits.append(Edit(link.target_span, relative_path(source.rel, new) + anchor))
    return edits


def _own_links(document: Document, new: str) -> list[Edit]:
    """The document's own relative links, as they must read from its new place."""
    edits = []
    for link in document.markdown.links:
        if link.external or not link.path or link.kind != "inline":
            continue
        target = resolve(document.rel, link.path)
        if target is None or resolve(new, link.path) == target:
            continue
        anchor = link.target[len(link.target.split("#")[0]) :]
        edits.append(
            Edit(Span(link.target_span.start, link.target_span.end), relative_path(new, target) + anchor)
        )
    return edits
