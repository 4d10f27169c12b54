"""`memdir/status`: where each folder's memory is and how it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memdir import __version__
from memdir.core.document import INDEX_NAME
from memdir.core.i18n import Message, msg, render
from memdir.lsp import ext
from memdir.lsp.memory import Counts

if TYPE_CHECKING:
    from memdir.lsp.folder import Folder
    from memdir.lsp.session import Session


def status(session: Session, uri: str | None = None) -> ext.StatusResult:
    """The state of one workspace folder, or of all."""
    folders = [f for f in session.folders.values() if f.memories and (uri is None or f.uri == uri)]
    return {"version": __version__, "folders": [_folder(session, f) for f in folders if not f.adopted]}


def _folder(session: Session, folder: Folder) -> ext.FolderStatus:
    location = folder.workspace.location
    memory = folder.memories[0]
    exists = os.path.isdir(memory.root)
    problems = Counts()
    for each in folder.memories:
        problems = problems.plus(each.total)
    for _ in folder.problems:
        problems = problems.plus(Counts(warning=1))
    index = budget(folder)
    health, message = _health(location.enabled, exists, problems, index, location.enabled_by)
    return {
        "uri": folder.uri,
        "owner": location.owner,
        "memoryDir": memory.root,
        "exists": exists,
        "enabled": location.enabled,
        "enabledBy": location.enabled_by,
        "source": location.source,
        "index": index,
        "memories": sum(1 for m in folder.memories if m.agent is None for _ in m.store.directory.topics()),
        "problems": problems.json(),
        "health": health,
        "message": render(message, session.client.locale),
    }


def budget(folder: Folder) -> ext.IndexBudget | None:
    """How much of the private index's limits is used; None when there is no index."""
    directory, settings = folder.memories[0].store.directory, folder.workspace.settings
    document = directory.get(INDEX_NAME)
    if document is None:
        return None
    loaded = directory.loaded(document, settings.index_lines, settings.index_size)
    return {
        "lines": loaded.lines,
        "maxLines": settings.index_lines,
        "utf16": loaded.utf16,
        "bytes": loaded.bytes,
        "maxSize": settings.index_size,
        "truncated": loaded.truncated,
    }


def _health(
    enabled: bool, exists: bool, problems: Counts, index: ext.IndexBudget | None, enabled_by: str
) -> tuple[ext.Health, Message]:
    if not enabled:
        return "off", msg("Memory is switched off by {source}.", source=enabled_by)
    if not exists:
        return "none", msg("This repository has no memory yet.")
    if index is not None and index["truncated"]:
        return "error", msg("MEMORY.md is longer than what the agent loads; its end is lost.")
    if problems.error:
        return "error", msg(
            "{errors} errors, {warnings} warnings.", errors=problems.error, warnings=problems.warning
        )
    if problems.warning:
        return "warning", msg("{warnings} warnings.", warnings=problems.warning)
    return "ok", msg("No problems.")
