"""Take a section out of a memory or an index into a memory of its own, and leave a pointer."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.index_edit import Shape, additions, entry_line, link_path
from memdir.core.markdown import Heading
from memdir.core.model import CreateFile, Edit, FileChange, Span
from memdir.core.naming import memory_rel
from memdir.core.prose import first_sentence
from memdir.core.rule import Context
from memdir.core.save_text import new_text
from memdir.ide.refactor.action import Action


def offer(document: Document, span: Span, context: Context) -> Iterator[Action]:
    """For the section that the cursor or the selection stands in."""
    found = section_at(document, span)
    if found is None:
        return
    heading, section = found
    if section == Span(document.body_start, len(document.text)) and document.kind == "topic":
        return  # the whole memory is one already
    changes = extraction(document, heading, section, context)
    if changes:
        created = next(c for c in changes if isinstance(c, CreateFile))
        rel = created.path[len(context.directory.root) + 1 :]
        yield Action(
            msg("Extract “{title}” to {path}", title=heading.text, path=rel), "refactor.extract", changes
        )


def section_at(document: Document, span: Span) -> tuple[Heading, Span] | None:
    """The innermost section around `span`: its heading, and the span from the heading to the next of its level."""
    headings = document.markdown.headings
    before = [h for h in headings if h.span.start <= span.start]
    if not before:
        return None
    heading = before[-1]
    end = next(
        (h.span.start for h in headings if h.span.start > heading.span.start and h.level <= heading.level),
        len(document.text),
    )
    return (heading, Span(heading.span.start, end)) if span.end <= end else None


def extraction(
    document: Document, heading: Heading, section: Span, context: Context
) -> tuple[FileChange, ...]:
    """The changes that make a memory of a section; empty when it holds nothing but its heading."""
    body = document.text[heading.span.end : section.end].strip()
    title = heading.text.strip("*_` #")
    if not body or not title:
        return ()
    memory = new_memory(document, title, body, context)
    directory = context.directory
    created = CreateFile(memory.path, memory.content)
    tail = document.newline if section.end < len(document.text) else ""
    if document.kind == "index":
        line = entry_line(Shape(), link_path(document, memory), memory, context.settings.entry_info)
        return created, document.edit(Edit(section, line + document.newline + tail))
    pointer = f"{document.slice(heading.span)}{document.newline}{document.newline}See [[{memory.stem}]].{document.newline}{tail}"
    changes: list[FileChange] = [created, document.edit(Edit(section, pointer))]
    index = directory.index_for(document)
    if index is not None:
        changes.append(index.edit(*additions(directory, index, [memory], context.settings)))
    return tuple(changes)


def new_memory(document: Document, title: str, body: str, context: Context) -> Document:
    """A memory of the same scope and type as `document` (project, from an index) with a free file name."""
    directory = context.directory
    type_ = document.type if document.kind == "topic" and document.type else "project"
    rel = memory_rel(type_, title, directory.documents, team=document.scope == "team")
    description = first_sentence(Document("", rel, body), 150) or title
    text = new_text(directory, title, description, type_, body.replace("\r\n", "\n"))
    return Document(directory.path_of(rel), rel, text)
