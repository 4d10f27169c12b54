"""A better description for a memory: the model proposes, the person decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from memdir.core.i18n import msg
from memdir.lsp.convert import Annotation
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.site import site_of
from memdir.lsp.params import text_of
from memdir.lsp.progress import progress
from memdir.lsp.protocol import progress_token

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

SECONDS = 30.0  # a person waits for one sentence


async def describe(server: MemdirServer, given: Mapping[str, Any]) -> bool:
    """Ask for a description of the memory `uri` and have the editor show the change; false when it was not taken."""
    from memdir.agent.client_types import ModelError
    from memdir.agent.recall_describe import describe as change_of
    from memdir.agent.recall_describe import suggest_description
    from memdir.lsp.carry_out import carry_out

    uri = text_of(given, "uri")
    site = await site_of(server, given)
    located = server.session.locate(uri)
    if located is None:
        raise JobError(msg("{uri} is no memory.", uri=uri))
    memory, document = located
    stats = memory.folder.workspace.recalls(memory.store).of(document.rel, document.mtime or 0.0)
    trouble: Literal["never", "always", ""] = "never" if stats.never else "always" if stats.always else ""
    side, model = server.jobs.side, site.settings.recall.model
    title = msg("Looking for a better description")
    try:
        async with progress(server, title, progress_token.get(), cancellable=True):
            text = await side.run(
                lambda: suggest_description(side.client, model, document, trouble=trouble, deadline=SECONDS)
            )
    except ModelError as error:
        raise JobError(error.message) from None
    change_set = change_of(document, text)
    if not change_set:
        raise JobError(msg("{path} has no header to put a description into.", path=document.rel))
    note = Annotation(change_set.title, msg("A model wrote this; read it before you take it."), confirm=True)
    return await carry_out(server, change_set, note)
