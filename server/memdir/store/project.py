"""The repository behind a memory, as rules see it (`memdir.core.facts.ProjectFacts`): files, lines, times of change.

Answers are remembered until `refresh()`. Files are read only inside the repository: a citation that leads out of it, by
`..` or by a link, is not judged. All times come from one run of `git log` per repository, started by the first question
that needs it.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memdir.store.gitfiles import find_checkout, head_commit

if TYPE_CHECKING:
    from memdir.store.locate import Location

# Commits looked at, newest first. A file that did not change in them has no known time, and nothing is claimed of it.
MAX_COMMITS = 20_000
CAP = 8 << 20  # bytes of a source file; larger ones have no line count
_MARK, _END = b"\x01\x02", b"\x03"


class GitTimes:
    """When each file of a repository was last committed; `git log` runs once, when the first question comes."""

    def __init__(
        self,
        top: str,
        pathspec: str | None = None,
        *,
        since: datetime | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """`pathspec` (relative to `top`) limits the walk; so does `since`: older changes are not known then."""
        self.top = top
        self._pathspec, self._since, self._environ = pathspec, since, environ
        self._times: dict[str, int] | None = None
        self._lock = threading.Lock()

    def get(self, relative: str) -> datetime | None:
        """Last commit of the file (path relative to the top, with '/'), in UTC; None when unknown."""
        seconds = self.times().get(relative)
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)

    def times(self) -> Mapping[str, int]:
        """Path -> seconds since 1970 of its last commit. Blocks while git runs, the first time."""
        with self._lock:
            if self._times is None:
                self._times = self._read()
            return self._times

    def _read(self) -> dict[str, int]:
        from memdir.store.git import ask_git

        args = [
            "log",
            f"--max-count={MAX_COMMITS}",
            "-z",
            "--format=format:%x01%x02%ct%x03",
            "--name-only",
            "--no-renames",
        ]
        args += ["--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-mailmap"]
        if self._since is not None:
            args.append(f"--since={self._since.timestamp():.0f}")
        if self._pathspec:
            args += ["--", self._pathspec]
        found: dict[str, int] = {}
        for commit in (ask_git(self.top, args, environ=self._environ) or b"").split(_MARK)[1:]:
            head, _, names = commit.partition(_END)
            if not head.isdigit():
                continue
            seconds = int(head)
            for name in names.removeprefix(b"\n").split(b"\0"):
                if name:
                    # the log is newest first by topology; clocks differ, so the latest time wins
                    path = os.fsdecode(name)
                    if seconds > found.get(path, -1):
                        found[path] = seconds
        return found


class Repository:
    """Facts about the checkout `roots[0]`; further roots (the main checkout of a worktree) are asked next.

    `memory_dir` is where memory files are, for `commit_time`.
    """

    def __init__(
        self,
        roots: Sequence[str],
        *,
        memory_dir: str | None = None,
        since: datetime | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._roots = [os.path.realpath(root) for root in dict.fromkeys(roots)]
        self._memory_dir, self._since, self._environ = memory_dir, since, environ
        self.refresh()

    def refresh(self) -> None:
        """Forget what was read: files may have changed."""
        self._exists: dict[str, bool] = {}
        self._lines: dict[str, tuple[str, ...] | None] = {}
        self._counts: dict[str, int | None] = {}
        self._changed: dict[str, datetime | None] = {}
        self._times: GitTimes | None = None
        self._memory_times: GitTimes | bool | None = False  # False: not looked for yet
        self._folders: dict[str, str] = {}  # folder of memory files -> where git knows it

    def exists(self, path: str) -> bool:
        """A file or directory is there; True as well when the path leads out of the repository (not judged)."""
        known = self._exists.get(path)
        if known is None:
            places = self._places(path)
            known = self._exists[path] = not places or any(os.path.lexists(p) for _, p in places)
        return known

    def line_count(self, path: str) -> int | None:
        """Lines of a text file; None when it is no readable file, binary, or larger than CAP."""
        if path not in self._counts:
            lines = self._read(path)
            self._counts[path] = None if lines is None else len(lines)
        return self._counts[path]

    def read_lines(self, path: str, first: int, last: int) -> Sequence[str]:
        """Lines `first`..`last` (1-based, inclusive) without breaks, as far as they exist."""
        lines = self._lines.get(path)
        if lines is None:
            lines = self._lines[path] = self._read(path)
        return () if lines is None else lines[max(first, 1) - 1 : max(last, 0)]

    def changed_at(self, path: str) -> datetime | None:
        """When git last saw the file change; None when unknown, unversioned or no git."""
        if path in self._changed:
            return self._changed[path]
        if self._times is None:
            self._times = GitTimes(self._roots[0], since=self._since, environ=self._environ)
        found = None
        for root, place in self._places(path):
            # worktrees share their history, so one log answers for all roots
            found = self._times.get(os.path.relpath(place, root).replace(os.sep, "/"))
            break
        self._changed[path] = found
        return found

    def changed_since(self, path: str, moment: datetime) -> bool | None:
        """Whether git saw the file change after `moment`; None when unknown."""
        changed = self.changed_at(path)
        return None if changed is None else changed > moment

    def commit_time(self, path: str) -> datetime | None:
        """Last commit time of a memory file (absolute path) where the memory directory is versioned."""
        if self._memory_times is False:
            self._memory_times = _memory_times(self._memory_dir, self._environ)
        times = self._memory_times
        if not isinstance(times, GitTimes):
            return None
        folder, name = os.path.split(path)
        below = self._folders.get(folder)
        if below is None:
            real = os.path.relpath(os.path.realpath(folder), times.top).replace(os.sep, "/")
            below = self._folders[folder] = "" if real == "." else real + "/"
        return times.get(below + name)

    def stamp(self, path: str) -> str:
        """What `path` looks like in every root: changes when an answer about it may change. Reads no content."""
        return "|".join(_file_stamp(place) for _, place in self._places(path))

    def history_stamp(self) -> str | None:
        """The commits that the times of files come from; None when that can't be told."""
        tops = [self._roots[0]]
        if self._memory_dir is not None:
            checkout = find_checkout(self._memory_dir)
            if checkout.kind != "none":
                tops.append(checkout.top)
        heads = [head_commit(top) for top in tops]
        return None if None in heads else "|".join(head or "" for head in heads)

    def prefetch(self) -> None:
        """Run git now, so that later questions don't block (call it off the event loop)."""
        self.changed_at(".")
        if self._times is not None:
            self._times.times()
        self.commit_time(os.path.join(self._memory_dir or self._roots[0], "MEMORY.md"))

    def _places(self, path: str) -> list[tuple[str, str]]:
        """(root, where `path` is below it) for every root that it stays inside of."""
        found = []
        for root in self._roots:
            place = os.path.normpath(os.path.join(root, path))
            if "\0" not in place and (place == root or place.startswith(root.rstrip(os.sep) + os.sep)):
                found.append((root, place))
        return found

    def _read(self, path: str) -> tuple[str, ...] | None:
        from memdir.store.errors import StoreError
        from memdir.store.files import read_file

        for root, place in self._places(path):
            real = os.path.realpath(place)
            if not real.startswith(root.rstrip(os.sep) + os.sep):
                continue
            try:
                found = read_file(real, cap=CAP, follow_links=False)
            except (OSError, StoreError):
                continue
            if found.truncated or b"\0" in found.content[:8192]:
                return None
            text = found.content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
            lines = text.split("\n")
            return tuple(lines[:-1] if lines[-1] == "" else lines)
        return None


def _file_stamp(place: str) -> str:
    """What tells that a file is unchanged, as text; of a directory, that it is one."""
    try:
        own = os.lstat(place)
        info = os.stat(place) if stat.S_ISLNK(own.st_mode) else own
    except FileNotFoundError:
        return "-"
    except (OSError, ValueError) as error:
        return f"? {type(error).__name__}"
    if stat.S_ISDIR(info.st_mode):
        return f"directory {info.st_ino}"
    return (
        f"{info.st_mode} {info.st_size} {info.st_mtime_ns} {info.st_ctime_ns} {info.st_ino} {own.st_ctime_ns}"
    )


def repository_for(
    location: Location, *, since: datetime | None = None, environ: Mapping[str, str] | None = None
) -> Repository:
    """Facts about the repository of a location: its checkout first, then the main one.

    `since`: when the oldest memory was written. Changes before it don't matter to any, and git needn't look for them.
    """
    return Repository(
        (location.top, location.owner), memory_dir=location.memory_dir, since=since, environ=environ
    )


def _memory_times(memory_dir: str | None, environ: Mapping[str, str] | None) -> GitTimes | None:
    if memory_dir is None or not os.path.isdir(memory_dir):
        return None
    checkout = find_checkout(memory_dir)
    if checkout.kind == "none":
        return None
    relative = os.path.relpath(checkout.cwd, checkout.top)
    return GitTimes(checkout.top, None if relative == "." else relative, environ=environ)
