"""Carrying out a change set: by the editor where it can, else here, with the journal."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import TYPE_CHECKING

from lsprotocol import types

from memdir.core.changes import paths_of
from memdir.core.i18n import Message, msg, render
from memdir.core.model import ChangeSet
from memdir.core.settings import DEFAULTS
from memdir.lsp import convert
from memdir.lsp.convert import Annotation, StaleError
from memdir.lsp.folder import memory_dir_around
from memdir.store.errors import StoreError

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)


async def carry_out(
    server: MemdirServer, change_set: ChangeSet, annotation: Annotation | None = None
) -> bool:
    """Have the editor apply a change set, or apply it here when the editor can't; False when nothing was changed."""
    session = server.session
    try:
        edit = convert.workspace_edit(change_set.changes, session.text_at, session.client, annotation)
    except StaleError:
        server.show_message(
            msg("Nothing was changed: a file is no longer what this was made for."), types.MessageType.Warning
        )
        return False
    if edit is not None and session.client.apply_edit:
        label = render(change_set.title, session.client.locale)
        try:
            answer = await server.workspace_apply_edit_async(
                types.ApplyWorkspaceEditParams(edit=edit, label=label)
            )
        except RuntimeError as error:
            logger.warning("The editor did not apply “%s”: %s", label, error)
            return False
        return bool(answer.applied)
    return await apply_here(server, change_set)


async def apply_here(server: MemdirServer, change_set: ChangeSet) -> bool:
    """Apply a change set on disk, with the journal, and tell the person what went wrong."""
    from memdir.store.apply import apply
    from memdir.store.journal import Limits
    from memdir.store.state import state_dir

    world = server.session.world
    roots = _roots(server, change_set)
    settings = next((f.workspace.settings for f in server.session.folders.values()), DEFAULTS)
    problem: Message
    try:
        done = await asyncio.to_thread(
            apply,
            change_set,
            roots=roots,
            state_dir=state_dir(world.environ, home=world.home),
            now=world.clock(),
            limits=Limits.of(settings),
        )
    except StoreError as error:
        problem = error.message
    except (OSError, ValueError) as error:
        problem = msg("{error}", error=str(error))
    else:
        server.session.disk_changed({*done.changed, *done.created, *done.deleted})
        return True
    server.show_message(problem, types.MessageType.Error)
    return False


def _roots(server: MemdirServer, change_set: ChangeSet) -> list[str]:
    """Where may be written: the memory directories that are open, and an agent's memory below a folder of the window."""
    found = {m.root: None for m in server.session.memories.values()}
    tops = [f.workspace.location.top.rstrip(os.sep) + os.sep for f in server.session.folders.values()]
    for path in paths_of(change_set):
        root = memory_dir_around(path)
        if root is not None and any(root.startswith(top) for top in tops):
            found[root] = None
    return list(found)
