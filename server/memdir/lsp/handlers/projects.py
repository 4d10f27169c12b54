"""`memdir/projects`: the memory directories of other repositories, with their sizes and whom they belong to."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memdir.core.i18n import Message, files, msg, render
from memdir.lsp import ext
from memdir.lsp.other_projects import OtherProjects

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer
    from memdir.store.memory_dirs import MemoryDirectory

MAX_FILES = 500  # rows below one project; nobody scrolls through more


def register(server: MemdirServer) -> None:
    """Register the handler."""
    known, busy = OtherProjects(), asyncio.Lock()

    @server.feature(ext.PROJECTS)
    async def projects(params: Any) -> ext.TreeResult:
        await server.lifecycle.started()
        session = server.session
        folder = next(iter(session.folders.values()), None)
        environment = folder.workspace.environment if folder is not None else None
        if environment is None:
            return {"roots": []}
        from memdir.store.memory_dirs import all_memory_directories

        own = {os.path.realpath(root) for root in session.memories}
        found = await asyncio.to_thread(all_memory_directories, environment)
        locale = server.client.locale
        others = [d for d in found if d.file_count and os.path.realpath(d.path) not in own]
        others.sort(key=lambda d: (-d.modified, d.path))
        async with busy:
            problems = await asyncio.to_thread(known.counts, others, environment, server.world.clock())
        return {
            "roots": await asyncio.to_thread(lambda: [_row(d, locale, problems.get(d.path)) for d in others])
        }


def _row(directory: MemoryDirectory, locale: str, problems: ext.ProblemCounts | None) -> ext.Node:
    from memdir.lsp.tree import escape  # knows memories: not before `initialize` is answered

    def text(message: Message) -> str:
        return render(message, locale)

    parts = [text(files(directory.file_count)), text(msg("{size} KB", size=f"{directory.size / 1000:.1f}"))]
    if directory.orphaned:
        parts.insert(0, text(msg("left behind")))
    owner = directory.owner or text(msg("no repository is known for it"))
    row: ext.Node = {
        "id": f"project:{directory.path}",
        "kind": "project",
        "label": os.path.basename(directory.owner or "") or directory.name,
        "description": " · ".join(parts),
        "tooltip": f"{escape(owner)}\n\n{escape(directory.path)}",
        "contextValue": "project orphaned" if directory.orphaned else "project",
        "children": _files(directory),
    }
    if problems is not None:
        row["problems"] = problems
    return row


def _files(directory: MemoryDirectory) -> list[ext.Node]:
    from memdir.store.memory_dirs import list_files

    names = sorted((rel, path) for rel, path in list_files(directory.path) if rel.endswith(".md"))
    return [
        {"id": path, "kind": "file", "label": rel, "uri": Path(path).as_uri(), "contextValue": "file"}
        for rel, path in names[:MAX_FILES]
    ]
