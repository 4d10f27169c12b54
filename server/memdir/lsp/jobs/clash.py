"""A file that was changed while a proposal for it waited: a person brings both texts together, and the proposal goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memdir.agent.inbox import InboxError
from memdir.agent.inbox_accept import merged, with_text
from memdir.core.i18n import msg
from memdir.core.save import SaveError
from memdir.lsp import ext_jobs, ext_review
from memdir.lsp.buffers import path_of
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.common import in_thread, inbox_of
from memdir.lsp.jobs.site import Site, clashes, shown_text, site_of
from memdir.lsp.params import text_of
from memdir.store.errors import ClashKind, Conflict, ConflictError

if TYPE_CHECKING:
    from memdir.agent.inbox_items import ProposedFile
    from memdir.core.rule import Context
    from memdir.lsp.server import MemdirServer


def clash_of(site: Site, file: ProposedFile, context: Context) -> ext_jobs.ClashInfo:
    """The three texts of a proposed file that was changed meanwhile."""
    document = context.directory.get(file.rel)
    return {
        "uri": site.uri(context.directory.path_of(file.rel)),
        "base": shown_text(file.before),
        "mine": shown_text(file.after),
        "theirs": shown_text(document.content) if document is not None else None,
    }


async def merge(server: MemdirServer, given: Mapping[str, Any]) -> ext_review.InboxMergeAnswer:
    """Make of the proposal `id` (of an item, or of its review) for the file `uri` the change from `theirs`, the text that the
    person saw, to `text`. Nothing is written to the memory: taking the proposal does that.

    JobError with the three texts when the file is no longer `theirs`.
    """
    site = await site_of(server, given)
    ident, path = text_of(given, "id"), path_of(text_of(given, "uri"))
    text, theirs = text_of(given, "text"), text_of(given, "theirs")
    if ident.startswith("inbox:"):  # the id of a review: inbox:<item>:<folder>
        ident = ident.split(":", 2)[1]
    waiting = await in_thread(lambda: _merge(site, ident, path or "", text, theirs))
    server.jobs.inboxes.changed()
    return {"waiting": waiting}


def _merge(site: Site, ident: str, path: str, text: str, theirs: str) -> bool:
    """Whether something of the item still waits."""
    from memdir.lsp.jobs.review_files import read_present

    inbox = inbox_of(site)
    try:
        item = inbox.get(ident)
    except InboxError:
        raise _gone() from None
    prefix = site.root.rstrip("/") + "/"
    file = next((f for f in item.files if prefix + f.rel == path), None)
    if file is None:
        raise _gone()
    present = read_present(path)
    if present is None or shown_text(present) != theirs:
        kind: ClashKind = "missing" if present is None else "changed"
        error = ConflictError([Conflict(path, kind, theirs.encode(), text.encode(), present)])
        raise JobError(error.message, {"clashes": clashes(site, error)})
    try:
        if item.kind == "memory":
            with_text(item, text)  # still a memory
        rest = merged(item, file.rel, present, text)
    except SaveError as error:
        raise JobError(error.message) from None
    if rest is None:
        inbox.remove([ident])
    else:
        inbox.update(rest)
    return rest is not None


def _gone() -> JobError:
    return JobError(msg("This proposal is no longer there; it was taken, refused or replaced."))
