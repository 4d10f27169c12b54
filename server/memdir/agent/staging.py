"""A staged copy of a memory directory: what a model works on, so that it never writes (ARCHITECTURE.md, "Invariants").

The copy lies in the state directory, for this user only. Every access goes from a key through `core.path_key` to an
opening without links (`store.files`), so a link planted between check and use makes the access fail. The difference
between the copy and what was read becomes file outcomes with the bases that a change set needs.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from types import TracebackType

from memdir.core.changes import FileOutcome
from memdir.core.i18n import Message, msg
from memdir.core.path_key import check_key, fold, refusal
from memdir.core.text import BOM
from memdir.store.errors import RefusedError
from memdir.store.files import Place, open_folder, open_place, read_file, resolve_inside, stage
from memdir.store.process import process_alive
from memdir.store.snapshot import scan
from memdir.store.state import private_dir

MAX_FILE = 1024 * 1024  # bytes; memories are kilobytes, and `file-too-large` warns far below
MAX_TOTAL = 64 * 1024 * 1024  # bytes of a directory that are staged: 10,000 memories of 6 KB
_FOLDER = "staging"
_BOM = BOM.encode()


class Stage:
    """The copy. `root` is its real path, `source` the memory directory, `base` what was read there, by key.

    Use it in a `with` block: the copy is removed at its end. Not for several threads at once.
    """

    def __init__(self, root: str, source: str) -> None:
        self.root = os.path.realpath(root)
        self.source = source.rstrip("/") or "/"
        self.base: dict[str, bytes] = {}
        self.left_out: dict[str, str] = {}
        self._folded: dict[str, str] = {}  # names in the form in which some file system confuses them

    @classmethod
    def copy(cls, source: str, state_dir: str, *, wanted: Callable[[str], bool] = lambda key: True) -> Stage:
        """Copy the memory files of `source` (it need not exist) whose key is `wanted`.

        What can't be copied is left out, with the reason in `left_out`: links out of the directory, files that are too
        large, names that mean something else on another system. Raises OSError when the copy can't be made.
        """
        found = cls(_new_folder(state_dir), source)
        try:
            found._fill(wanted)
        except BaseException:
            found.close()
            raise
        return found

    @classmethod
    def of(cls, files: Mapping[str, bytes], source: str, state_dir: str) -> Stage:
        """A stage of the given files only, as if they had been read from `source`."""
        found = cls(_new_folder(state_dir), source)
        try:
            for key, content in files.items():
                found.base[key] = content
                found.write(key, content)
        except BaseException:
            found.close()
            raise
        return found

    def __enter__(self) -> Stage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove the copy. Links in it are removed, never followed."""
        shutil.rmtree(self.root, ignore_errors=True)

    def files(self) -> list[str]:
        """The files of the copy, sorted. Links and what is no file are none."""
        found: list[str] = []
        todo = [""]
        while todo:
            folder = todo.pop()
            with (
                contextlib.suppress(OSError),
                os.scandir(os.path.join(self.root, folder) if folder else self.root) as entries,
            ):
                for entry in entries:
                    key = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(key)
                    elif entry.is_file(follow_symlinks=False):
                        found.append(key)
        return sorted(found)

    def read(self, key: str) -> bytes:
        """Content of a file. PathTraversalError or RefusedError for what is no plain file inside, FileNotFoundError."""
        path = self._path(key)
        with open_place(self.root, path) as place:
            return read_file(place.name, follow_links=False, dir_fd=place.fd, cap=MAX_FILE).content

    def write(self, key: str, content: bytes) -> None:
        """Make or replace a file whole. PathTraversalError, RefusedError, OSError; the old content stays then."""
        path = self._path(key)
        if len(content) > MAX_FILE and key not in self.base:
            raise RefusedError(msg("{path} would have more than {limit} bytes.", path=key, limit=MAX_FILE))
        with open_place(self.root, path, made=lambda _: None) as place:
            info = place.stat()
            if info is not None:
                read_file(place.name, follow_links=False, dir_fd=place.fd, cap=0)  # refuses links and devices
            else:
                twin = self._folded.get(fold(key), key)
                if twin != key:
                    raise refusal(
                        key, msg("it can't stand beside {other} on every file system", other=ascii(twin))
                    )
            tmp = place.sibling(f".stage-{os.urandom(6).hex()}")
            try:
                stage(tmp, content, mode=0o600, flush=False)
                tmp.replace(place)  # a link planted here this moment is replaced, not followed
                self._folded[fold(key)] = key
            except BaseException:
                tmp.unlink()
                raise

    def delete(self, key: str) -> None:
        """Remove a file. Errors as `read`."""
        path = self._path(key)
        with open_place(self.root, path) as place:
            read_file(place.name, follow_links=False, dir_fd=place.fd, cap=0)
            place.unlink()
        self._folded.pop(fold(key), None)

    def outcomes(self, reasons: Mapping[str, Sequence[Message]] | None = None) -> tuple[FileOutcome, ...]:
        """What differs from what was read, by key; paths are those of the source. `reasons` by key."""
        reasons = reasons or {}
        present = {key: self.read(key) for key in self.files() if not key.rsplit("/", 1)[-1].startswith(".")}
        found = []
        for key in sorted({*self.base, *present}):
            before, after = self.base.get(key), present.get(key)
            if before is not None and after is not None and before.startswith(_BOM):
                after = after if after.startswith(_BOM) else _BOM + after
            if before != after:
                path = f"{self.source}/{key}"
                found.append(FileOutcome(path, before, after, None, tuple(reasons.get(key, ()))))
        return tuple(found)

    def bases(self) -> dict[str, bytes]:
        """What was read, by content hash: `store.apply` shows a clash in three ways with it."""
        from memdir.core.model import content_hash

        return {content_hash(content): content for content in self.base.values()}

    def _path(self, key: str) -> str:
        return os.path.join(self.root, *check_key(key))

    def _fill(self, wanted: Callable[[str], bool]) -> None:
        found = scan(self.source)
        self.left_out.update(found.skipped)
        self.left_out.update((key, "a link out of the directory") for key in found.escapes)
        total = 0
        folders: dict[str, list[str]] = {}
        for key, stamp in sorted(found.files.items()):
            if key in found.escapes or not wanted(key):
                continue
            total += stamp.size
            if stamp.size > MAX_FILE or total > MAX_TOTAL:
                self.left_out[key] = "too large"
            else:
                folders.setdefault(key.rpartition("/")[0], []).append(key)
        for folder, keys in folders.items():
            try:
                self._fill_folder(folder, keys)
            except (OSError, RefusedError, ValueError) as error:
                self.left_out.update((key, str(error)) for key in keys if key not in self.base)

    def _fill_folder(self, folder: str, keys: Sequence[str]) -> None:
        """Copy files of one folder, both sides opened once and without links. The copy is new, so nothing is in the way."""
        real_root = os.path.realpath(self.source)
        source, target = (
            os.path.join(r, *folder.split("/")) if folder else r for r in (real_root, self.root)
        )
        with (
            open_folder(real_root, source) as reading,
            open_folder(self.root, target, made=lambda _: None) as writing,
        ):
            for key in keys:
                name = key.rpartition("/")[2]
                try:
                    check_key(key)
                    content = _read_source(real_root, key, Place(reading, name))
                    place = Place(writing, name if writing is not None else os.path.join(target, name))
                    stage(place, content, mode=0o600, flush=False)
                except (OSError, RefusedError, ValueError) as error:
                    self.left_out[key] = str(error)
                else:
                    self.base[key] = content
                    self._folded[fold(key)] = key


@contextlib.asynccontextmanager
async def staged(source: str, state_dir: str) -> AsyncIterator[Stage]:
    """`Stage.copy` for the time of a block, made in a thread; also a cancelled job leaves no copy behind."""
    work = asyncio.ensure_future(asyncio.to_thread(Stage.copy, source, state_dir))
    try:
        stage = await asyncio.shield(work)
    except asyncio.CancelledError:
        (await work).close()
        raise
    with stage:
        yield stage


def _read_source(root: str, key: str, place: Place) -> bytes:
    """Content of a file of the memory directory; a link is followed only to where it surely leads inside."""
    info = place.stat() if place.fd is not None else None
    if info is not None and stat.S_ISREG(info.st_mode):
        return read_file(place.name, follow_links=False, dir_fd=place.fd, cap=MAX_FILE).content
    real_root, real = resolve_inside(os.path.join(root, *key.split("/")), [root])
    with open_place(real_root, real) as inside:
        return read_file(inside.name, follow_links=False, dir_fd=inside.fd, cap=MAX_FILE).content


def _new_folder(state_dir: str) -> str:
    """A fresh directory of this process; those that killed processes left behind are removed."""
    base = private_dir(os.path.join(state_dir, _FOLDER))
    with contextlib.suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            owner = entry.name.partition("-")[0]
            if owner.isdecimal() and not process_alive(int(owner)):
                shutil.rmtree(entry.path, ignore_errors=True)
    return tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=base)
