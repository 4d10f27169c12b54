"""The client's project directories: `<config>/projects/<slug of a working directory>/` with sessions and memories.

Sessions are kept per working directory, so one repository's are spread over several directories. A name is only a hint
('-a-b' may be /a/b or /a-b); the proof is the `cwd` that a session's first records carry.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memdir.core.slug import legacy_slug, may_be_below, slug
from memdir.store.gitfiles import find_checkout, worktrees

if TYPE_CHECKING:
    from memdir.store.locate import Location

HEAD = 64 * 1024  # the first records carry the working directory; attachments can make them long
SESSIONS_READ = 3  # sessions of one directory agree; a few are read in case one is damaged


def transcript_directories(location: Location) -> tuple[str, ...]:
    """Directories under `projects/` with sessions of the location's repository, sorted.

    That is: the directory of the owner itself, and those of its sub-directories and worktrees whose sessions say so.
    A sub-directory that is a repository of its own is not counted.
    """
    roots = repository_roots(location)
    found = []
    for path, own in candidates(location, roots):
        cwds = session_cwds(path)
        if any(belongs(cwd, roots, location.owner) for cwd in cwds) or (not cwds and own):
            found.append(path)
    return tuple(found)


def candidates(location: Location, roots: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """(path, whether it has the name of the owner's own) of directories that may hold sessions of `roots`, by name.

    A name is a hint only: two directories can share it.
    """
    own = {
        slug(location.owner),
        legacy_slug(location.owner),
        os.path.basename(os.path.dirname(location.memory_dir)),
    }
    for name, path in project_directories(location.projects_dir):
        if name in own or any(may_be_below(name, root) for root in roots):
            yield path, name in own


def repository_roots(location: Location) -> list[str]:
    """Directories whose sessions are the repository's: the owner, its worktrees, the checkout asked about."""
    roots = [location.owner, *worktrees(location.owner)] if location.is_repository else [location.owner]
    return roots if location.top in roots else [*roots, location.top]


def project_directories(projects_dir: str) -> list[tuple[str, str]]:
    """(name, path) of every directory under `projects/`, sorted by name; empty when there is none."""
    try:
        with os.scandir(projects_dir) as entries:
            names = sorted(e.name for e in entries if e.is_dir())
    except OSError:
        return []
    return [(name, os.path.join(projects_dir, name)) for name in names]


def session_cwds(project_dir: str, sessions: int = SESSIONS_READ) -> list[str]:
    """Working directories that the newest sessions of a project directory started in, without doubles."""
    found = (session_cwd(path) for path in newest_sessions(project_dir)[:sessions])
    return list(dict.fromkeys(cwd for cwd in found if cwd))


def session_ends(project_dir: str, sessions: int = SESSIONS_READ) -> list[str]:
    """Working directories that they were in at the end, without doubles."""
    found = (session_cwd(path, at_end=True) for path in newest_sessions(project_dir)[:sessions])
    return list(dict.fromkeys(cwd for cwd in found if cwd))


def newest_sessions(project_dir: str) -> list[str]:
    """Session files of a project directory, newest first."""
    try:
        with os.scandir(project_dir) as entries:
            dated = [
                (e.stat().st_mtime_ns, e.path) for e in entries if e.name.endswith(".jsonl") and e.is_file()
            ]
    except OSError:
        return []
    return [path for _, path in sorted(dated, reverse=True)]


def session_cwd(path: str, *, at_end: bool = False) -> str | None:
    """The first absolute `cwd` in the head of a session file (the last in its tail); None when there is none.

    Only HEAD bytes are read. A file that can't be read has none.
    """
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        if at_end:
            os.lseek(fd, max(os.fstat(fd).st_size - HEAD, 0), os.SEEK_SET)
        part = os.read(fd, HEAD)
    except OSError:  # a pipe can't be sought in, a directory not be read
        return None
    finally:
        os.close(fd)
    return next(_cwds(part, backwards=at_end), None)


def _cwds(part: bytes, *, backwards: bool) -> Iterator[str]:
    if b'"cwd"' not in part:
        return
    import json

    lines = part.split(b"\n")
    for line in reversed(lines) if backwards else lines:
        if b'"cwd"' not in line:
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):  # half written, or cut by the head's size
            continue
        cwd = record.get("cwd") if isinstance(record, dict) else None
        if isinstance(cwd, str) and os.path.isabs(cwd) and "\0" not in cwd:
            yield cwd


def belongs(cwd: str, roots: list[str], owner: str) -> bool:
    """`cwd` is a root or below it; a directory that still exists is asked for its owner."""
    for root in roots:
        if cwd == root or cwd.startswith(root.rstrip(os.sep) + os.sep):
            return not os.path.isdir(cwd) or find_checkout(cwd).owner == owner
    return os.path.isdir(cwd) and find_checkout(cwd).owner == owner
