"""Which jobs run in a folder, and why one does not: one sentence each."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from memdir.agent.client import has_key, no_key
from memdir.agent.gates import check_gates
from memdir.agent.recall_service import how_to_ask
from memdir.core.i18n import Message, msg
from memdir.lsp import ext_jobs
from memdir.lsp.jobs.site import Site, site_of
from memdir.store.jobs import job_off
from memdir.team.setup import Off

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer


async def states(server: MemdirServer, given: Mapping[str, Any]) -> list[ext_jobs.JobState]:
    """The state of every job of a folder."""
    site = await site_of(server, given)
    key = has_key(server.world.environ)
    return [
        _recall(site),
        _extract(site, key=key),
        await _consolidate(site, key=key),
        _notes(site, key=key),
        await _team(site),
    ]


def _recall(site: Site) -> ext_jobs.JobState:
    label = msg("Recall")
    off = job_off(site.folder.workspace.location)
    if off is not None:
        return _state(site, "recall", label, "off", off, "recall.enabled")
    asking = how_to_ask(site.settings, site.server.world.environ)
    if asking.wanted:
        why = msg("The model {model} chooses.", model=site.settings.recall.model)
        return _state(site, "recall", label, "on", why, "recall.model")
    why = asking.without or msg("Words are compared; the model is switched off (recall.enabled).")
    return _state(site, "recall", label, "limited", why, "recall.enabled")


def _extract(site: Site, *, key: bool) -> ext_jobs.JobState:
    label, auto = msg("Extraction"), site.settings.extract.auto
    off = job_off(site.folder.workspace.location)
    if off is None and auto == "off":
        off = msg("Switched off (extract.auto); it runs when you ask for it.")
    if off is not None:
        return _state(site, "extract", label, "off", off, "extract.auto")
    if not key:
        why = msg("Hints only, when you ask for it. {reason}", reason=no_key().message)
        return _state(site, "extract", label, "limited", why, "extract.auto")
    why = (
        msg("After each finished turn, written at once.")
        if auto == "apply"
        else msg("After each finished turn, into the inbox.")
    )
    return _state(site, "extract", label, "on", why, "extract.auto")


async def _consolidate(site: Site, *, key: bool) -> ext_jobs.JobState:
    label, settings = msg("Consolidation"), site.settings.consolidate
    location = site.folder.workspace.location
    off = job_off(location)
    if off is None and settings.auto == "off":
        off = msg("Switched off (consolidate.auto); it runs when you ask for it.")
    if off is not None:
        return _state(site, "consolidate", label, "off", off, "consolidate.auto")
    gate = await asyncio.to_thread(
        check_gates, location, settings, now=site.now, state_dir=site.state_dir, throttled=False
    )
    if key:
        return _state(site, "consolidate", label, "on", gate.why, "consolidate.auto")
    why = msg("{why} Without a model: {reason}", why=gate.why, reason=no_key().message)
    return _state(site, "consolidate", label, "limited", why, "consolidate.auto")


def _notes(site: Site, *, key: bool) -> ext_jobs.JobState:
    label = msg("Session notes")
    off = job_off(site.folder.workspace.location)
    if off is None and not site.settings.notes.enabled:
        off = msg("Session notes are switched off (notes.enabled).")
    if off is None and not key:
        off = msg("Session notes need a model. {reason}", reason=no_key().message)
    if off is not None:
        return _state(site, "notes", label, "off", off, "notes.enabled")
    why = msg("Kept from {first} tokens of a session on.", first=f"{site.settings.notes.first_tokens:,}")
    return _state(site, "notes", label, "on", why, "notes.enabled")


async def _team(site: Site) -> ext_jobs.JobState:
    label = msg("Team memory")
    found = await site.server.jobs.teams.follow(site)
    if isinstance(found, Off):
        return _state(site, "team", label, "off", found.why, "team.transport")
    settings = site.settings.team
    why = (
        msg("Through git.")
        if settings.transport == "git"
        else msg("Through the service {url}.", url=settings.url)
    )
    return _state(site, "team", label, "on", why, "team.transport")


def _state(
    site: Site,
    job: Literal["recall", "extract", "consolidate", "notes", "team"],
    label: Message,
    state: Literal["on", "limited", "off"],
    message: Message,
    setting: str,
) -> ext_jobs.JobState:
    return {
        "job": job,
        "label": site.text(label),
        "state": state,
        "message": site.text(message),
        "setting": setting,
    }
