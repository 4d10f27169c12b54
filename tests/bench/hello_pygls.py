"""Baseline: the least a pygls server can be. Publishes one diagnostic from a pattern on the header."""

from __future__ import annotations

import re

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer

SERVER = LanguageServer("hello", "0", text_document_sync_kind=t.TextDocumentSyncKind.Full)
TYPE = re.compile(r"^type:[ \t]*(.*)$", re.M)


def publish(server: LanguageServer, uri: str) -> None:
    document = server.workspace.get_text_document(uri)
    found = TYPE.search(document.source)
    diagnostics = []
    if not found or found[1] not in ("user", "feedback", "project", "reference"):
        line = document.source.count("\n", 0, found.start()) if found else 0
        place = t.Range(t.Position(line, 0), t.Position(line, 4))
        diagnostics = [t.Diagnostic(place, "bad type", severity=t.DiagnosticSeverity.Error, source="hello")]
    server.text_document_publish_diagnostics(
        t.PublishDiagnosticsParams(uri=uri, version=document.version, diagnostics=diagnostics)
    )


@SERVER.feature(t.TEXT_DOCUMENT_DID_OPEN)
def opened(server: LanguageServer, params: t.DidOpenTextDocumentParams) -> None:
    publish(server, params.text_document.uri)


@SERVER.feature(t.TEXT_DOCUMENT_DID_CHANGE)
def changed(server: LanguageServer, params: t.DidChangeTextDocumentParams) -> None:
    publish(server, params.text_document.uri)


if __name__ == "__main__":
    SERVER.start_io()
