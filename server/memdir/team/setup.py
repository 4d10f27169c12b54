"""From settings to a running transport, or to the reason why team memory is off here."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from memdir.core.i18n import Message, msg
from memdir.store.gitfiles import read_small
from memdir.team.errors import TeamError
from memdir.team.protocol import REPOSITORY

if TYPE_CHECKING:
    from memdir.core.settings import Settings
    from memdir.store.locate import Location
    from memdir.team.report import Report, Status
    from memdir.team.review import Review
    from memdir.team.state import SyncState


class Transport(Protocol):
    """What the command line, the editor and the watcher use; `TeamSync` and `GitTeam` are its two forms. Methods block."""

    root: str

    def pull(self, *, force: bool = True) -> Report: ...
    def push(self, *, force: bool = True) -> Report: ...
    def sync(self, *, force: bool = False) -> Report: ...
    def status(self) -> Status: ...
    def open(self) -> AbstractContextManager[tuple[SyncState, Review]]: ...


@dataclass(frozen=True, slots=True)
class Off:
    """Team memory does nothing here. `broken`: it is wanted, but something is missing."""

    why: Message
    broken: bool = False


def team_root(location: Location) -> str:
    """The team directory of a memory directory; it need not exist."""
    return os.path.join(location.memory_dir, "team")


def check(location: Location, settings: Settings) -> Off | None:
    """Why team memory is off, judged by settings alone; None when a transport may run."""
    if not location.enabled:
        return Off(
            msg("Memory is off here ({source}), so team memory is off too.", source=location.enabled_by)
        )
    if settings.team.transport == "off":
        return Off(msg("Team memory is not set up for this repository; `memdir team init` does that."))
    if not location.settings_readable:
        return Off(
            msg("A settings file can't be read, so nothing is sent; `memdir where` names it."), broken=True
        )
    if not location.is_repository and not settings.team.repository:
        return Off(
            msg("Team memory belongs to a repository, and {path} is in none.", path=location.path),
            broken=True,
        )
    return None


def repository_name(location: Location, settings: Settings) -> str | None:
    """Name of the repository at the service: the setting, else host and path of the remote `origin`; None without either."""
    if settings.team.repository:
        return settings.team.repository
    config = _config_text(location.owner)
    url = _origin(config) if config else None
    return name_of_remote(url) if url else None


def name_of_remote(url: str) -> str | None:
    """`host/path` of a git remote in any of its spellings, lower-case, without `.git`, user, port; None for local paths."""
    m = re.match(r"(?:[a-z+]+://)(?:[^/@]*@)?([^/:]+)(?::\d+)?/+(.+)$", url, re.IGNORECASE) or re.match(
        r"(?:[^/@:]+@)?([^/:@]{2,}):(?!//)(.+)$", url
    )
    if m is None or url.lower().startswith("file:"):
        return None
    path = m[2].strip("/").removesuffix(".git").strip("/")
    name = re.sub(r"[^a-z0-9._/-]+", "-", f"{m[1]}/{path}".lower())
    return name if REPOSITORY.fullmatch(name) else None


def _config_text(owner: str) -> str | None:
    for path in (os.path.join(owner, ".git", "config"), os.path.join(owner, "config")):
        text = read_small(path, 1 << 20)
        if text is not None:
            return text
    pointer = read_small(os.path.join(owner, ".git"), 4096) or ""
    if pointer.startswith("gitdir:"):
        return read_small(os.path.join(owner, pointer[7:].strip(), "config"), 1 << 20)
    return None


def _origin(config: str) -> str | None:
    section = re.search(r'^\s*\[remote "origin"\]\s*$(.*?)(?=^\s*\[|\Z)', config, re.MULTILINE | re.DOTALL)
    found = re.search(r"^\s*url\s*=\s*(.+?)\s*$", section[1], re.MULTILINE) if section else None
    return found[1].strip('"') if found else None


def open_team(
    location: Location,
    settings: Settings,
    *,
    environ: Mapping[str, str],
    state_dir: str,
    config_dir: str,
    now: Callable[[], datetime],
    token: str | None = None,
) -> Transport | Off:
    """The transport of this repository, or why there is none. `token`: from the editor's secret store.

    config_dir: Memdir's own configuration directory, where a token file may be. Reads small files; opens no connection.
    """
    off = check(location, settings)
    if off is not None:
        return off
    root = team_root(location)
    if settings.team.transport == "git":
        from memdir.team.gitsync import GitTeam

        return GitTeam(root, state_dir, now=now, environ=environ)
    return _service(
        root,
        location,
        settings,
        environ=environ,
        state_dir=state_dir,
        config_dir=config_dir,
        now=now,
        token=token,
    )


def _service(
    root: str,
    location: Location,
    settings: Settings,
    *,
    environ: Mapping[str, str],
    state_dir: str,
    config_dir: str,
    now: Callable[[], datetime],
    token: str | None,
) -> Transport | Off:
    from memdir.store.errors import StoreError
    from memdir.team.client import TeamClient
    from memdir.team.credentials import find_token
    from memdir.team.engine import TeamSync
    from memdir.team.failures import check_url

    if not settings.team.url:
        return Off(msg("The address of the team service is not set (team.url)."), broken=True)
    name = repository_name(location, settings)
    if name is None:
        return Off(
            msg("The repository has no remote to take its name from; set team.repository."), broken=True
        )
    try:
        url = check_url(settings.team.url)
        found = find_token(url, environ, config_dir, token)
        if not found:
            return Off(
                msg(
                    "There is no token for {url}; run `memdir team login`, or in VS Code “Memory: Team Sign In”.",
                    url=url,
                ),
                broken=True,
            )
        client = TeamClient(url, name, found)
    except (TeamError, StoreError) as error:
        return Off(error.message, broken=True)
    fingerprint = hashlib.sha256(found.encode()).hexdigest()[:16]
    return TeamSync(client, root, state_dir, fingerprint=fingerprint, now=now)
