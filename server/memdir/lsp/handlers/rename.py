"""`textDocument/rename`, its preparation, and files that the editor renames or deletes."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memdir.core.model import FileChange
    from memdir.lsp.memory import Memory
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)

_REQUEST_FAILED = -32803
_FILES = types.FileOperationRegistrationOptions(
    filters=[
        types.FileOperationFilter(
            scheme="file",
            pattern=types.FileOperationPattern(glob="**/*.md", matches=types.FileOperationPatternKind.File),
        )
    ]
)


def register(server: MemdirServer) -> None:
    """Register the handlers."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        from memdir.ide.rename import prepare as find

        here = server.session.cursor(params)
        found = find(here.document, here.context, here.offset) if here is not None else None
        if here is None or found is None:
            return None
        return types.PrepareRenamePlaceholder(range=here.text.range(found.span), placeholder=found.text)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        from memdir.core.i18n import msg, render
        from memdir.ide.rename import RenameError
        from memdir.ide.rename import prepare as find
        from memdir.ide.rename import rename as change
        from memdir.lsp import convert

        here = server.session.cursor(params)
        found = find(here.document, here.context, here.offset) if here is not None else None
        if here is None or found is None:
            return None
        try:
            change_set = change(found, params.new_name, here.context)
        except RenameError as error:
            raise _failed(render(error.message, server.client.locale)) from error
        edit = convert.workspace_edit(change_set.changes, server.session.text_at, server.client)
        if edit is None:
            told = msg(
                "This editor can't rename files for a server; rename {file} yourself.",
                file=found.document.rel,
            )
            raise _failed(render(told, server.client.locale))
        return edit

    @server.feature(types.WORKSPACE_WILL_RENAME_FILES, _FILES)
    async def will_rename(params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
        from memdir.ide.rename import moved_edits
        from memdir.lsp import convert

        changes: list[FileChange] = []
        for memory, moves in _moves(server, params.files):
            changes += moved_edits(moves, memory.store.directory)
        return convert.workspace_edit(changes, server.session.text_at, server.client) if changes else None

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, _FILES)
    async def did_rename(params: types.RenameFilesParams) -> None:
        server.session.disk_changed(_paths(u for f in params.files for u in (f.old_uri, f.new_uri)))

    @server.feature(types.WORKSPACE_WILL_DELETE_FILES, _FILES)
    async def will_delete(params: types.DeleteFilesParams) -> None:
        """Remember what points to the files while they can still be read; nothing is changed yet."""
        server.session.pruning.remember(_paths(f.uri for f in params.files))

    @server.feature(types.WORKSPACE_DID_DELETE_FILES, _FILES)
    async def did_delete(params: types.DeleteFilesParams) -> None:
        paths = _paths(f.uri for f in params.files)
        server.session.pruning.remember(paths)  # a client may announce deletions only afterwards
        server.session.disk_changed(paths)
        await server.session.pruning.offer(paths)


def _failed(message: str) -> JsonRpcException:
    return JsonRpcException(message, _REQUEST_FAILED)


def _paths(uris: Iterable[str]) -> set[str]:
    from memdir.lsp.buffers import path_of

    return {p for u in uris if (p := path_of(u)) is not None}


def _moves(server: MemdirServer, files: Iterable[types.FileRename]) -> list[tuple[Memory, dict[str, str]]]:
    """Per memory directory: old and new relative path of the files that stay in it."""
    from memdir.lsp.buffers import path_of

    found: dict[str, tuple[Memory, dict[str, str]]] = {}
    for file in files:
        old, new = path_of(file.old_uri), path_of(file.new_uri)
        place = server.session.find(old)
        rel = place[0].store.rel_of(new) if place is not None and new is not None else None
        if place is not None and rel is not None:
            found.setdefault(place[0].root, (place[0], {}))[1][place[1]] = rel
    return list(found.values())
