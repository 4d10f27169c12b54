"""From the disk to documents: reads a memory directory, each file once, unchanged ones not at all.

Paths use '/' below the root on every platform. Only Markdown files are memory; folders that start with a dot and
anything deeper than MAX_DEPTH are left alone. Links that lead out of the directory are not followed (the index is the
exception: the client follows it too) but reported through `Scan.escapes`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdir.core.directory import Directory
    from memdir.core.document import Document, Scope

INDEX_NAME = "MEMORY.md"  # as in core.document, which a look at the disk does without

MAX_DEPTH = 8
MAX_FILES = 50_000
# Bytes read of one file. Rules look at the first million characters (`memdir.core.markdown.MAX_BODY`), so a larger
# file is read whole only up to here; nothing is ever written back to a file read in part.
MAX_BYTES = 16_000_000
_CHUNK = 16_384  # a larger first buffer costs an mmap per file (measured)


class Stamp(NamedTuple):
    """What tells that a file is unchanged: size, times of change of its content and of its entry in ns, inode."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


def stamp_of(info: os.stat_result) -> Stamp:
    return Stamp(info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)


@dataclass(slots=True)
class Scan:
    """Files of a memory directory: relative path -> stamp, links out of it, folders and files that were left out."""

    root: str
    files: dict[str, Stamp] = field(default_factory=dict)
    escapes: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)


def scan(root: str) -> Scan:
    """List the memory files below `root`; an absent or unreadable directory is empty."""
    found = Scan(root)
    real_root = os.path.realpath(root)
    todo = [("", 0)]
    while todo:
        folder, depth = todo.pop()
        try:
            with os.scandir(os.path.join(root, folder) if folder else root) as entries:
                for entry in entries:
                    _scan_entry(found, entry, folder, depth, real_root, todo)
        except OSError as error:
            if folder:
                found.skipped[folder] = error.strerror or str(error)
    return found


def _scan_entry(
    found: Scan, entry: os.DirEntry[str], folder: str, depth: int, real_root: str, todo: list[tuple[str, int]]
) -> None:
    name = entry.name
    rel = f"{folder}/{name}" if folder else name
    is_markdown = name.endswith(".md")
    try:
        if entry.is_symlink():
            target = os.path.realpath(entry.path)
            inside = target == real_root or target.startswith(real_root.rstrip(os.sep) + os.sep)
            if not inside:
                if is_markdown or entry.is_dir():
                    found.escapes[rel] = target
                if rel != INDEX_NAME:
                    return
            elif entry.is_dir():
                return  # a link to a folder inside would list its files twice, or for ever
        if is_markdown:
            info = entry.stat()
            if stat.S_ISREG(info.st_mode) and len(found.files) < MAX_FILES:
                found.files[rel] = stamp_of(info)
            elif stat.S_ISREG(info.st_mode):
                found.skipped[rel] = f"more than {MAX_FILES} files"
        elif entry.is_dir(follow_symlinks=False) and not name.startswith("."):
            if depth < MAX_DEPTH:
                todo.append((rel, depth + 1))
            else:
                found.skipped[rel] = f"deeper than {MAX_DEPTH} folders"
    except OSError as error:
        found.skipped[rel] = error.strerror or str(error)


def read_bytes(path: str, limit: int = MAX_BYTES) -> bytes:
    """Content of a regular file, at most `limit` bytes. Raises OSError."""
    fd = os.open(
        path,
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0),
    )
    try:
        data = os.read(fd, _CHUNK)
        if len(data) < _CHUNK:
            return data
        parts, size = [data], len(data)
        while size < limit and (data := os.read(fd, min(1 << 20, limit - size))):
            parts.append(data)
            size += len(data)
        return b"".join(parts)
    finally:
        os.close(fd)


@dataclass(slots=True)
class MemoryStore:
    """The documents of one memory directory, kept in step with the disk and with open buffers.

    `refresh` compares stamps and reads only what changed; `overlay` holds the text of buffers an editor has open, which
    win over the disk.
    """

    root: str
    scope: Scope | None = None  # "agent" for agent memory; None: private or team by path
    _directory: Directory | None = field(default=None, init=False)
    stamps: dict[str, Stamp] = field(default_factory=dict)
    escapes: Mapping[str, str] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    overlay: dict[str, str] = field(default_factory=dict)
    _tried: dict[str, Stamp] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root = self.root.rstrip("/") or "/"

    @property
    def directory(self) -> Directory:
        """The documents; empty until somebody reads them."""
        if self._directory is None:
            from memdir.core.directory import Directory

            self._directory = Directory(self.root)
        return self._directory

    def rel_of(self, path: str) -> str | None:
        """Relative path of an absolute one below the root, None outside."""
        path = path.replace(os.sep, "/") if os.sep != "/" else path
        return path[len(self.root) + 1 :] if path.startswith(self.root + "/") else None

    def refresh(self) -> frozenset[str]:
        """Bring the directory in step with the disk; gives the files that changed or whose shared facts did."""
        return frozenset().union(*self.refresh_steps(scan(self.root)))

    def refresh_steps(self, found: Scan) -> Iterator[frozenset[str]]:
        """The same in small steps, a file each, so that a server can answer in between; `found` is a fresh scan."""
        if found.escapes != self.escapes:
            yield frozenset({d.rel for d in self.directory.indexes()} | set(found.escapes))
        self.escapes, self.skipped = found.escapes, found.skipped
        for rel in [r for r in self.stamps if r not in found.files]:
            self.stamps.pop(rel, None)
            self._tried.pop(rel, None)
            if rel not in self.overlay:
                yield frozenset({rel, *self.directory.remove(rel)})
        for rel, stamp in found.files.items():
            if self.stamps.get(rel) != stamp and self._tried.get(rel) != stamp:
                yield self._read(rel, stamp)

    def refresh_file(self, rel: str) -> frozenset[str]:
        """Bring one file in step with the disk (a watcher named it)."""
        path = f"{self.root}/{rel}"
        try:
            info = os.stat(path)
            real = os.path.realpath(path)
            inside = real.startswith(os.path.realpath(self.root) + os.sep) or rel == INDEX_NAME
            if not stat.S_ISREG(info.st_mode) or not inside:
                raise FileNotFoundError(path)
        except OSError:
            if self.stamps.pop(rel, None) is None or rel in self.overlay:
                return frozenset()
            return frozenset({rel, *self.directory.remove(rel)})
        stamp = stamp_of(info)
        return self._read(rel, stamp) if self.stamps.get(rel) != stamp else frozenset()

    def _read(self, rel: str, stamp: Stamp) -> frozenset[str]:
        if rel in self.overlay:  # the buffer's text counts, with the time of the file
            self.stamps[rel] = stamp
            return self.open(rel, self.overlay[rel])
        try:
            content = read_bytes(f"{self.root}/{rel}")
        except OSError as error:
            self._tried[rel] = stamp
            self.skipped = {**self.skipped, rel: error.strerror or str(error)}
            return frozenset()
        from memdir.core.document import Document

        self.stamps[rel] = stamp
        document = Document(f"{self.root}/{rel}", rel, content, stamp.mtime_ns / 1e9, self.scope)
        return frozenset({rel, *self.directory.put(document)})

    def open(self, rel: str, text: str) -> frozenset[str]:
        """An editor opened or changed a buffer: its text counts from now on."""
        self.overlay[rel] = text
        from memdir.core.document import Document

        stamp = self.stamps.get(rel)
        document = Document(
            f"{self.root}/{rel}", rel, text, stamp.mtime_ns / 1e9 if stamp else None, self.scope
        )
        return frozenset({rel, *self.directory.put(document)})

    def close(self, rel: str) -> frozenset[str]:
        """The buffer is gone: the disk counts again."""
        if self.overlay.pop(rel, None) is None:
            return frozenset()
        self.stamps.pop(rel, None)
        changed = self.refresh_file(rel)
        return changed or frozenset({rel, *self.directory.remove(rel)})

    def documents(self) -> Iterator[Document]:
        """Documents in path order."""
        for rel in sorted(self.directory.documents):
            yield self.directory.documents[rel]
