"""Who owns the memory of a directory, read from git's own files.

No git program runs (it costs milliseconds, follows GIT_DIR and refuses foreign owners) and GIT_DIR is ignored, as the
agent's client does. A repository is code from others: a `.git` file proves nothing until the main repository's own files
name it in return, so a forged one can't borrow another repository's memory.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import Literal, TypeAlias

SMALL = 8192  # git's pointer files hold one path
_DIRECTORY = getattr(os, "O_PATH", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_FAST = hasattr(os, "O_PATH")
_UPWARDS = tuple("../" * i + ".git" for i in range(8))
CheckoutKind: TypeAlias = Literal["none", "main", "worktree"]


@dataclass(frozen=True, slots=True)
class Checkout:
    """Where a directory stands. All paths are real paths.

    `top` is the nearest directory with a `.git` entry, else the directory itself; `owner` is `top`, or for a proved
    linked worktree the main checkout (the common git directory where that is not called `.git`). `common` is set for
    proved worktrees.
    """

    cwd: str
    top: str
    owner: str
    kind: CheckoutKind
    common: str | None = None


def find_checkout(cwd: str) -> Checkout:
    """The checkout that `cwd` lies in. `cwd` need not exist; a file stands for its directory."""
    real, top = _climb(cwd) if _FAST else (None, None)
    if real is None:
        real, top = _climb_anywhere(cwd)
    if top is None:
        return Checkout(real, real, real, "none")
    if not os.path.isdir(top + "/.git"):  # a `.git` directory, the usual case, costs one call
        common = _worktree_common(top)
        if common is not None:
            parent, name = os.path.split(common)
            return Checkout(real, top, parent if name == ".git" else common, "worktree", common)
    return Checkout(real, top, top, "main")


def _climb(cwd: str) -> tuple[str | None, str | None]:
    """(real path of `cwd`, nearest directory with a `.git` entry of any kind); (None, None) where this way is barred.

    Linux: the kernel knows the real path of an open directory, and looking up from it keeps the cost linear in the
    depth, where a walk over whole paths is quadratic.
    """
    try:
        fd = os.open(cwd, _DIRECTORY)
    except (OSError, ValueError):  # missing, a file, not allowed, a NUL
        return None, None
    try:
        real = os.readlink(f"/proc/self/fd/{fd}")
        if not real.startswith("/") or real.endswith(" (deleted)"):
            return None, None
        access, here, up = os.access, real, 0
        while not access(_UPWARDS[up], os.F_OK, dir_fd=fd, follow_symlinks=False):
            if here == "/":
                return real, None
            here = here[: here.rfind("/")] or "/"
            up += 1
            if up == len(_UPWARDS):
                higher = os.open("../" * up, _DIRECTORY, dir_fd=fd)
                os.close(fd)
                fd, up = higher, 0
        return real, here
    except OSError:
        return None, None
    finally:
        os.close(fd)


def _climb_anywhere(cwd: str) -> tuple[str, str | None]:
    """The same on every system, for directories that don't exist and for files."""
    try:
        real = os.path.realpath(cwd)
    except ValueError:  # a NUL: no such directory can exist
        real = os.path.abspath(cwd)
        return real, None
    if os.path.isfile(real):
        real = os.path.dirname(real)
    here = real
    while not os.path.lexists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return real, None
        here = parent
    return real, here


def _worktree_common(top: str) -> str | None:
    """The common git directory if `top`'s `.git` file names a linked worktree that names it in return, else None."""
    dot_git = os.path.join(top, ".git")
    pointer = read_small(dot_git)
    if pointer is None or not pointer.startswith("gitdir:"):
        return None
    gitdir = os.path.join(top, pointer[len("gitdir:") :].strip())
    commondir, backlink = (
        read_small(os.path.join(gitdir, "commondir")),
        read_small(os.path.join(gitdir, "gitdir")),
    )
    if not commondir or not backlink:  # a submodule or --separate-git-dir has neither
        return None
    common = os.path.realpath(os.path.join(gitdir, commondir))
    real_gitdir = os.path.realpath(gitdir)
    if os.path.dirname(real_gitdir) != os.path.join(common, "worktrees"):
        return None
    # git writes the backlink absolute, or relative to the worktree's git directory (worktree.useRelativePaths)
    if os.path.realpath(os.path.join(real_gitdir, backlink)) != dot_git:
        return None
    return common


def head_commit(top: str) -> str | None:
    """What the checkout's history begins with, read from git's files: a commit, or "unborn". "" outside of git.

    None when the files do not tell: other ways of keeping references, commits that replace others, anything unreadable.
    """
    dot_git = os.path.join(top, ".git")
    if not os.path.lexists(dot_git):
        return ""
    git_dir = common = dot_git
    if not os.path.isdir(dot_git):
        pointer = read_small(dot_git)
        if pointer is None or not pointer.startswith("gitdir:"):
            return None
        git_dir = os.path.join(top, pointer[len("gitdir:") :].strip())
        common = os.path.join(git_dir, read_small(os.path.join(git_dir, "commondir")) or ".")
    odd = ("reftable", "refs/replace", "info/grafts", "shallow")
    if any(os.path.lexists(os.path.join(common, name)) for name in odd):
        return None
    head = read_small(os.path.join(git_dir, "HEAD"))
    if head is None or not head.startswith("ref:"):
        return head
    name = head[len("ref:") :].strip()
    commit = read_small(os.path.join(git_dir, name)) or read_small(os.path.join(common, name))
    if commit is not None:
        return commit
    packed = read_small(os.path.join(common, "packed-refs"), 1 << 22)
    if packed is None:
        return None if os.path.lexists(os.path.join(common, "packed-refs")) else "unborn"
    return next((line.split(" ")[0] for line in packed.splitlines() if line.endswith(" " + name)), "unborn")


def worktrees(owner: str) -> list[str]:
    """Checkouts that share the memory of `owner` (not `owner` itself): every linked worktree, as its backlink says.

    Includes worktrees whose directory is gone: their sessions are still theirs.
    """
    dot_git = os.path.join(owner, ".git")
    common = dot_git if os.path.isdir(dot_git) else owner
    base = os.path.join(common, "worktrees")
    try:
        names = sorted(os.listdir(base))
    except OSError:
        return []
    found = []
    for name in names:
        backlink = read_small(os.path.join(base, name, "gitdir"))
        if backlink:
            path = os.path.realpath(os.path.join(base, name, backlink))
            if os.path.basename(path) == ".git":
                found.append(os.path.dirname(path))
    return found


def read_small(path: str, limit: int = SMALL) -> str | None:
    """The stripped text of a regular file of at most `limit` bytes (links are followed), else None.

    Never blocks on a pipe or device.
    """
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        content = os.read(fd, limit + 1)
    except OSError:
        return None
    finally:
        os.close(fd)
    if len(content) > limit or b"\0" in content:
        return None
    return os.fsdecode(content).strip()
