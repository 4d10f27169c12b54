"""`workspace/executeCommand`: what the server does on request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memdir.core.i18n import msg
from memdir.lsp import ext
from memdir.lsp.params import argument, text_of

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


def register(server: MemdirServer) -> None:
    """Register the commands."""

    @server.command(ext.APPLY_FIX)
    async def apply_fix(*arguments: Any) -> bool:
        from memdir.core.model import ChangeSet
        from memdir.lsp.actions import annotation_of, find_fix
        from memdir.lsp.carry_out import carry_out

        found = find_fix(server, argument(arguments))
        if found is None:
            server.show_message(
                msg("This fix is out of date; the file has changed."), types.MessageType.Warning
            )
            return False
        diagnostic, fix = found
        return await carry_out(
            server, ChangeSet(fix.title, fix.changes, "fix"), annotation_of(fix, diagnostic.path)
        )

    @server.command(ext.RECHECK)
    async def recheck(*arguments: Any) -> None:
        for memory in list(server.session.memories.values()):
            memory.folder.project.forget_files()
            server.session.rescan(memory)
            server.session.recheck_all(memory)

    @server.command(ext.LIST_IN_INDEX)
    async def list_in_index(*arguments: Any) -> bool:
        from memdir.lsp.memory_commands import list_in_index as work

        return await work(server, text_of(argument(arguments), "uri"))

    @server.command(ext.MARK_VERIFIED)
    async def mark_verified(*arguments: Any) -> bool:
        from memdir.lsp.memory_commands import mark_verified as work

        return await work(server, text_of(argument(arguments), "uri"))

    @server.command(ext.VERIFY_CITATIONS)
    async def verify_citations(*arguments: Any) -> ext.CitationResult:
        from memdir.lsp.memory_commands import verify as work

        return await work(server, text_of(argument(arguments), "uri"))
