"""Agent memory scattered by starting the client in a sub-directory.

Project and local scope follow the working directory, so an agent that was started in `repo/app` keeps its notes in
`repo/app/.claude/agent-memory/`, where a start in `repo` never finds them (docs/facts/client-behaviour.md, "Agent
memory").
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.document import INDEX_NAME
from memdir.core.i18n import msg
from memdir.core.model import Fix, Safety, Span
from memdir.core.settings import Problem

RULE = "agent-memory-misplaced"
_BASES = ("agent-memory", "agent-memory-local")
# A walk, not a search of the disk: deeper starts and larger repositories exist, but nobody waits for them.
MAX_DEPTH = 6
MAX_DIRECTORIES = 5_000
_SKIP = frozenset({"node_modules", "vendor", "target", "dist", "build", "__pycache__", "site-packages"})


@dataclass(frozen=True, slots=True)
class Scattered:
    """A directory of agent memory below a sub-directory; `home` is where a start at the top looks for it."""

    path: str
    home: str
    agent: str
    start: str  # the sub-directory the client was started in


def scattered_agent_memory(top: str) -> list[Scattered]:
    """Agent memory below sub-directories of the checkout `top`, by path. Nested repositories are left alone."""
    found = []
    for folder in _folders(top):
        for base in _BASES:
            parent = os.path.join(folder, ".claude", base)
            try:
                names = sorted(e.name for e in os.scandir(parent) if e.is_dir(follow_symlinks=False))
            except OSError:
                continue
            found += [
                Scattered(os.path.join(parent, n), os.path.join(top, ".claude", base, n), n, folder)
                for n in names
            ]
    return sorted(found, key=lambda s: s.path)


def _folders(top: str) -> Iterator[str]:
    """Directories below `top`, breadth first, within the bounds."""
    level, seen = [top], 0
    for _ in range(MAX_DEPTH):
        below: list[str] = []
        for folder in level:
            try:
                with os.scandir(folder) as entries:
                    children = sorted(e.path for e in entries if _worth(e))
            except OSError:
                continue
            for path in children:
                seen += 1
                if seen > MAX_DIRECTORIES:
                    return
                if not os.path.lexists(os.path.join(path, ".git")):
                    below.append(path)
                    yield path
        level = below


def _worth(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") and entry.name not in _SKIP and entry.is_dir(follow_symlinks=False)


def misplaced_problems(top: str) -> list[Problem]:
    """A problem per scattered directory, on its index (or its first file), with the merge as a fix."""
    from memdir.store.doctor import move_memories

    problems = []
    for item in scattered_agent_memory(top):
        place = _shown_file(item.path)
        if place is None:
            continue
        start = os.path.relpath(item.start, top)
        message = msg(
            "Memory of the agent {agent} that was kept while it ran in {start}; started at the top of the repository it never sees this.",
            agent=item.agent,
            start=start,
        )
        change = move_memories(item.path, item.home, item.agent)
        title = msg("Merge it into {path}", path=os.path.relpath(item.home, top))
        problems.append(
            Problem(RULE, place, Span(0, 0), message, (Fix(title, Safety.UNSAFE, change.changes),))
        )
    return problems


def _shown_file(directory: str) -> str | None:
    index = os.path.join(directory, INDEX_NAME)
    if os.path.isfile(index):
        return index
    try:
        names = sorted(n for n in os.listdir(directory) if n.endswith(".md"))
    except OSError:
        return None
    return os.path.join(directory, names[0]) if names else None
