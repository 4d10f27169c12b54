"""What every change replaced, kept outside the memory directory, so that it can be undone and recovered.

One file per change, `<state>/journal/<number>.jsonl`, only ever appended to: a header (what, when, why, which states),
one line per content, `ready`, then what became of it. The file is complete on the disk before the first memory file is
touched. A file without `ready` is of a process that died before it began; a half-written last line counts as
not written.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memdir.core.i18n import Message, msg
from memdir.core.settings import DEFAULTS, Settings
from memdir.store.errors import JournalError
from memdir.store.journal_entry import (
    FINAL,
    Entry,
    Outcome,
    Touched,
    message_from_json,
    message_to_json,
    read_entry,
    state_from_json,
    state_to_json,
)
from memdir.store.lock import hold
from memdir.store.state import private_dir
from memdir.store.transact import Item

__all__ = ["Entry", "Journal", "Limits", "Outcome", "Touched", "message_from_json", "message_to_json"]

_SUFFIX = ".jsonl"
_TAIL = 65536  # bytes at the end of an entry file that surely hold its outcome lines
_FLAGS = (
    os.O_WRONLY
    | os.O_APPEND
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the journal keeps; what is older goes, except changes that wait for recovery and the newest one."""

    entries: int = 1000
    size: int = DEFAULTS.undo_megabytes * 1024 * 1024
    age: timedelta = timedelta(days=DEFAULTS.undo_days)

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """What the settings `undo-days` and `undo-megabytes` say."""
        return cls(size=settings.undo_megabytes * 1024 * 1024, age=timedelta(days=settings.undo_days))


class Journal:
    """The journal below one state directory. Writing methods must run inside `lock()`."""

    def __init__(self, state_dir: str) -> None:
        self._folder = os.path.join(state_dir, "journal")

    @contextlib.contextmanager
    def lock(self, timeout: float = 10.0) -> Iterator[None]:
        """Keeps other processes and threads from changing memory through this journal. LockedError after `timeout`."""
        private_dir(self._folder)
        with hold(os.path.join(self._folder, "lock"), timeout=timeout):
            yield

    def next_id(self) -> str:
        """The number the next entry gets."""
        return str(max((int(i) for i in self._ids()), default=0) + 1)

    def begin(
        self,
        entry_id: str,
        items: Sequence[Item],
        *,
        time: datetime,
        origin: str,
        title: Message,
        roots: Iterable[str],
        dirs: Iterable[str],
        leaves: Iterable[str],
        undoes: str | None,
    ) -> None:
        """Write the complete entry to the disk; nothing has been changed yet."""
        header = {
            "version": 1,
            "id": entry_id,
            "time": time.isoformat(),
            "origin": origin,
            "title": message_to_json(title),
            "roots": list(roots),
            "dirs": list(dirs),
            "leaves": list(leaves),
            "undoes": undoes,
            "items": [
                {
                    "root": i.root,
                    "path": i.path,
                    "tmp": i.tmp,
                    "before": state_to_json(i.before),
                    "after": state_to_json(i.after),
                }
                for i in items
            ],
        }
        blobs = {s.hash: s.content for i in items for s in (i.before, i.after) if s.kind != "absent"}
        lines = [header]
        lines += [{"blob": h, "data": base64.b64encode(zlib.compress(c)).decode()} for h, c in blobs.items()]
        lines.append({"ready": True})
        try:
            self._append(entry_id, b"".join(_line(line) for line in lines), os.O_CREAT | os.O_EXCL)
            _sync_dir(self._folder)
        except FileExistsError:
            raise
        except OSError:
            self.discard(entry_id)
            raise

    def mark(self, entry_id: str, outcome: Outcome, time: datetime, kept: Sequence[str] = ()) -> None:
        """Append what became of the entry."""
        line = _line({"outcome": outcome, "time": time.isoformat(), "kept": list(kept)})
        self._append(entry_id, b"\n" + line, 0)  # the break ends a half-written line of a process that died

    def discard(self, entry_id: str) -> None:
        """Forget an entry."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path(entry_id))

    def entries(self) -> list[Entry]:
        """All complete entries, the newest first. Reads headers and ends only; unreadable files are left out."""
        found = [e for i in sorted(self._ids(), key=int, reverse=True) if (e := self._entry(i)) is not None]
        undone: dict[str, str] = {}
        result = []
        for entry in found:  # newest first: whether an undo is itself undone is known when it comes up
            marked = Entry(**{**_fields(entry), "undone_by": undone.get(entry.id)})
            if marked.undoes is not None and marked.in_force:
                undone[marked.undoes] = marked.id
            result.append(marked)
        return result

    def unfinished(self) -> list[str]:
        """Numbers of entries without a final outcome, oldest first. Reads ends only: it runs before every change."""
        return [i for i in sorted(self._ids(), key=int) if not self._finished(i)]

    def entry(self, entry_id: str) -> Entry | None:
        """One entry (without `undone_by`); None when its file is incomplete: its change never began."""
        return self._entry(entry_id)

    def load(self, entry_id: str) -> tuple[Entry, list[Item]]:
        """An entry with all its contents. JournalError when there is none or it can't be read."""
        entry = next((e for e in self.entries() if e.id == entry_id), None)
        if entry is None:
            raise JournalError(
                msg("There is no change {id} in the journal; `memdir undo --list` shows them.", id=entry_id)
            )
        try:
            return entry, self._items(entry_id)
        except (OSError, ValueError, KeyError, TypeError, zlib.error) as error:
            raise JournalError(
                msg("The journal's entry {id} is damaged and can't be used.", id=entry_id)
            ) from error

    def find(self, hashes: Iterable[str]) -> dict[str, bytes]:
        """Contents known to the journal, by hash (the newest entries are looked at first)."""
        wanted, found = set(hashes), dict[str, bytes]()
        for entry in self.entries():
            if wanted <= found.keys():
                break
            if any(h in wanted for t in entry.touched for h in (t.before, t.after)):
                with contextlib.suppress(JournalError):
                    for item in self.load(entry.id)[1]:
                        for state in (item.before, item.after):
                            if state.hash in wanted:
                                found[state.hash] = state.content
        return found

    def prune(self, limits: Limits, now: datetime) -> int:
        """Remove old finished entries beyond `limits`; gives how many went."""
        total = gone = 0
        for position, entry_id in enumerate(sorted(self._ids(), key=int, reverse=True)):
            info = os.stat(self._path(entry_id))
            total += info.st_size
            too_much = position >= limits.entries or total > limits.size
            if not too_much and now.timestamp() - info.st_mtime < limits.age.total_seconds():
                continue  # young by the file system's clock; for the others the header has the time
            entry = self._entry(entry_id) if position else None
            if entry is not None and entry.outcome in FINAL and (too_much or now - entry.time > limits.age):
                self.discard(entry_id)
                gone += 1
        return gone

    def _ids(self) -> list[str]:
        try:
            names = os.listdir(self._folder)
        except FileNotFoundError:
            return []
        return [
            n.removesuffix(_SUFFIX).lstrip("0")
            for n in names
            if n.endswith(_SUFFIX) and n.removesuffix(_SUFFIX).isdecimal()
        ]

    def _path(self, entry_id: str) -> str:
        return os.path.join(self._folder, f"{int(entry_id):08d}{_SUFFIX}")

    def _append(self, entry_id: str, content: bytes, flags: int) -> None:
        fd = os.open(self._path(entry_id), _FLAGS | flags, 0o600)
        try:
            data = memoryview(content)
            while data:
                data = data[os.write(fd, data) :]
            os.fsync(fd)
        finally:
            os.close(fd)

    def _finished(self, entry_id: str) -> bool:
        try:
            with open(self._path(entry_id), "rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - 4096))
                last = file.read().rpartition(b"\n")[0].rpartition(b"\n")[2]
        except OSError:  # pruned this moment, or unreadable: nothing that could be recovered from
            return True
        return any(last.startswith(b'{"outcome": "%b"' % o.encode()) for o in FINAL)

    def _entry(self, entry_id: str) -> Entry | None:
        try:
            with open(self._path(entry_id), "rb") as file:
                first = file.readline()
                header = json.loads(first)
                size = file.seek(0, os.SEEK_END)
                file.seek(max(len(first), size - _TAIL))
                tail = file.read()
            return read_entry(header, tail, size)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _items(self, entry_id: str) -> list[Item]:
        blobs: dict[str, bytes] = {}
        with open(self._path(entry_id), "rb") as file:
            header = json.loads(file.readline())
            for line in file:
                if line.startswith(b'{"blob"'):
                    data = json.loads(line)
                    blobs[data["blob"]] = zlib.decompress(base64.b64decode(data["data"]))
        return [
            Item(
                i["root"],
                i["path"],
                state_from_json(i["before"], blobs),
                state_from_json(i["after"], blobs),
                i["tmp"],
            )
            for i in header["items"]
        ]


def _line(data: Mapping[str, object]) -> bytes:
    return json.dumps(data).encode() + b"\n"


def _fields(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__dataclass_fields__}


def _sync_dir(path: str) -> None:
    if os.name != "posix":
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
