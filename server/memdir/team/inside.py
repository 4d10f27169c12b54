"""Opening files of the team directory without following links, component by component.

`guard.resolve` says where a key really lies; between that answer and the opening somebody may plant a link. So each
component of the resolved path is opened relative to the one before (`openat`) with O_NOFOLLOW: a planted link
makes the opening fail, it never makes it go elsewhere. On systems without `dir_fd` the opened file's identity
is compared with the path's before anything is read.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.i18n import msg
from memdir.team import guard
from memdir.team.guard import PathTraversalError

_HAS_DIR_FD = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class FileTooLargeError(ValueError):
    """A file holds more bytes than the caller allows; `size` is what it holds."""

    def __init__(self, size: int) -> None:
        super().__init__(f"{size} bytes")
        self.size = size


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the team directory: its key and what `fstat` said, to notice changes cheaply."""

    key: str
    size: int
    mtime_ns: int


def open_inside(root: str, key: str) -> int:
    """File descriptor (read-only, never blocking on a pipe) of the regular file `key`.

    FileNotFoundError when nothing is there; PathTraversalError when the key, a link or the kind of file is refused.
    The caller closes it.
    """
    path = guard.resolve(root, key)
    if not _HAS_DIR_FD:
        fd = _open_compared(path, key)
    else:
        base = os.path.realpath(root, strict=True)
        fd = _open_chain(base, os.path.relpath(path, base).split(os.sep), key)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise PathTraversalError(msg("Refused the path {path}: it is no ordinary file.", path=ascii(key)))
    return fd


def _open_chain(base: str, parts: list[str], key: str) -> int:
    folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        for part in parts[:-1]:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = below
        return os.open(parts[-1], _READ | os.O_NOFOLLOW, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ENOENT:
            raise
        raise PathTraversalError(
            msg(
                "Refused the path {path}: a link or another kind of file was put in its way.", path=ascii(key)
            )
        ) from None
    finally:
        os.close(folder)


def _open_compared(path: str, key: str) -> int:  # Windows: no O_NOFOLLOW, so compare identities
    fd = os.open(path, _READ)
    opened, named = os.fstat(fd), os.lstat(path)
    same = (opened.st_dev, opened.st_ino) == (named.st_dev, named.st_ino)
    if not same or os.path.normcase(os.path.realpath(path)) != os.path.normcase(path):
        os.close(fd)
        raise PathTraversalError(
            msg(
                "Refused the path {path}: a link or another kind of file was put in its way.", path=ascii(key)
            )
        )
    return fd


def read_inside(root: str, key: str, limit: int) -> bytes:
    """Bytes of the file `key`, at most `limit` (else FileTooLargeError). Errors as `open_inside`."""
    with os.fdopen(open_inside(root, key), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > limit:
            raise FileTooLargeError(size)
        content = file.read(limit + 1)
    if len(content) > limit:
        raise FileTooLargeError(len(content))
    return content


def list_inside(root: str) -> Iterator[Found]:
    """The Markdown files below `root` that can be memories, in the order of their keys.

    Hidden files and folders are left out, links are not followed (a link is no memory of the team). Names that the guard
    refuses are still listed: the caller reports them. A missing root gives nothing.
    """
    pending = [""]
    found: list[Found] = []
    while pending:
        folder = pending.pop()
        try:
            entries = os.scandir(os.path.join(root, folder) if folder else root)
        except OSError:  # vanished or unreadable meanwhile: what can't be read is not shared
            continue
        with entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                key = f"{folder}/{entry.name}" if folder else entry.name
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if key.count("/") < guard.MAX_DEPTH:
                            pending.append(key)
                    elif entry.name.endswith(".md") and entry.is_file(follow_symlinks=False):
                        info = entry.stat(follow_symlinks=False)
                        found.append(Found(key, info.st_size, info.st_mtime_ns))
                except OSError:  # removed between listing and stat
                    continue
    return iter(sorted(found, key=lambda f: f.key))
