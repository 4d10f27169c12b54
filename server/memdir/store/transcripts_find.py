"""Finding the sessions of a repository: they are spread over the project folders of every directory it was used from.

The name of a project folder is only a hint (two directories can share it); the `cwd` in a session's own records decides.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memdir.store.project_dirs import belongs, candidates, repository_roots
from memdir.store.transcripts import Reader

if TYPE_CHECKING:
    from memdir.store.locate import Location

_AGENT_PREFIX = "agent-"  # files with a sub-agent's own side chain
_HEAD = 8 * 1024 * 1024  # bytes in which a session surely says where it was started, pasted images included


@dataclass(frozen=True, slots=True)
class Session:
    """A session file. `cwd` is where it was started, "" when it does not say; `mtime_ns` when it was last written."""

    path: str
    id: str
    cwd: str
    size: int
    mtime_ns: int


def find_sessions(location: Location, *, since_ns: int = 0, agents: bool = False) -> list[Session]:
    """Sessions of the location's repository (owner, sub-directories, worktrees), the latest first.

    `since_ns`: only those written after that time (files are not opened for the others). `agents`: also the files of
    sub-agents. Files that can't be read are left out.
    """
    roots = repository_roots(location)
    found = []
    for folder, own in candidates(location, roots):
        for path, size, mtime_ns in _session_files(folder, since_ns, agents=agents):
            cwd = session_start(path)
            if belongs(cwd, roots, location.owner) if cwd else own:
                found.append(
                    Session(path, os.path.basename(path).removesuffix(".jsonl"), cwd, size, mtime_ns)
                )
    return sorted(found, key=lambda s: (-s.mtime_ns, s.path))


def session_start(path: str) -> str:
    """The working directory a session was started in; "" when its first records don't say or it can't be read."""
    try:
        for record in Reader(path).read(limit=_HEAD):
            if record.cwd and os.path.isabs(record.cwd) and "\0" not in record.cwd:
                return record.cwd
    except OSError:
        return ""
    return ""


def _session_files(folder: str, since_ns: int, *, agents: bool) -> Iterator[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.name.endswith(".jsonl") or (entry.name.startswith(_AGENT_PREFIX) and not agents):
                    continue
                if not entry.is_file():
                    continue
                info = entry.stat()
                if info.st_mtime_ns > since_ns:
                    yield entry.path, info.st_size, info.st_mtime_ns
    except OSError:
        return
