"""Every memory directory under the configuration directory: how large, whose, and whether its repository is gone."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.doctor import named_path
from memdir.core.slug import legacy_slug, slug
from memdir.store.environment import REMOTE_DIR, Environment, config_directory
from memdir.store.gitfiles import find_checkout
from memdir.store.project_dirs import project_directories, session_cwds
from memdir.store.unslug import existing_paths

MAX_DEPTH = 8
MAX_FILES = 50_000
_OURS = (".consolidate-lock",)  # bookkeeping of a client, no memory


@dataclass(frozen=True, slots=True)
class MemoryDirectory:
    """One memory directory. `size` and `file_count` are of Markdown files; `modified` is the newest one's mtime.

    `owner` is the repository (or plain directory) it belongs to, None when nobody can tell; `orphaned` says that it
    holds memories and nothing it could belong to exists any more.
    """

    name: str
    path: str
    project_dir: str
    file_count: int
    size: int
    modified: float
    owner: str | None
    owner_exists: bool

    @property
    def orphaned(self) -> bool:
        return bool(self.file_count) and not self.owner_exists and not self.foreign

    @property
    def foreign(self) -> bool:
        """A name that leads to no path on this system: made on Windows, or given by hand."""
        drive = os.name == "nt" and self.name[:1].isalpha() and self.name[1:3] == "--"
        return not (self.name.startswith("-") or drive)


def project_roots(env: Environment, cwd: str = "/") -> list[str]:
    """Directories that hold project directories: the configuration's, and the remote memory directory's."""
    roots = [os.path.join(config_directory(env, cwd), "projects")]
    remote = env.environ.get(REMOTE_DIR)
    if remote:
        roots.append(os.path.join(os.path.normpath(os.path.join(cwd, remote)), "projects"))
    return list(dict.fromkeys(roots))


def all_memory_directories(env: Environment, cwd: str = "/") -> list[MemoryDirectory]:
    """Every `<projects>/<name>/memory/`, sorted by path. Reads heads of sessions; for many projects, call it in a thread."""
    found = []
    for root in project_roots(env, cwd):
        for name, project_dir in project_directories(root):
            path = os.path.join(project_dir, "memory")
            if not os.path.isdir(path):
                continue
            count, size, modified = measure(path)
            owner, exists = owner_of_directory(name, session_cwds(project_dir))
            found.append(MemoryDirectory(name, path, project_dir, count, size, modified, owner, exists))
    return found


def owner_of_directory(name: str, cwds: list[str]) -> tuple[str | None, bool]:
    """(owner, whether it exists) of a project directory, from the working directories of its sessions and its name."""
    owners = list(dict.fromkeys(find_checkout(c).owner for c in cwds if os.path.isdir(c)))
    for owner in owners:
        if name in (slug(owner), legacy_slug(owner)):
            return owner, True
    path = named_path(name, cwds)
    if path is not None:
        return (find_checkout(path).owner, True) if os.path.isdir(path) else (path, False)
    if owners:
        return owners[0], True
    guesses = existing_paths(name)
    if guesses:
        owners = [find_checkout(g).owner for g in guesses]
        return next((o for o in owners if slug(o) == name), owners[0]), True
    return None, False


def list_files(root: str) -> Iterator[tuple[str, str]]:
    """(relative path with '/', path) of every ordinary file below `root`; links and bookkeeping are left out."""
    count = 0
    todo = [("", root, 0)]
    while todo:
        prefix, folder, depth = todo.pop()
        try:
            with os.scandir(folder) as entries:
                ordered = sorted(entries, key=lambda e: e.name)
        except OSError:
            continue
        for entry in ordered:
            if entry.is_symlink() or entry.name in _OURS:
                continue
            if entry.is_dir():
                if depth < MAX_DEPTH:
                    todo.append((prefix + entry.name + "/", entry.path, depth + 1))
            elif entry.is_file():
                count += 1
                if count > MAX_FILES:
                    return
                yield prefix + entry.name, entry.path


def measure(root: str) -> tuple[int, int, float]:
    """(number, bytes, newest mtime) of the Markdown files below `root`; zeros for a directory that is not there."""
    count = size = 0
    modified = 0.0
    for rel, path in list_files(root):
        if rel.endswith(".md"):
            try:
                info = os.stat(path)
            except OSError:
                continue
            if stat.S_ISREG(info.st_mode):
                count, size, modified = count + 1, size + info.st_size, max(modified, info.st_mtime)
    return count, size, modified
