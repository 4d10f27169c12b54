"""Code actions: what to offer at a place, and how an offer becomes an edit of this client."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memdir.core.i18n import Message, msg, render
from memdir.core.model import Diagnostic, FileChange, Fix, Safety
from memdir.lsp import convert, ext
from memdir.lsp.convert import Annotation, StaleError, Text
from memdir.lsp.handlers.code_actions import FIX_ALL
from memdir.lsp.settings_files import settings_findings

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)


class Actions:
    """The actions for one request."""

    def __init__(self, server: MemdirServer, params: types.CodeActionParams) -> None:
        self._server, self._params = server, params
        self._session, self._client = server.session, server.session.client
        self._uri = params.text_document.uri
        self._only = [str(k) for k in params.context.only] if params.context.only else None

    def all(self) -> Iterator[types.CodeAction | types.Command]:
        located = self._session.locate(self._uri)
        if located is not None:
            memory, document = located
            text = self._session.text(document)
            findings = self._session.findings.get(document.path, [])
            if any(c.path != document.path for d in findings for f in d.fixes for c in f.changes):
                # an edit of another file (an entry in the index) is out of date when that file has changed meanwhile,
                # though nothing else about the finding has
                findings = [
                    *self._session.elsewhere.get(document.path, ()),
                    *memory.check(document.rel, self._session.world.clock()),
                ]
        else:
            known = settings_findings(self._session).get(self._uri)
            if known is None:
                return
            text, findings = known
        if self._wants(types.CodeActionKind.QuickFix):
            span = text.span(self._params.range)
            for diagnostic in findings:
                if diagnostic.span.overlaps(span):
                    yield from self._quick_fixes(diagnostic, text)
            if located is not None:
                yield from self._suppressions([d for d in findings if d.span.overlaps(span)], text)
        if located is not None and self._wants(FIX_ALL):
            yield from self._fix_all(findings)

    def _wants(self, kind: str) -> bool:
        return self._only is None or any(kind == k or kind.startswith(k + ".") for k in self._only)

    def _quick_fixes(self, diagnostic: Diagnostic, text: Text) -> Iterator[types.CodeAction | types.Command]:
        for number, fix in enumerate(diagnostic.fixes):
            title = fix.title if fix.safety is Safety.SAFE else msg("{title} (please check)", title=fix.title)
            action = self._action(
                title, fix.changes, diagnostic, text, annotation=annotation_of(fix, diagnostic.path)
            )
            if action is None:
                continue
            if isinstance(action, types.CodeAction):
                if self._client.action_preferred and number == 0 and fix.safety is Safety.SAFE:
                    action.is_preferred = True
                if action.edit is None:
                    action.command = self._command(title, diagnostic, text, number)
                yield action
            else:
                yield self._command(title, diagnostic, text, number)

    def _suppressions(
        self, findings: Sequence[Diagnostic], text: Text
    ) -> Iterator[types.CodeAction | types.Command]:
        from memdir.ide.suppression import suppress

        seen: set[tuple[str, int]] = set()
        for diagnostic in findings:
            place = (diagnostic.rule, text.pair(diagnostic.span.start)[0])
            located = self._session.locate(self._uri)
            if place in seen or located is None or diagnostic.rule.startswith("suppression-"):
                continue
            seen.add(place)
            change = suppress(located[1], diagnostic)
            if change is not None:
                title = msg("Ignore {rule} here", rule=diagnostic.rule)
                action = self._action(title, [change], diagnostic, text)
                if isinstance(action, types.CodeAction):
                    yield action

    def _fix_all(self, findings: Sequence[Diagnostic]) -> Iterator[types.CodeAction | types.Command]:
        if (
            not any(f.safety is Safety.SAFE for d in findings for f in d.fixes)
            or not self._client.action_literals
        ):
            return
        title = render(msg("Fix everything that is safe to fix"), self._client.locale)
        action = types.CodeAction(title=title, kind=FIX_ALL, data={"action": "fixAll", "uri": self._uri})
        if not self._client.action_resolve:
            action.edit = fix_all_edit(self._server, self._uri)
        yield action

    def _action(
        self,
        title: Message,
        changes: Sequence[FileChange],
        diagnostic: Diagnostic,
        text: Text,
        annotation: Annotation | None = None,
    ) -> types.CodeAction | types.Command | None:
        """None when the text has changed since; an action without edit when the client can't carry it out itself."""
        if not self._client.action_literals:
            return types.Command(title="", command=ext.APPLY_FIX)
        try:
            edit = convert.workspace_edit(changes, self._session.text_at, self._client, annotation)
        except StaleError as error:
            logger.debug("A fix is out of date: %s", error)
            return None
        return types.CodeAction(
            title=render(title, self._client.locale),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[self._matching(diagnostic, text)],
            edit=edit,
        )

    def _command(self, title: Message, diagnostic: Diagnostic, text: Text, number: int) -> types.Command:
        line, character = text.pair(diagnostic.span.start)
        argument = {
            "uri": self._uri,
            "rule": diagnostic.rule,
            "position": {"line": line, "character": character},
            "fix": number,
        }
        return types.Command(
            title=render(title, self._client.locale), command=ext.APPLY_FIX, arguments=[argument]
        )

    def _matching(self, diagnostic: Diagnostic, text: Text) -> types.Diagnostic:
        """The client's own copy of a diagnostic, else a fresh one."""
        where = text.pair(diagnostic.span.start)
        for known in self._params.context.diagnostics:
            start = known.range.start
            if known.code == diagnostic.rule and (start.line, start.character) == where:
                return known
        return types.Diagnostic(
            range=text.range(diagnostic.span),
            message=render(diagnostic.message, self._client.locale),
            severity=types.DiagnosticSeverity(int(diagnostic.severity)),
            code=diagnostic.rule,
            source=convert.SOURCE,
        )


def annotation_of(fix: Fix, path: str) -> Annotation | None:
    """What to say about an unsafe fix; it is confirmed when it reaches beyond the file at hand."""
    if fix.safety is Safety.SAFE:
        return None
    elsewhere = any(c.path != path for c in fix.changes)
    return Annotation(fix.title, msg("May change what the memory says; please read the result."), elsewhere)


def fix_all_edit(server: MemdirServer, uri: str) -> types.WorkspaceEdit | None:
    """All safe fixes of an open file as one edit; None when there are none or the file changed meanwhile."""
    from memdir.core.fixall import fix_all

    session = server.session
    located = session.locate(uri)
    if located is None:
        return None
    memory, document = located
    context = memory.context(session.world.clock())
    done = fix_all(context, msg("Fix everything that is safe to fix"), [document])
    if not done.change_set:
        return None
    try:
        return convert.workspace_edit(done.change_set.changes, session.text_at, session.client)
    except StaleError:
        return None


def find_fix(server: MemdirServer, argument: Any) -> tuple[Diagnostic, Fix] | None:
    """The fix that a command's argument names, if it still exists."""
    from memdir.lsp.params import text_of

    uri, rule = text_of(argument, "uri"), text_of(argument, "rule")
    located = server.session.locate(uri)
    if located is not None:
        findings: Sequence[Diagnostic] = server.session.findings.get(located[1].path, [])
        text = server.session.text(located[1])
    else:
        known = settings_findings(server.session).get(uri)
        if known is None:
            return None
        text, findings = known
    place, number = argument.get("position"), argument.get("fix", 0)
    for diagnostic in findings:
        line, character = text.pair(diagnostic.span.start)
        if diagnostic.rule == rule and place == {"line": line, "character": character}:
            if isinstance(number, int) and 0 <= number < len(diagnostic.fixes):
                return diagnostic, diagnostic.fixes[number]
    return None
