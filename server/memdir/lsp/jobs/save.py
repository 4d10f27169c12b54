"""Saving, forgetting and logging: the small writes that a person asks for."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from memdir.core.i18n import msg
from memdir.lsp.buffers import path_of
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.site import Site, could_not_write, site_of
from memdir.lsp.params import text_of
from memdir.store.errors import StoreError

if TYPE_CHECKING:
    from memdir.core.document import Document
    from memdir.core.save import Question, SavePlan, SaveRequest
    from memdir.core.subject import Candidate
    from memdir.core.taxonomy import SaveScope
    from memdir.lsp import ext_jobs
    from memdir.lsp.server import MemdirServer


async def save(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.SaveAnswer:
    """Save a memory: `type`, `name`, `description`, `body`, `scope`, `update` (URI of a memory to change), `force`."""
    from memdir.core.save import SaveRequest

    site = await site_of(server, given)
    await site.loaded()
    scope = text_of(given, "scope")
    if scope not in ("", "private", "team"):
        raise JobError(msg("The scope is private or team, not “{value}”.", value=scope))
    update = _rel(site, text_of(given, "update"))
    request = SaveRequest(
        text_of(given, "type"),
        text_of(given, "name"),
        text_of(given, "description"),
        text_of(given, "body"),
        cast("SaveScope | None", scope or None),
        update,
    )
    plan = plan_for(site, request)
    answer = answer_of(site, plan)
    if not plan.questions or given.get("force") is True:
        answer["done"] = await site.apply(plan.change_set)
        answer["saved"] = True
    return answer


def plan_for(site: Site, request: SaveRequest) -> SavePlan:
    """What saving `request` would do. JobError for what can't be saved like this."""
    from memdir.core.save import SaveError, plan_save

    team = os.path.isdir(os.path.join(site.root, "team"))
    if request.scope == "team" and not team:
        raise JobError(msg("{path} has no team directory; set team memory up first.", path=site.root))
    try:
        return plan_save(site.context(), request, team=team)
    except SaveError as error:
        raise JobError(error.message) from None


def answer_of(site: Site, plan: SavePlan) -> ext_jobs.SaveAnswer:
    """A plan for the client; nothing is written yet."""
    return {
        "uri": site.uri(os.path.join(site.root, *plan.rel.split("/"))),
        "scope": plan.scope,
        "saved": False,
        "done": None,
        "questions": questions_of(site, plan.questions),
        "advice": [site.text(a) for a in plan.advice],
    }


def questions_of(site: Site, questions: Iterable[Question]) -> list[ext_jobs.SaveQuestion]:
    """Questions for the client."""
    return [
        {
            "kind": q.kind,
            "message": site.text(q.message),
            "candidates": [_reference(site, c) for c in q.candidates],
        }
        for q in questions
    ]


async def forget(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.ForgetAnswer:
    """Delete a memory and every pointer to it: `uri` of its file, or `what` (its file name or name)."""
    from memdir.core.forget import plan_forget

    site = await site_of(server, given)
    memory = await site.loaded()
    uri, what = text_of(given, "uri"), text_of(given, "what")
    place = server.session.find(path_of(uri)) if uri else None
    if place is not None:
        memory, what = place
    if not what.strip():
        raise JobError(msg("Say which memory to forget: its file or its name."))
    server.session.scheduler.flush()
    plan = plan_forget(memory.store.directory, what)
    if not plan.change_set:
        return {"done": None, "matches": [_matched(site, d) for d in plan.matches]}
    return {"done": await site.apply(plan.change_set, [memory.root]), "matches": []}


async def log(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.LogAnswer:
    """Append `text` to today's log."""
    from memdir.store.logs import append_entry

    site = await site_of(server, given)
    text = text_of(given, "text")
    try:
        path, entry = await asyncio.to_thread(
            append_entry, site.root, text, now=site.now, state_dir=site.state_dir
        )
    except ValueError:
        raise JobError(msg("There is nothing to log: give the text.")) from None
    except StoreError as error:
        raise JobError(error.message) from None
    except OSError as error:
        raise JobError(could_not_write(error)) from None
    server.session.disk_changed({path})
    return {"uri": site.uri(path), "entry": entry.rstrip("\n")}


def _rel(site: Site, uri: str) -> str | None:
    """The memory file behind a URI, relative to the folder's memory; None for ''."""
    if not uri:
        return None
    path = path_of(uri)
    rel = site.memory.store.rel_of(path) if path else None
    if rel is None:
        raise JobError(msg("{path} is no memory of this directory.", path=path or uri))
    return rel


def _reference(site: Site, candidate: Candidate) -> ext_jobs.MemoryRef:
    path = site.memory.store.directory.path_of(candidate.rel)
    return {"uri": site.uri(path), "name": candidate.name, "description": candidate.description}


def _matched(site: Site, document: Document) -> ext_jobs.MemoryRef:
    return {"uri": site.uri(document.path), "name": document.title, "description": document.description}
