"""What of team memory waits for a person: files changed on both sides, and doubtful ones in quarantine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memdir.core.i18n import Message, msg
from memdir.lsp import ext_team
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.site import Site, site_of
from memdir.lsp.jobs.team import file_of, in_thread, transport_of
from memdir.lsp.params import text_of
from memdir.team.setup import Transport

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer
    from memdir.team.report import ConflictView
    from memdir.team.state import Held


async def conflict(server: MemdirServer, given: Mapping[str, Any]) -> ext_team.TeamConflict:
    """Both texts of the conflict about `key`."""
    site, transport, key = await _about(server, given)

    def look() -> ConflictView | None:
        with transport.open() as (_, box):
            return box.conflict(key)

    view = await in_thread(look)
    if view is None:
        raise JobError(msg("There is no conflict about {key}.", key=key))
    return {
        "key": key,
        "uri": file_of(site, key, ())["uri"],
        "mine": view.mine,
        "theirs": view.theirs,
        "author": view.author,
        "time": view.time,
    }


async def resolve(server: MemdirServer, given: Mapping[str, Any]) -> None:
    """End the conflict about `key`: `keep` is `mine` (put back and sent) or `theirs` (which is in place)."""
    site, transport, key = await _about(server, given)
    keep = text_of(given, "keep")
    if keep not in ("mine", "theirs"):
        raise JobError(msg("Say which text to keep: mine or theirs."))

    def end() -> Message | None:
        with transport.open() as (_, box):
            return box.resolve(key, keep)

    problem = await in_thread(end)
    if problem is not None:
        raise JobError(problem)
    await _again(site, transport)


async def held(server: MemdirServer, given: Mapping[str, Any]) -> ext_team.TeamHeld:
    """The text of the file `key` in quarantine, and what is doubtful about it."""
    site, transport, key = await _about(server, given)

    def look() -> tuple[Held | None, str | None]:
        with transport.open() as (state, box):
            return state.held.get(key), box.held_text(key)

    entry, text = await in_thread(look)
    if entry is None or text is None:
        raise JobError(msg("{key} is not in quarantine.", key=key))
    return {
        **file_of(site, key, entry.why),
        "text": text,
        "author": entry.author,
        "time": entry.time,
    }


async def judge(server: MemdirServer, given: Mapping[str, Any]) -> None:
    """Let the file `key` in quarantine through (`accept` true: it is pulled at once) or turn this version of it down."""
    site, transport, key = await _about(server, given)
    accept = given.get("accept") is True

    def decide() -> bool:
        with transport.open() as (_, box):
            return box.judge(key, accept)

    if not await in_thread(decide):
        raise JobError(msg("{key} is not in quarantine.", key=key))
    if accept:
        await in_thread(transport.pull)
    await _again(site, transport)


async def _about(server: MemdirServer, given: Mapping[str, Any]) -> tuple[Site, Transport, str]:
    site = await site_of(server, given)
    return site, await transport_of(site), text_of(given, "key")


async def _again(site: Site, transport: Transport) -> None:
    """Something was decided: files may have changed, and the loop has something to send."""
    server = site.server
    server.session.rescan(site.memory)
    server.jobs.teams.noted(site, await in_thread(transport.status))
    run = server.jobs.teams.run_of(site)
    if run is not None:
        run.loop.changed()
    server.jobs.announce()
