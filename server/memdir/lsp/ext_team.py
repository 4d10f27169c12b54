"""What the jobs of team memory answer; their commands are in `memdir.lsp.ext_jobs`."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class TeamFile(TypedDict):
    """A file of team memory that needs attention; `key` is its path in the team directory."""

    key: str
    uri: str
    why: list[str]


class TeamStatus(TypedDict):
    """Answer to `teamStatus`. With `transport` `off`, `why` says why and the lists are empty; `broken`: it is wanted, but something is missing."""

    folder: str
    transport: Literal["off", "service", "git"]
    why: str | None
    broken: bool
    running: bool
    url: str
    repository: str
    root: str
    lastPull: str | None
    lastPush: str | None
    failure: str | None
    pending: list[TeamFile]
    conflicts: list[TeamFile]
    held: list[TeamFile]
    blocked: list[TeamFile]
    refused: list[TeamFile]
    removed: list[TeamFile]
    notes: list[str]
    needsToken: NotRequired[str]


class TeamReport(TypedDict):
    """Answer to `teamPull` and `teamPush`: a line per thing that happened."""

    outcome: Literal["ok", "waiting", "suppressed", "failed"]
    message: str | None
    lines: list[str]
    attention: bool


class TeamConflict(TypedDict):
    """Both texts of a conflict; the team's is in place. `mine` is null when the journal has forgotten it."""

    key: str
    uri: str
    mine: str | None
    theirs: str | None
    author: str
    time: str


class TeamHeld(TypedDict):
    """A file from the team in quarantine."""

    key: str
    uri: str
    text: str
    why: list[str]
    author: str
    time: str
