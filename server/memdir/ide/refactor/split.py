"""Split a memory that holds several facts: one memory per section, the introduction stays."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.index_edit import additions
from memdir.core.model import CreateFile, Edit, FileChange, Span
from memdir.core.rule import Context
from memdir.ide.refactor.action import Action
from memdir.ide.refactor.extract import new_memory

MIN_SECTIONS = 2


def offer(document: Document, span: Span, context: Context) -> Iterator[Action]:
    """When the memory has two or more sections of its highest repeated level."""
    if document.kind != "topic" or document.text.count("#") < MIN_SECTIONS:
        return
    sections = facts(document)
    if len(sections) < MIN_SECTIONS:
        return
    directory = context.directory
    taken = directory
    changes: list[FileChange] = []
    memories: list[Document] = []
    lines = []
    newline = document.newline
    for title, section, body in sections:
        memory = new_memory(document, title, body, context)
        number = 2
        while memory.rel in taken or any(m.rel == memory.rel for m in memories):
            memory = new_memory(document, f"{title} {number}", body, context)
            number += 1
        memories.append(memory)
        changes.append(CreateFile(memory.path, memory.content))
        lines.append(f"- [[{memory.stem}]] — {title}{newline}")
        del section
    start, end = sections[0][1].start, sections[-1][1].end
    changes.append(document.edit(Edit(Span(start, end), "".join(lines))))
    index = directory.index_for(document)
    if index is not None:
        changes.append(index.edit(*additions(directory, index, memories, context.settings)))
    yield Action(
        msg("Split into {n} memories, one per section", n=len(memories)),
        "refactor.extract",
        tuple(changes),
        look_first=True,
    )


def facts(document: Document) -> list[tuple[str, Span, str]]:
    """(title, span with heading, body) of the sections of the highest level that occurs more than once."""
    headings = document.markdown.headings
    levels = [h.level for h in headings]
    level = min((n for n in set(levels) if levels.count(n) >= MIN_SECTIONS), default=0)
    found = []
    for i, heading in enumerate(headings):
        if heading.level != level:
            continue
        end = next((h.span.start for h in headings[i + 1 :] if h.level <= level), len(document.text))
        body = document.text[heading.span.end : end].strip()
        title = heading.text.strip("*_` #")
        if body and title:
            found.append((title, Span(heading.span.start, end), body))
    return found
