"""What one machine remembers about the synchronisation of one team directory; survives restarts and crashes.

One JSON file per team directory in the state directory, replaced whole. A file that can't be read is as good as none: everything in
it can be found out again from the two sides (what is lost are notes for the person), so it never stops anything.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from memdir.core.i18n import Message, msg
from memdir.store.files import atomic_write
from memdir.store.journal import message_from_json, message_to_json
from memdir.store.state import private_dir

FOLDER = "team"


@dataclass(slots=True)
class Conflict:
    """A file changed on both sides: the team's text is in place, ours (`mine`) is in the journal entry `entry`."""

    mine: str
    theirs: str
    entry: str
    author: str
    time: str


@dataclass(slots=True)
class Held:
    """A file from the team that waits for a person: its hash and what is doubtful."""

    sha256: str
    why: list[Message]
    author: str
    time: str


@dataclass(slots=True)
class SyncState:
    """`base`: hashes both sides agreed on. `remote`: hashes at the team as of `pulled` (a state tag). Times are ISO 8601.

    `blocked`: files of ours that are not sent, and why. `refused`: entries of the team that are not taken. `held`: those
    that wait in quarantine; `accepted`: hashes a person let through, `rejected`: those turned down. `suppressed`: fingerprint of the
    circumstances under which a permanent failure (`failure`) happened; while they stay the same nothing is tried.
    """

    url: str = ""
    repository: str = ""
    pulled: str = ""
    base: dict[str, str] = field(default_factory=dict)
    remote: dict[str, str] = field(default_factory=dict)
    seen: dict[str, list[Any]] = field(default_factory=dict)
    conflicts: dict[str, Conflict] = field(default_factory=dict)
    blocked: dict[str, Message] = field(default_factory=dict)
    refused: dict[str, Message] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    accepted: dict[str, str] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    last_pull: str = ""
    last_push: str = ""
    attempts: int = 0
    not_before: str = ""
    suppressed: str = ""
    failure: Message | None = None


def place(state_dir: str, root: str) -> str:
    """Base path (without suffix) of the files about the team directory `root`; the folder is made, private."""
    name = hashlib.sha256(os.path.realpath(root).encode("utf-8", "surrogateescape")).hexdigest()[:20]
    private_dir(state_dir)
    return os.path.join(private_dir(os.path.join(state_dir, FOLDER)), name)


def load(path: str, url: str, repository: str) -> SyncState:
    """The state in `path`, or a fresh one: when there is none, when it is broken, or when it is about another service."""
    try:
        with open(path, "rb") as file:
            data = json.loads(file.read())
        state = _from_json(data)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        state = SyncState()
    if (state.url, state.repository) != (url, repository):
        # another team: nothing agreed on before means anything there; open conflicts are still the person's business
        state = SyncState(conflicts=state.conflicts)
    state.url, state.repository = url, repository
    return state


def save(path: str, state: SyncState) -> None:
    """Write `state` whole, for this user only. OSError when the disk refuses."""
    data = asdict(state)
    data["version"] = 1
    for name in ("blocked", "refused"):
        data[name] = {k: message_to_json(v) for k, v in getattr(state, name).items()}
    for key, held in state.held.items():
        data["held"][key]["why"] = [message_to_json(m) for m in held.why]
    data["failure"] = None if state.failure is None else message_to_json(state.failure)
    atomic_write(path, json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"), mode=0o600)


def _from_json(data: Mapping[str, Any]) -> SyncState:
    if data["version"] != 1:
        raise ValueError("another version")
    state = SyncState(
        url=str(data["url"]),
        repository=str(data["repository"]),
        pulled=str(data["pulled"]),
        last_pull=str(data["last_pull"]),
        last_push=str(data["last_push"]),
        not_before=str(data["not_before"]),
        suppressed=str(data["suppressed"]),
        base=_texts(data["base"]),
        remote=_texts(data["remote"]),
        seen={k: list(v) for k, v in data["seen"].items()},
        conflicts={k: Conflict(**v) for k, v in data["conflicts"].items()},
        blocked={k: message_from_json(v) for k, v in data["blocked"].items()},
        refused={k: message_from_json(v) for k, v in data["refused"].items()},
        held={
            k: Held(v["sha256"], [message_from_json(m) for m in v["why"]], v["author"], v["time"])
            for k, v in data["held"].items()
        },
        accepted=_texts(data["accepted"]),
        rejected=_texts(data["rejected"]),
        removed=[str(k) for k in data["removed"]],
        returned=[str(k) for k in data["returned"]],
        attempts=int(data["attempts"]),
    )
    state.failure = None if data["failure"] is None else message_from_json(data["failure"])
    return state


def _texts(data: Mapping[str, Any]) -> dict[str, str]:
    return {str(k): str(v) for k, v in data.items()}


def forgotten() -> Message:
    """What to say when a remembered text can't be found any more."""
    return msg("That text is no longer in the journal.")
