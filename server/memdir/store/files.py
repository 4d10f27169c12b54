"""Reading and writing single files safely: size caps, ordinary files only, whole or not at all.

Every path that reaches the disk goes through a `Place`: a file name inside a directory that was opened component by
component without following links. A link planted after the check therefore loses (ARCHITECTURE.md, "Invariants").
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memdir.core.i18n import msg
from memdir.store.errors import RefusedError

# Memories are kilobytes and the largest index the client takes is 25 KB; 16 MiB leaves room for any real file and
# bounds what a hostile one can cost.
MAX_BYTES = 16 * 1024 * 1024

_DIR_FDS = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY") and hasattr(os, "O_NOFOLLOW")
_CLOEXEC = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
# O_NONBLOCK: opening a FIFO that nobody writes to would hang for ever; regular files don't care.
_READ = os.O_RDONLY | _CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
# What file systems without hard links (exFAT, some network mounts) answer to link(2).
_NO_LINKS = frozenset((errno.EPERM, errno.ENOSYS, errno.EMLINK, errno.EOPNOTSUPP, errno.ENOTSUP))


@dataclass(frozen=True, slots=True)
class FileContent:
    """What a read gave. `size` is the size on disk; `content` is shorter when `truncated`."""

    content: bytes
    size: int
    mtime_ns: int
    mode: int
    truncated: bool = False


def read_file(
    path: str, *, cap: int = MAX_BYTES, follow_links: bool = True, dir_fd: int | None = None
) -> FileContent:
    """At most `cap` bytes of the ordinary file `path`.

    Raises RefusedError for directories, FIFOs, devices and sockets (and links, with `follow_links=False`), OSError when
    the file can't be opened. Never blocks on a FIFO.
    """
    info = os.stat(path, dir_fd=dir_fd, follow_symlinks=follow_links)
    if not stat.S_ISREG(info.st_mode):  # before open: opening a device can have effects
        raise RefusedError(msg("{path} is not an ordinary file, so it is left alone.", path=path))
    fd = os.open(path, _READ | (0 if follow_links else _NOFOLLOW), dir_fd=dir_fd)
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            raise RefusedError(msg("{path} is not an ordinary file, so it is left alone.", path=path))
        parts: list[bytes] = []
        left = cap + 1
        while left > 0 and (part := os.read(fd, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
    finally:
        os.close(fd)
    content = b"".join(parts)
    cut = len(content) > cap
    return FileContent(
        content[:cap], max(info.st_size, len(content)), info.st_mtime_ns, stat.S_IMODE(info.st_mode), cut
    )


def resolve_inside(path: str, roots: Sequence[str], *, keep_last: bool = False) -> tuple[str, str]:
    """(real root, real path) of `path`, proved to lie inside one of `roots` after resolving links.

    `keep_last`: a link at the very end is not followed (to delete or rename the link itself). Raises RefusedError for
    anything else: relative paths, NUL, a root itself, other places, link loops.
    """
    outside = RefusedError(
        msg(
            "{path} is outside the memory directory, so nothing is written there.",
            path=path.replace("\0", "\\0"),
        )
    )
    if "\0" in path or not os.path.isabs(path):
        raise outside
    name = os.path.basename(path)
    try:
        if keep_last:
            if name in ("", ".", ".."):
                raise outside
            real = os.path.join(os.path.realpath(os.path.dirname(path)), name)
        else:
            real = os.path.realpath(path)
            if os.path.islink(real):  # realpath gives up on loops and leaves the link in place
                raise outside
        for root in roots:
            real_root = os.path.realpath(root)
            if real.startswith(real_root.rstrip(os.sep) + os.sep) and real_root != os.sep:
                return real_root, real
    except OSError as error:
        raise outside from error
    raise outside


@dataclass(frozen=True, slots=True)
class Place:
    """A file name in an opened directory. `fd` is None where the system has no directory handles: `name` is a path."""

    fd: int | None
    name: str

    def sibling(self, name: str) -> Place:
        """Another name in the same directory."""
        return Place(self.fd, name if self.fd is not None else os.path.join(os.path.dirname(self.name), name))

    def sync(self) -> None:
        """Flush the directory, so that a rename in it survives a power cut. Does nothing where that is unknown."""
        if self.fd is not None:
            os.fsync(self.fd)

    def stat(self) -> os.stat_result | None:
        """The entry itself (links not followed), or None when there is nothing."""
        try:
            return os.stat(self.name, dir_fd=self.fd, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def unlink(self) -> None:
        """Remove the entry; nothing happens when it is gone already."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.name, dir_fd=self.fd)

    def replace(self, onto: Place) -> None:
        """Move this entry over `onto`, atomically."""
        retry_busy(lambda: os.replace(self.name, onto.name, src_dir_fd=self.fd, dst_dir_fd=onto.fd))

    def move_new(self, onto: Place) -> None:
        """Move this entry to `onto`; FileExistsError when something is there, also when it came this moment."""
        try:
            os.link(self.name, onto.name, src_dir_fd=self.fd, dst_dir_fd=onto.fd, follow_symlinks=False)
        except (OSError, NotImplementedError) as error:
            if isinstance(error, OSError) and error.errno not in _NO_LINKS:
                raise
            if onto.stat() is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), onto.name) from None
            self.replace(onto)
        else:
            self.unlink()


@contextlib.contextmanager
def open_place(root: str, path: str, *, made: Callable[[str], None] | None = None) -> Iterator[Place]:
    """The `Place` of `path` (real, inside the real directory `root`), with its directories opened link-free.

    Missing directories raise FileNotFoundError, or are created when `made` is given; it hears the path of each.
    """
    folder, name = os.path.split(path)
    with open_folder(root, folder, made=made) as fd:
        yield Place(fd, path if fd is None else name)


@contextlib.contextmanager
def open_folder(root: str, folder: str, *, made: Callable[[str], None] | None = None) -> Iterator[int | None]:
    """A handle on the real directory `folder` at or below `root`, see `open_place`; None where there are none."""
    outside = RefusedError(
        msg("{path} is outside the memory directory, so nothing is written there.", path=folder)
    )
    if not _DIR_FDS:
        if made is not None:
            _make_dirs(folder, made)
        if os.path.realpath(folder) != folder:
            raise outside
        yield None
        return
    if made is not None:
        _make_dirs(root, made)
    flags = os.O_RDONLY | os.O_DIRECTORY | _NOFOLLOW | _CLOEXEC
    fd = os.open(root, flags)
    try:
        here = root
        for part in [] if folder == root else os.path.relpath(folder, root).split(os.sep):
            here = os.path.join(here, part)
            try:
                inner = _step_into(part, fd, flags, here, made)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENOTDIR):
                    raise outside from error
                raise
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


def _step_into(part: str, fd: int, flags: int, path: str, made: Callable[[str], None] | None) -> int:
    try:
        return os.open(part, flags, dir_fd=fd)
    except FileNotFoundError:
        if made is None:
            raise
        with contextlib.suppress(FileExistsError):  # somebody else made it this moment
            os.mkdir(part, dir_fd=fd)
            os.fsync(fd)
            made(path)
        return os.open(part, flags, dir_fd=fd)


def _make_dirs(folder: str, made: Callable[[str], None]) -> None:
    missing: list[str] = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for path in reversed(missing):
        with contextlib.suppress(FileExistsError):
            os.mkdir(path)
            made(path)


def stage(
    place: Place, content: bytes, *, mode: int | None = None, mtime_ns: int | None = None, flush: bool = True
) -> None:
    """Write `content` to the new file `place` and (`flush`) wait for the disk. FileExistsError when it exists.

    `mode` None gives what the process's umask leaves of 0666.
    """
    fd = os.open(
        place.name,
        os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC,
        0o666 if mode is None else 0o600,
        dir_fd=place.fd,
    )
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(fd, view) :]
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(fd, mode)
        if mtime_ns is not None and os.utime in os.supports_fd:
            os.utime(fd, ns=(mtime_ns, mtime_ns))
        if flush:
            os.fsync(fd)
    finally:
        os.close(fd)
    if mtime_ns is not None and os.utime not in os.supports_fd:
        os.utime(place.name, ns=(mtime_ns, mtime_ns))


def atomic_write(path: str, content: bytes, *, mode: int | None = None) -> None:
    """Replace (or create) `path` whole or not at all: temporary file beside it, flush, rename, flush the directory.

    For Memdir's own files (settings, state); memory directories are written by `store.apply` only. A link is followed,
    so that it stays one. Keeps the mode bits of an existing file unless `mode` says otherwise. Raises OSError; the old
    content stays then.
    """
    path = os.path.realpath(path)
    with contextlib.suppress(FileNotFoundError):
        info = os.stat(path)
        if not stat.S_ISREG(info.st_mode):
            raise RefusedError(msg("{path} is not an ordinary file, so it is left alone.", path=path))
        mode = stat.S_IMODE(info.st_mode) if mode is None else mode
    with open_place(os.path.dirname(path), path) as place:
        tmp = place.sibling(f".memdir-{os.getpid():x}-{os.urandom(4).hex()}.tmp")
        try:
            stage(tmp, content, mode=mode)
            tmp.replace(place)
        except BaseException:
            tmp.unlink()
            raise
        place.sync()


def retry_busy(action: Callable[[], None], *, attempts: int = 20, platform: str = sys.platform) -> None:
    """Run `action`; on Windows try again for at most a second while a reader holds the file open."""
    for attempt in range(attempts):
        try:
            action()
        except PermissionError:
            if platform != "win32" or attempt == attempts - 1:
                raise
            time.sleep(0.05)
        else:
            return
