"""From Memdir's values to the protocol's: the only place that knows positions, encodings and severities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lsprotocol import types

from memdir.core.document import Document
from memdir.core.i18n import Message, render
from memdir.core.model import (
    CreateFile,
    DeleteFile,
    Diagnostic,
    Edit,
    EditFile,
    FileChange,
    RenameFile,
    Span,
    content_hash,
)
from memdir.core.rule import DOCS_URL
from memdir.core.text import Encoding, LineIndex, decode, encode
from memdir.lsp.buffers import uri_of
from memdir.lsp.capabilities import Client

Json: TypeAlias = dict[str, Any]
SOURCE = "memdir"


class StaleError(Exception):
    """An edit was made against a text that is no longer there."""


@dataclass(frozen=True, slots=True)
class Text:
    """A file's present text, as far as positions need it.

    `version` is that of the open buffer, None on disk. `lead` is 1 when the editor's text starts with a byte-order
    mark, which ours never does. `hash` is the base hash of change sets.
    """

    uri: str
    lines: LineIndex
    encoding: Encoding
    hash: str
    version: int | None = None
    lead: int = 0

    @classmethod
    def of(
        cls, document: Document, uri: str, encoding: Encoding, version: int | None = None, *, lead: int = 0
    ) -> Text:
        """The text of a parsed document."""
        return cls(uri, document.lines, encoding, document.hash, version, lead)

    @classmethod
    def of_bytes(cls, content: bytes, uri: str, encoding: Encoding) -> Text:
        """The text of any file."""
        text, bom = decode(content)
        return cls(uri, LineIndex(text), encoding, content_hash(encode(text, bom)))

    def pair(self, offset: int) -> tuple[int, int]:
        """(line, character) of a code point offset, in the client's units."""
        line, character = self.lines.position(offset, self.encoding)
        return (line, character + self.lead) if line == 0 else (line, character)

    def position(self, offset: int) -> types.Position:
        return types.Position(*self.pair(offset))

    def range(self, span: Span) -> types.Range:
        return types.Range(self.position(span.start), self.position(span.end))

    def json_range(self, span: Span) -> Json:
        """The same as plain values."""
        (a, b), (c, d) = self.pair(span.start), self.pair(span.end)
        return {"start": {"line": a, "character": b}, "end": {"line": c, "character": d}}

    def offset(self, position: types.Position) -> int:
        """Code point offset of a client's position, clamped to the text."""
        character = position.character - (self.lead if position.line == 0 else 0)
        return self.lines.offset(position.line, max(character, 0), self.encoding)

    def span(self, value: types.Range) -> Span:
        start, end = self.offset(value.start), self.offset(value.end)
        return Span(min(start, end), max(start, end))

    def edit(self, edit: Edit) -> types.TextEdit:
        return types.TextEdit(self.range(edit.span), edit.text)


Lookup: TypeAlias = Callable[[str], "Text | None"]


def diagnostic_json(diagnostic: Diagnostic, text: Text, client: Client, lookup: Lookup) -> Json:
    """A diagnostic as plain values (they are the bulk of what a server sends, and they are compared before sending)."""
    found: Json = {
        "range": text.json_range(diagnostic.span),
        "severity": int(diagnostic.severity),
        "code": diagnostic.rule,
        "source": SOURCE,
        "message": render(diagnostic.message, client.locale),
    }
    if client.code_description:
        found["codeDescription"] = {"href": DOCS_URL + diagnostic.rule}
    if diagnostic.rule == "suppression-unused":
        found["tags"] = [int(types.DiagnosticTag.Unnecessary)]
    if client.related_information and diagnostic.related:
        related = []
        for item in diagnostic.related:
            other = text if item.path == diagnostic.path else lookup(item.path)
            if other is not None:
                place = {"uri": other.uri, "range": other.json_range(item.span)}
                related.append({"location": place, "message": render(item.message, client.locale)})
        if related:
            found["relatedInformation"] = related
    return found


@dataclass(frozen=True, slots=True)
class Annotation:
    """What to tell a person about an edit. `confirm`: the editor asks before it is carried out."""

    label: Message
    description: Message
    confirm: bool = False


_ANNOTATION_ID = "memdir"


def workspace_edit(
    changes: Sequence[FileChange], lookup: Lookup, client: Client, annotation: Annotation | None = None
) -> types.WorkspaceEdit | None:
    """The editor's form of `changes`; None when this client can't carry them out (files come or go).

    Raises StaleError when a base hash is not that of the present text.
    """
    needed = {k for c in changes for k, t in _RESOURCE_KINDS if isinstance(c, t)}
    if needed - set(client.resource_operations) or (needed and not client.document_changes):
        return None
    edits, texts = _collect(changes, lookup)
    if not client.document_changes:
        return types.WorkspaceEdit(
            changes={texts[p].uri: [texts[p].edit(e) for e in found] for p, found in edits.items()}
        )
    annotate = annotation is not None and client.annotations
    ident = _ANNOTATION_ID if annotate else None
    operations: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    done: set[str] = set()
    for change in changes:
        if isinstance(change, EditFile):
            if change.path not in done:
                done.add(change.path)
                text = texts[change.path]
                operations.append(
                    _document_edit(text.uri, text.version, (text.edit(e) for e in edits[change.path]), ident)
                )
        elif isinstance(change, CreateFile):
            uri = uri_of(change.path)
            operations.append(types.CreateFile(uri=uri, annotation_id=ident))
            start = types.Range(types.Position(0, 0), types.Position(0, 0))
            if change.content:
                operations.append(
                    _document_edit(uri, None, [types.TextEdit(start, decode(change.content)[0])], ident)
                )
        elif isinstance(change, DeleteFile):
            operations.append(
                types.DeleteFile(uri=_current(change.path, change.base, lookup).uri, annotation_id=ident)
            )
        else:
            old = _current(change.path, change.base, lookup)
            operations.append(
                types.RenameFile(old_uri=old.uri, new_uri=uri_of(change.new_path), annotation_id=ident)
            )
    annotations = None
    if annotation is not None and annotate:
        annotations = {
            _ANNOTATION_ID: types.ChangeAnnotation(
                label=render(annotation.label, client.locale),
                needs_confirmation=annotation.confirm,
                description=render(annotation.description, client.locale),
            )
        }
    return types.WorkspaceEdit(document_changes=operations, change_annotations=annotations)


_RESOURCE_KINDS: tuple[tuple[str, type], ...] = (
    ("create", CreateFile),
    ("rename", RenameFile),
    ("delete", DeleteFile),
)


def _collect(
    changes: Iterable[FileChange], lookup: Lookup
) -> tuple[Mapping[str, list[Edit]], Mapping[str, Text]]:
    """All edits of a file together (they mean one base), and the texts they mean."""
    edits: dict[str, list[Edit]] = {}
    texts: dict[str, Text] = {}
    for change in changes:
        if isinstance(change, EditFile):
            texts[change.path] = _current(change.path, change.base, lookup)
            known = edits.setdefault(change.path, [])
            known.extend(e for e in change.edits if e not in known)
    return edits, texts


def _current(path: str, base: str, lookup: Lookup) -> Text:
    text = lookup(path)
    if text is None or text.hash != base:
        raise StaleError(path)
    return text


def _document_edit(
    uri: str, version: int | None, edits: Iterable[types.TextEdit], ident: str | None
) -> types.TextDocumentEdit:
    made: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = [
        e
        if ident is None
        else types.AnnotatedTextEdit(annotation_id=ident, range=e.range, new_text=e.new_text)
        for e in edits
    ]
    return types.TextDocumentEdit(
        types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version), made
    )
