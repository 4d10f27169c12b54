"""A directory to apply change sets to."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from memdir.core.i18n import msg
from memdir.core.model import (
    ChangeSet,
    Edit,
    EditFile,
    FileChange,
    Span,
    content_hash,
)
from memdir.store.apply import apply
from tests.conftest import NOW

OLD = 1_700_000_000_123_456_789  # an mtime with nanoseconds


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    root.mkdir()
    return root


@pytest.fixture
def state(tmp_path: Path) -> str:
    return str(tmp_path / "state")


def put(path: Path, content: bytes, mode: int = 0o640, mtime_ns: int = OLD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
    os.utime(path, ns=(mtime_ns, mtime_ns))
    return path


def picture(root: Path) -> dict[str, object]:
    """Everything about a directory that a change must leave or restore."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        info = path.lstat()
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = ("link", os.readlink(path))
        elif path.is_dir():
            found[name] = "dir"
        else:
            found[name] = (path.read_bytes(), stat.S_IMODE(info.st_mode), info.st_mtime_ns)
    return found


def edit(path: Path, old: str, new: str, base: bytes | None = None) -> EditFile:
    content = path.read_bytes() if base is None else base
    at = content.decode("utf-8", "surrogateescape").lstrip("\ufeff").index(old)
    return EditFile(str(path), (Edit(Span(at, at + len(old)), new),), content_hash(content))


def change(*changes: FileChange) -> ChangeSet:
    return ChangeSet(msg("A test"), changes, "fix")


def do(changes: ChangeSet, root: Path, state: str, **kwargs: object):
    return apply(changes, roots=[str(root)], state_dir=state, now=NOW, **kwargs)  # type: ignore[arg-type]
