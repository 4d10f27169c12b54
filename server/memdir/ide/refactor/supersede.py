"""Replace a memory by a new one without losing the old: both link to each other (keys seen in real directories)."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.header_edit import set_field
from memdir.core.i18n import msg
from memdir.core.index_edit import additions
from memdir.core.model import CreateFile, FileChange, Span
from memdir.core.naming import memory_rel
from memdir.core.rule import Context
from memdir.core.save_text import new_text
from memdir.ide.refactor.action import Action


def offer(document: Document, span: Span, context: Context) -> Iterator[Action]:
    """When the cursor stands in the header of a memory that nothing supersedes yet."""
    header = document.frontmatter
    if document.kind != "topic" or header is None or not header.closed or not header.span.touches(span.start):
        return
    if header.find("superseded_by") or not document.type or document.type == document.stem:
        return
    directory = context.directory
    team = document.scope == "team"
    rel = memory_rel(document.type, document.title, directory.documents, team=team)
    text = new_text(
        directory,
        document.title,
        document.description or document.title,
        document.type,
        document.body.strip(),
    )
    memory = Document(directory.path_of(rel), rel, text)
    assert memory.frontmatter is not None
    link = set_field(memory.text, memory.frontmatter, "supersedes", document.stem)
    text = memory.text[: link.span.start] + link.text + memory.text[link.span.end :]
    changes: list[FileChange] = [
        CreateFile(memory.path, text.encode("utf-8", "surrogateescape")),
        document.edit(
            set_field(document.text, header, "superseded_by", memory.stem, newline=document.newline)
        ),
    ]
    index = directory.index_for(document)
    if index is not None:
        changes.append(index.edit(*additions(directory, index, [memory], context.settings)))
    yield Action(
        msg("Supersede by a new memory ({path})", path=rel),
        "refactor.rewrite",
        tuple(changes),
        look_first=True,
    )
