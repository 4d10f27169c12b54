"""The inbox of each folder: what extraction and consolidation propose, accepted, edited or refused by a person."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from memdir.agent.inbox_accept import plan_accept, request_of, with_text
from memdir.core.i18n import msg
from memdir.core.save import SaveError, SaveRequest
from memdir.core.text import decode
from memdir.lsp import ext_review
from memdir.lsp.buffers import path_of
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.common import in_thread, inbox_of, review_id
from memdir.lsp.jobs.save import questions_of
from memdir.lsp.jobs.site import Site, site_of
from memdir.lsp.params import text_of

if TYPE_CHECKING:
    from memdir.agent.inbox_items import Evidence, Item
    from memdir.core.taxonomy import SaveScope
    from memdir.lsp.server import MemdirServer


async def inbox(server: MemdirServer, given: Mapping[str, Any]) -> list[ext_review.InboxItem]:
    """What waits, oldest first: in one folder (`folder`), or in all."""
    await server.lifecycle.started()
    if text_of(given, "folder"):
        sites = [await site_of(server, given)]
    else:
        folders = server.session.folders.values()
        sites = [Site(server, f) for f in folders if f.memories and not f.adopted]
    found: list[ext_review.InboxItem] = []
    roots: set[str] = set()
    for site in sites:
        if site.root not in roots:  # worktrees share one memory
            roots.add(site.root)
            items = await in_thread(inbox_of(site).items)
            found += [_shown(site, item) for item in items]
    await server.jobs.inboxes.look()
    return found


async def accept(server: MemdirServer, given: Mapping[str, Any]) -> ext_review.InboxAcceptAnswer:
    """Accept the proposal `id`.

    Questions come first; `force` accepts all the same, `update` (URI of a memory) changes that one instead. A signal needs
    what the person wrote: `type`, `name`, `description`, `body`, `scope`; given for a memory, they replace its own.
    """
    site, item = await _item(server, given)
    if item.kind == "consolidation":
        raise JobError(msg("A consolidation is reviewed file by file; open its review."))
    await site.loaded()
    request = _request(site, item, given)
    team = os.path.isdir(os.path.join(site.root, "team"))
    try:
        plan = plan_accept(item, site.context(), team=team, request=request, agreed=())
    except SaveError as error:
        raise JobError(error.message) from None
    answer: ext_review.InboxAcceptAnswer = {
        "uri": _target(site, item, [c.path for c in plan.change_set.changes]),
        "done": None,
        "questions": questions_of(site, plan.questions),
        "advice": [site.text(a) for a in plan.advice],
    }
    if plan.questions and given.get("force") is not True:
        return answer
    answer["done"] = await site.apply(plan.change_set, bases=plan.bases)
    answer["questions"] = []
    await in_thread(lambda: inbox_of(site).remove([item.id]))
    server.jobs.inboxes.changed()
    return answer


async def edit(server: MemdirServer, given: Mapping[str, Any]) -> ext_review.InboxItem:
    """Give the proposed memory `id` another `text`."""
    site, item = await _item(server, given)
    try:
        changed = with_text(item, text_of(given, "text"))
    except SaveError as error:
        raise JobError(error.message) from None
    changed = replace(changed, title=_retitled(changed))
    await in_thread(lambda: inbox_of(site).update(changed))
    server.jobs.inboxes.changed()
    return _shown(site, changed)


async def refuse(server: MemdirServer, given: Mapping[str, Any]) -> None:
    """Refuse the proposal `id`: what it says will not be proposed again."""
    site, item = await _item(server, given)
    if item.kind == "consolidation":
        from memdir.lsp.jobs.proposals import refuse_item

        await refuse_item(site, item)
        return
    await in_thread(lambda: inbox_of(site).refuse(item.id, site.now))
    server.jobs.inboxes.changed()


async def _item(server: MemdirServer, given: Mapping[str, Any]) -> tuple[Site, Item]:
    site = await site_of(server, given)
    ident = text_of(given, "id")
    items = await in_thread(inbox_of(site).items)
    found = next((i for i in items if i.id == ident), None)
    if found is None:
        raise JobError(msg("This proposal is no longer there; it was taken, refused or replaced."))
    return site, found


def _request(site: Site, item: Item, given: Mapping[str, Any]) -> SaveRequest | None:
    """What the person wrote instead of the proposal, None when nothing."""
    words = {key: text_of(given, key) for key in ("type", "name", "description", "body")}
    scope = text_of(given, "scope")
    if scope not in ("", "private", "team"):
        raise JobError(msg("The scope is private or team, not “{value}”.", value=scope))
    update = text_of(given, "update")
    path = path_of(update) if update else None
    rel = site.memory.store.rel_of(path) if path else None
    if update and rel is None:
        raise JobError(msg("{path} is no memory of this directory.", path=path or update))
    if not any(words.values()):
        file = item.file
        if rel is None or file is None:
            return None
        return replace(request_of(file.document(site.root)), update=rel, scope=None)
    return SaveRequest(**words, scope=cast("SaveScope | None", scope or None), update=rel)


def _retitled(item: Item) -> Any:
    file = item.file
    assert file is not None  # `with_text` takes nothing else
    name = file.document("").title
    return msg("New: {name}", name=name) if file.before is None else msg("Change: {name}", name=name)


def _target(site: Site, item: Item, paths: list[str]) -> str:
    """The memory that accepting writes: of a new one its free name, not the proposed one."""
    file = item.file
    if file is not None and file.before is not None:
        return site.uri(os.path.join(site.root, *file.rel.split("/")))
    own = [p for p in paths if os.path.basename(p) != "MEMORY.md"]
    return site.uri(own[0]) if own else ""


def _shown(site: Site, item: Item) -> ext_review.InboxItem:
    file = item.file
    document = file.document(site.root) if file is not None else None

    def text(content: bytes | None) -> str | None:
        return None if content is None else decode(content)[0].encode("utf-8", "replace").decode()

    return {
        "id": item.id,
        "folder": site.folder.uri,
        "kind": item.kind,
        "title": site.text(item.title),
        "created": item.created.isoformat(),
        "memoryType": item.type,
        "uri": site.uri(document.path) if document is not None else "",
        "text": text(file.after) if file is not None else None,
        "before": text(file.before) if file is not None else None,
        "description": document.description if document is not None else "",
        "evidence": [_evidence(site, e) for e in item.evidence],
        "notes": [
            site.text(n) for n in dict.fromkeys((*item.notes, *(r for f in item.files for r in f.reasons)))
        ]
        if item.kind != "consolidation"
        else [site.text(n) for n in item.notes],
        "files": len(item.files),
        "review": review_id(site, item.id) if item.kind == "consolidation" else None,
    }


def _evidence(site: Site, evidence: Evidence) -> ext_review.InboxEvidence:
    return {
        "quote": evidence.quote,
        "who": evidence.who,
        "uri": site.uri(evidence.path) if evidence.path else "",
        "line": evidence.line - 1,
    }
