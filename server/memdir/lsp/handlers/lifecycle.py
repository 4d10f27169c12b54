"""Beginning and end of a session, folders, settings, saving, and files that the client watches for us."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.lsp import startup
from memdir.lsp.buffers import path_of, uri_of
from memdir.lsp.capabilities import read_client
from memdir.lsp.logs import ClientLog, follow_trace

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


async def _begin_jobs(server: MemdirServer) -> None:
    """What runs by itself, once the first check is done."""
    from memdir.lsp.jobs.start import Background

    await Background(server).begin()


def register(server: MemdirServer) -> None:
    """Register the handlers."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        encoding = str(server.workspace.position_encoding or "utf-16")
        server.client = read_client(params, encoding)
        if params.trace is not None:
            server.protocol.trace = params.trace
            follow_trace(params.trace)
        server.options = params.initialization_options
        server.roots = [f.uri for f in params.workspace_folders or ()]
        if params.workspace_folders is None:
            root = params.root_uri or (uri_of(params.root_path) if params.root_path else None)
            server.roots = [root] if root else []
        if server.client.pull:
            from memdir.lsp.handlers import diagnostics

            diagnostics.register_pull(server)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        logging.getLogger("memdir").addHandler(ClientLog(server))
        if server.client.configuration_registration:
            registration = types.Registration(
                "memdir-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": "memdir"}
            )
            server.protocol.ask(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))
        await server.lifecycle.start(server.roots)
        startup.settle()
        server.spawn(_begin_jobs(server))

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.stop()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        event = params.event
        await server.lifecycle.folders_changed([f.uri for f in event.added], [f.uri for f in event.removed])

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration(params: types.DidChangeConfigurationParams) -> None:
        await server.lifecycle.settings_changed(params.settings)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(params: types.DidChangeWatchedFilesParams) -> None:
        server.session.disk_changed({p for c in params.changes if (p := path_of(c.uri)) is not None})

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.session.did_save(params.text_document.uri)

    @server.feature(types.SET_TRACE)
    def trace(params: types.SetTraceParams) -> None:
        follow_trace(params.value)  # pygls keeps the value itself
