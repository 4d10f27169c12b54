"""What real editors say they can do."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

_TEXT_DOCUMENT: Json = {
    "synchronization": {"didSave": True},
    "publishDiagnostics": {
        "relatedInformation": True,
        "versionSupport": True,
        "codeDescriptionSupport": True,
    },
    "completion": {
        "completionItem": {
            "snippetSupport": True,
            "resolveSupport": {"properties": ["documentation", "additionalTextEdits"]},
        }
    },
    "hover": {"contentFormat": ["markdown", "plaintext"]},
    "definition": {"linkSupport": True},
    "references": {},
    "documentHighlight": {},
    "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    "codeAction": {
        "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}},
        "isPreferredSupport": True,
        "dataSupport": True,
        "resolveSupport": {"properties": ["edit"]},
    },
    "codeLens": {},
    "formatting": {},
    "rename": {"prepareSupport": True},
    "documentLink": {"tooltipSupport": True},
    "foldingRange": {},
    "selectionRange": {},
    "inlayHint": {},
}


VSCODE: Json = {
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "changeAnnotationSupport": {"groupsOnLabel": True},
        },
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "fileOperations": {"willRename": True, "didRename": True, "willDelete": True, "didDelete": True},
    },
    "textDocument": {
        **_TEXT_DOCUMENT,
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": False},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "general": {"positionEncodings": ["utf-16"]},
}


# Neovim 0.11: pulls and refreshes diagnostics, no annotations, UTF-8 first.
NEOVIM: Json = {
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename", "create", "delete"]},
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "inlayHint": {"refreshSupport": True},
    },
    "textDocument": {**_TEXT_DOCUMENT, "diagnostic": {"dynamicRegistration": False}},
    "window": {"workDoneProgress": True},
    "general": {"positionEncodings": ["utf-8", "utf-16", "utf-32"]},
}


# An old, plain client: pushed diagnostics, no literals, no resource operations, no configuration.
PLAIN: Json = {
    "workspace": {"applyEdit": True},
    "textDocument": {"publishDiagnostics": {}, "codeAction": {}, "hover": {"contentFormat": ["plaintext"]}},
}
