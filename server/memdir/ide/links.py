"""Where the links of a document lead: index entries, Markdown links and wikilinks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.index import resolve
from memdir.core.model import Span


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A clickable place. Either `url` (external) or `rel` (a file of the memory directory) is set."""

    span: Span
    rel: str | None = None
    url: str | None = None


def document_links(document: Document, directory: Directory) -> Iterator[DocumentLink]:
    """Links whose target exists, in order; each place once."""
    seen: set[Span] = set()
    found: list[DocumentLink] = []
    for link in document.markdown.links:
        if link.kind == "image" or link.target_span in seen:
            continue
        if link.external:
            seen.add(link.target_span)
            if link.target.startswith(("http://", "https://")):
                found.append(DocumentLink(link.target_span, url=link.target))
            continue
        rel = resolve(document.rel, link.path) if link.path else None
        if rel is not None and rel in directory:
            seen.add(link.target_span)
            found.append(DocumentLink(link.target_span, rel))
    if document.kind == "index":
        for entry in directory.entries(document):
            for target in entry.targets:
                rel = None if target.external else resolve(document.rel, target.path)
                if rel is not None and rel in directory and target.span not in seen:
                    seen.add(target.span)
                    found.append(DocumentLink(target.span, rel))
    for wikilink in document.markdown.wikilinks:
        targets = directory.resolve_wikilink(wikilink.name, document)
        if targets:
            found.append(DocumentLink(wikilink.name_span, targets[0].rel))
    yield from sorted(found, key=lambda f: f.span)
