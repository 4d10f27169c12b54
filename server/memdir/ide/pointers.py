"""Places in a document that point somewhere: index entries, links, wikilinks, header references, citations.

One table behind definition, references, highlights, document links, hover and rename, so that they always agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.citations import Citation, citations
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.frontmatter import Field
from memdir.core.index import resolve
from memdir.core.lazy_re import lazy
from memdir.core.model import Span

PointerKind: TypeAlias = Literal["link", "entry", "wikilink", "header", "citation", "web"]

# Header keys whose value names other memories by stem or name (seen in real directories).
REFERENCE_KEYS = frozenset(("supersedes", "superseded_by", "relates_to", "related", "see_also"))
_NAME_IN_LIST = lazy(r"[^\s,\[\]\"'](?:[^,\[\]\"'\n]*[^\s,\[\]\"'])?")


@dataclass(frozen=True, slots=True)
class Pointer:
    """`span` is the clickable part (a path, a name), `whole` everything that shows the link.

    `rel` is the memory file meant, as far as there is one; `anchor` the heading in it; `url` is set for the web.
    """

    span: Span
    whole: Span
    kind: PointerKind
    rel: str | None = None
    anchor: str = ""
    citation: Citation | None = None
    url: str = ""


def pointers(document: Document, directory: Directory) -> list[Pointer]:
    """Every pointer of the document, in order. Dead ones have neither `rel` nor `url` nor `citation`."""
    found: dict[Span, Pointer] = {}
    if document.kind == "index" or directory.is_listing(document):
        for entry in directory.entries(document):
            for target in entry.targets:
                if not target.external:
                    rel = _known(directory, resolve(document.rel, target.path))
                    whole = entry.span if len(entry.targets) == 1 else target.span
                    found[target.span] = Pointer(target.span, whole, "entry", rel)
    for link in document.markdown.links:
        if link.kind == "image":
            continue
        if link.external:
            if link.target.startswith(("http://", "https://")):
                found[link.target_span] = Pointer(link.target_span, link.span, "web", url=link.target)
            continue
        known = found.get(link.target_span)
        rel = _known(directory, resolve(document.rel, link.path)) if link.path else document.rel
        kind: PointerKind = known.kind if known else "link"
        whole = known.whole if known is not None and known.whole != known.span else link.span
        found[link.target_span] = Pointer(link.target_span, whole, kind, rel, _anchor(link.target))
    for wiki in document.markdown.wikilinks:
        targets = directory.resolve_wikilink(wiki.name, document)
        inner = document.slice(wiki.span)[2:-2].partition("|")[0]
        found[wiki.name_span] = Pointer(
            wiki.name_span,
            wiki.span,
            "wikilink",
            targets[0].rel if targets else None,
            inner.partition("#")[2].strip(),
        )
    for pointer in _in_header(document, directory):
        found[pointer.span] = pointer
    for citation in citations(document):
        if not any(citation.span.overlaps(p.whole) for p in found.values() if p.kind in ("link", "wikilink")):
            found.setdefault(
                citation.path_span, Pointer(citation.span, citation.span, "citation", citation=citation)
            )
    return sorted(found.values(), key=lambda p: p.span)


def pointer_at(document: Document, directory: Directory, offset: int) -> Pointer | None:
    """The pointer under the cursor; the innermost when an entry's line is meant only as a whole."""
    here = [p for p in pointers(document, directory) if p.span.touches(offset) or p.whole.touches(offset)]
    exact = [p for p in here if p.span.touches(offset)]
    return min(exact or here, key=lambda p: len(p.whole), default=None)


def pointers_to(rel: str, directory: Directory) -> Iterator[tuple[Document, Pointer]]:
    """Every place of the directory that points to the memory file `rel`."""
    sources = {d.rel: d for d in directory.cited_by(rel)}
    for document in directory:
        header = document.frontmatter
        if document.rel == rel or (
            header is not None and any(f.key in REFERENCE_KEYS for f in header.fields)
        ):
            sources[document.rel] = document
    for name in sorted(sources):
        yield from ((sources[name], p) for p in pointers(sources[name], directory) if p.rel == rel)


def pointers_to_path(path: str, directory: Directory) -> Iterator[tuple[Document, Pointer]]:
    """Every citation of a repository file. Looks at documents that hold the path's text only."""
    for source in list(directory):
        if path in source.text:
            for pointer in pointers(source, directory):
                if pointer.citation is not None and pointer.citation.path == path:
                    yield source, pointer


def anchor_span(document: Document, anchor: str) -> Span | None:
    """The heading that an anchor means: its text (wikilinks) or its slug (Markdown links)."""
    wanted = _slug(anchor)
    return next((h.span for h in document.markdown.headings if wanted and _slug(h.text) == wanted), None)


def name_span(document: Document) -> Span:
    """Where a memory says its name: the header's value, else its first heading, else its first line."""
    header = document.frontmatter
    field = header.find("name") if header is not None else None
    if field is not None and field.value_span.end > field.value_span.start:
        return field.value_span
    headings = document.markdown.headings
    return headings[0].span if headings else document.lines.span(0)


def _in_header(document: Document, directory: Directory) -> Iterator[Pointer]:
    for field in document.frontmatter.fields if document.frontmatter is not None else ():
        if field.key in REFERENCE_KEYS and field.style not in ("map", "block"):
            for span in _names(document, field):
                targets = directory.resolve_wikilink(document.slice(span), document)
                yield Pointer(span, span, "header", targets[0].rel if targets else None)


def _names(document: Document, field: Field) -> Iterator[Span]:
    if field.style == "flow":
        for m in _NAME_IN_LIST.finditer(document.text, field.value_span.start, field.value_span.end):
            yield Span(*m.span())
        return
    start, end = field.value_span.start, field.value_span.end
    if field.style in ("single", "double"):
        start, end = start + 1, end - 1
    if start < end:
        yield Span(start, end)


def _known(directory: Directory, rel: str | None) -> str | None:
    return rel if rel is not None and rel in directory else None


def _anchor(target: str) -> str:
    return target.partition("#")[2]


def _slug(text: str) -> str:
    return re.sub(r"[^\w-]", "", text.strip().casefold().replace(" ", "-"))
