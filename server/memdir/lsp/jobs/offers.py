"""Code actions of the jobs: refactorings, order in the index, a better description, saving the selection.

Titles are offered at once; the edit is made when the client asks for it, if it can, and is checked against the text as it is then.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from memdir.core.i18n import Message, msg, render
from memdir.core.model import ChangeSet, Span
from memdir.ide.refactor.action import Action
from memdir.lsp import convert, ext_jobs
from memdir.lsp.buffers import path_of
from memdir.lsp.convert import Annotation, StaleError
from memdir.lsp.jobs.site import folder_around
from memdir.lsp.params import text_of

if TYPE_CHECKING:
    from memdir.core.document import Document
    from memdir.lsp.memory import Memory
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)

DESCRIBED: Final = ("description-weak", "description-vague", "description-missing")


class Offers:
    """The actions for one request."""

    def __init__(self, server: MemdirServer, params: types.CodeActionParams) -> None:
        self._server, self._params = server, params
        self._client = server.client
        self._uri = params.text_document.uri
        self._only = [getattr(k, "value", k) for k in params.context.only] if params.context.only else None

    def all(self) -> Iterator[types.CodeAction | types.Command]:
        located = self._server.session.locate(self._uri)
        if located is not None:
            memory, document = located
            yield from self._refactorings(memory, document)
            yield from self._descriptions(document)
            yield from self._duplicates(document)
        yield from self._selection()

    def _wants(self, kind: str) -> bool:
        kind = getattr(kind, "value", kind)
        return self._only is None or any(kind == k or kind.startswith(k + ".") for k in self._only)

    def _refactorings(self, memory: Memory, document: Document) -> Iterator[types.CodeAction | types.Command]:
        if not any(self._wants(k) for k in KINDS):
            return
        span = self._server.session.text(document).span(self._params.range)
        for action in found_at(self._server, memory, document, span):
            if not self._wants(action.kind):
                continue
            title = render(action.title, self._client.locale)
            data = {
                "action": "refactor",
                "uri": self._uri,
                "kind": action.kind,
                "title": str(action.title),
                "start": span.start,
                "end": span.end,
            }
            command = types.Command(title=title, command=ext_jobs.REFACTOR, arguments=[data])
            if not self._client.action_literals:
                yield command
                continue
            offered = types.CodeAction(title=title, kind=action.kind)
            if self._client.action_resolve and self._can(action):
                offered.data = data
            else:
                offered.edit = edit_of(self._server, action)
                offered.command = None if offered.edit else command
            yield offered

    def _can(self, action: Action) -> bool:
        """The client's edits can do what the action needs."""
        from memdir.core.model import CreateFile, DeleteFile, RenameFile

        kinds = ((CreateFile, "create"), (RenameFile, "rename"), (DeleteFile, "delete"))
        needed = {name for c in action.changes for kind, name in kinds if isinstance(c, kind)}
        return not needed or (
            self._client.document_changes and not needed - set(self._client.resource_operations)
        )

    def _descriptions(self, document: Document) -> Iterator[types.CodeAction | types.Command]:
        from memdir.agent.client import has_key

        if not self._wants(types.CodeActionKind.QuickFix) or not has_key(self._server.world.environ):
            return
        text = self._server.session.text(document)
        span = text.span(self._params.range)
        findings = self._server.session.findings.get(document.path, [])
        near = [d for d in findings if d.rule in DESCRIBED and d.span.overlaps(span)]
        if near:
            title = msg("Ask the model for a better description")
            known = [
                d
                for d in self._params.context.diagnostics
                if d.code in DESCRIBED and text.span(d.range).overlaps(span)
            ]
            yield self._command(
                title, types.CodeActionKind.QuickFix, ext_jobs.DESCRIBE, {"uri": self._uri}, known
            )

    def _duplicates(self, document: Document) -> Iterator[types.CodeAction | types.Command]:
        if not self._wants(types.CodeActionKind.QuickFix):
            return
        text = self._server.session.text(document)
        span = text.span(self._params.range)
        for diagnostic in self._server.session.findings.get(document.path, []):
            if diagnostic.rule != "near-duplicate" or not diagnostic.span.overlaps(span):
                continue
            uri_of = self._server.session.buffers.uri_of
            uris = list(dict.fromkeys([self._uri, *(uri_of(r.path) for r in diagnostic.related)]))
            known = [d for d in self._params.context.diagnostics if d.code == "near-duplicate"]
            yield self._command(
                msg("Consolidate these memories"),
                types.CodeActionKind.QuickFix,
                ext_jobs.MERGE,
                {"uris": uris},
                known,
            )

    def _selection(self) -> Iterator[types.CodeAction | types.Command]:
        where = self._params.range
        path = path_of(self._uri)
        if where.start == where.end or not self._wants(types.CodeActionKind.RefactorExtract):
            return
        if folder_around(self._server, path) is None:
            return
        place = {
            end: {"line": at.line, "character": at.character}
            for end, at in (("start", where.start), ("end", where.end))
        }
        argument = {"uri": self._uri, "range": place}
        title = msg("Save the selection as a memory…")
        yield self._command(
            title, types.CodeActionKind.RefactorExtract, ext_jobs.SAVE_SELECTION, argument, []
        )

    def _command(
        self,
        title: Message,
        kind: str,
        command: str,
        argument: Mapping[str, Any],
        diagnostics: list[types.Diagnostic],
    ) -> types.CodeAction | types.Command:
        text = render(title, self._client.locale)
        call = types.Command(title=text, command=command, arguments=[argument])
        if not self._client.action_literals:
            return call
        return types.CodeAction(title=text, kind=kind, command=call, diagnostics=diagnostics or None)


KINDS: Final = ("refactor.extract", "refactor.rewrite", "refactor.move", "source.organizeIndex")


def found_at(server: MemdirServer, memory: Memory, document: Document, span: Span) -> Iterator[Action]:
    """Every refactoring that applies at a place, and the order of an index."""
    from memdir.ide.refactor import actions
    from memdir.ide.refactor.organize import organize

    context = memory.context(server.session.world.clock())
    yield from actions(document, span, context)
    if document.kind == "index":
        edits = organize(document, context)
        if edits:
            yield Action(msg("Organise the index"), "source.organizeIndex", (document.edit(*edits),))


def find(server: MemdirServer, data: Mapping[str, Any]) -> Action | None:
    """The refactoring that an action's data names, on the text as it is now; None when it applies no more."""
    located = server.session.locate(text_of(data, "uri"))
    start, end = data.get("start"), data.get("end")
    if located is None or not isinstance(start, int) or not isinstance(end, int):
        return None
    memory, document = located
    size = len(document.text)
    span = Span(min(max(start, 0), size), min(max(end, 0), size))
    wanted = (data.get("kind"), data.get("title"))
    return next(
        (a for a in found_at(server, memory, document, span) if (a.kind, str(a.title)) == wanted), None
    )


def edit_of(server: MemdirServer, action: Action) -> types.WorkspaceEdit | None:
    """A refactoring as this client's edit; None when the client can't carry it out, or a file changed this moment."""
    session = server.session
    try:
        return convert.workspace_edit(
            action.all_changes(), session.text_at, session.client, annotation_of(action)
        )
    except StaleError as error:
        logger.debug("A refactoring is out of date: %s", error)
        return None


def annotation_of(action: Action) -> Annotation | None:
    """What to say about one that should be looked at before it is applied."""
    if not action.look_first:
        return None
    return Annotation(action.title, msg("Reaches beyond this file; look before you take it."), confirm=True)


def resolve(server: MemdirServer, action: types.CodeAction, data: Mapping[str, Any]) -> None:
    """Give an offered action its edit."""
    found = find(server, data)
    if found is not None:
        action.edit = edit_of(server, found)


async def refactor(server: MemdirServer, given: Mapping[str, Any]) -> bool:
    """Carry out the refactoring that an action's data names, for clients whose edits can't."""
    from memdir.lsp.carry_out import carry_out

    found = find(server, given)
    if found is None:
        server.show_message(msg("This is out of date; the file has changed."), types.MessageType.Warning)
        return False
    return await carry_out(
        server, ChangeSet(found.title, found.all_changes(), "action"), annotation_of(found)
    )
