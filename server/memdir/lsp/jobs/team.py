"""Team memory on request: how it stands, pulling, pushing, and the token from the editor's secret store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from memdir.core.i18n import Message, msg
from memdir.lsp import ext_team
from memdir.lsp.failure import JobError
from memdir.lsp.jobs import common
from memdir.lsp.jobs.site import Site, site_of
from memdir.lsp.params import text_of
from memdir.lsp.progress import progress
from memdir.lsp.protocol import progress_token
from memdir.team.errors import TeamError
from memdir.team.setup import Off, Transport

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer
    from memdir.team.report import Report, Status


T = TypeVar("T")


async def status(server: MemdirServer, given: Mapping[str, Any]) -> ext_team.TeamStatus:
    """How the folder's team memory stands; asks the disk, not the network."""
    site = await site_of(server, given)
    found = await server.jobs.teams.follow(site)
    if isinstance(found, Off):
        return _off(site, found)
    now = await in_thread(found.status)
    server.jobs.teams.noted(site, now)
    return _status(site, now)


async def pull(server: MemdirServer, given: Mapping[str, Any]) -> ext_team.TeamReport:
    """Bring the team directory up to the team's state, also after a permanent failure."""
    return await _run(server, given, "pull")


async def push(server: MemdirServer, given: Mapping[str, Any]) -> ext_team.TeamReport:
    """Send what is new here."""
    return await _run(server, given, "push")


async def token(server: MemdirServer, given: Mapping[str, Any]) -> bool:
    """Use `token` for the service at `url` from now on (an empty one: none). It is kept in memory only; true when it is new."""
    from memdir.team.failures import check_url

    try:
        url = check_url(text_of(given, "url"))
    except TeamError as error:
        raise JobError(error.message) from None
    value = text_of(given, "token").strip()
    teams = server.jobs.teams
    if teams.tokens.get(url, "") == value:
        return False
    if value:
        teams.tokens[url] = value
    else:
        teams.tokens.pop(url, None)
    await server.lifecycle.started()
    for folder in list(server.session.folders.values()):
        if folder.memories and folder.workspace.settings.team.url.rstrip("/") == url:
            await teams.follow(Site(server, folder))
    server.jobs.announce()
    return True


async def transport_of(site: Site) -> Transport:
    """The running transport of a folder. JobError when team memory is off."""
    found = await site.server.jobs.teams.follow(site)
    if isinstance(found, Off):
        raise JobError(found.why)
    return found


async def in_thread(work: Callable[[], T]) -> T:
    """`work` in a thread; what goes wrong there ends the command with a sentence."""
    try:
        return await common.in_thread(work)
    except TeamError as error:
        raise JobError(error.message) from None


async def _run(server: MemdirServer, given: Mapping[str, Any], what: str) -> ext_team.TeamReport:
    site = await site_of(server, given)
    transport = await transport_of(site)
    title = msg("Pulling team memory") if what == "pull" else msg("Pushing team memory")
    async with progress(server, title, progress_token.get()):
        report = await in_thread(transport.pull if what == "pull" else transport.push)
        now = await in_thread(transport.status)
    server.jobs.teams.noted(site, now)
    server.session.rescan(site.memory)
    lines = [site.text(line) for line in lines_of(report)]
    if what == "push":
        lines += [
            site.text(msg("stays here: {key}: {why}", key=key, why=why)) for key, why in now.blocked.items()
        ]
    return {
        "outcome": report.outcome,
        "message": site.text(report.message) if report.message else None,
        "lines": lines,
        "attention": bool(now.conflicts or now.held or now.blocked),
    }


def lines_of(report: Report) -> list[Message]:
    """What a run did, a line each, for somebody in an editor."""
    lines = [msg("pulled {key}", key=k) for k in report.pulled if k not in report.returned]
    lines += [
        msg("brought back {key}: deletions don't travel, the team still has it", key=k)
        for k in report.returned
    ]
    lines += [msg("pushed {key}", key=k) for k in report.pushed]
    lines += [msg("joined the entries of both sides in {key}", key=k) for k in report.merged]
    lines += [
        msg("{key} was changed on both sides: the team's text is in place, yours is kept", key=k)
        for k in report.conflicts
    ]
    lines += [msg("{key} waits in quarantine", key=k) for k in report.held]
    lines += [msg("not written: {key}: {why}", key=k, why=why) for k, why in report.missed.items()]
    if not lines and report.outcome == "ok":
        lines.append(msg("Team memory is up to date."))
    return lines


def _off(site: Site, off: Off) -> ext_team.TeamStatus:
    settings = site.settings.team
    found: ext_team.TeamStatus = {
        "folder": site.folder.uri, "transport": "off", "why": site.text(off.why), "broken": off.broken, "running": False,
        "url": settings.url, "repository": settings.repository, "root": os.path.join(site.root, "team"),
        "lastPull": None, "lastPush": None, "failure": None,
        "pending": [], "conflicts": [], "held": [], "blocked": [], "refused": [], "removed": [], "notes": [],
    }  # fmt: skip
    if off.broken and settings.transport == "service" and settings.url:
        found["needsToken"] = settings.url.rstrip("/")
    return found


def _status(site: Site, now: Status) -> ext_team.TeamStatus:
    def files(keys: Iterable[str]) -> list[ext_team.TeamFile]:
        return [file_of(site, key, ()) for key in keys]

    def reasons(table: Mapping[str, Message]) -> list[ext_team.TeamFile]:
        return [file_of(site, key, (why,)) for key, why in table.items()]

    return {
        "folder": site.folder.uri,
        "transport": "git" if now.transport == "git" else "service",
        "why": None,
        "broken": False,
        "running": now.failure is None,
        "url": now.url,
        "repository": now.repository,
        "root": now.root,
        "lastPull": now.last_pull or None,
        "lastPush": now.last_push or None,
        "failure": site.text(now.failure) if now.failure else None,
        "pending": files(now.pending),
        "conflicts": files(now.conflicts),
        "held": [file_of(site, key, why) for key, why in now.held.items()],
        "blocked": reasons(now.blocked),
        "refused": reasons(now.refused),
        "removed": files(now.removed),
        "notes": [site.text(n) for n in now.notes],
    }


def file_of(site: Site, key: str, why: Iterable[Message]) -> ext_team.TeamFile:
    """A file of the team directory for the client."""
    path = os.path.join(site.root, "team", *key.split("/"))
    return {"key": key, "uri": site.uri(path), "why": [site.text(m) for m in why]}
