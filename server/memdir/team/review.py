"""What waits for a person: files in quarantine, and conflicts with both texts. Shared by both transports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime

from memdir.core.i18n import Message, msg
from memdir.core.model import ChangeSet, CreateFile, DeleteFile, FileChange, content_hash
from memdir.store.apply import apply
from memdir.store.errors import StoreError
from memdir.store.files import atomic_write
from memdir.store.journal import Journal
from memdir.store.state import private_dir
from memdir.team.guard import check_key
from memdir.team.inside import list_inside, read_inside
from memdir.team.report import ConflictView
from memdir.team.state import Held, SyncState, forgotten


class Review:
    """Questions and answers about one team directory, with the state open (and saved by who opened it)."""

    def __init__(
        self, root: str, state_dir: str, place: str, state: SyncState, now: Callable[[], datetime], limit: int
    ) -> None:
        self._root, self._state_dir = root, state_dir
        self._quarantine = place + ".quarantine"
        self._state, self._now, self._limit = state, now, limit
        self._entry = ""  # journal entry of the last write

    def conflict(self, key: str) -> ConflictView | None:
        """Both texts of a conflict, None when there is none for `key`."""
        found = self._state.conflicts.get(key)
        if found is None:
            return None
        mine = self.remembered(found.mine)
        theirs: bytes | None = None
        with suppress(OSError, ValueError):
            theirs = read_inside(self._root, key, self._limit)
        return ConflictView(key, _text(mine), _text(theirs), found.author, found.time, found.entry)

    def resolve(self, key: str, keep: str) -> Message | None:
        """End a conflict: keep `theirs` as it is, or put `mine` back (it is sent with the next push). A message when it can't be."""
        found = self._state.conflicts.get(key)
        if found is None:
            return msg("There is no conflict about {key}.", key=key)
        if keep == "mine":
            mine = self.remembered(found.mine)
            if mine is None:
                return forgotten()
            try:
                self.write(key, mine, msg("Team memory: keep my text of {key}", key=key))
            except StoreError as error:
                return error.message
        del self._state.conflicts[key]
        return None

    def held_text(self, key: str) -> str | None:
        """The text of a file in quarantine."""
        held = self._state.held.get(key)
        if held is None:
            return None
        try:
            with open(self._held_path(held.sha256), "rb") as file:
                return file.read().decode("utf-8", "replace")
        except OSError:
            return None

    def judge(self, key: str, accept: bool) -> bool:
        """Let a quarantined file through (the next pull writes it) or turn it down; this version only. False: no such file."""
        held = self._state.held.pop(key, None)
        if held is None:
            return False
        (self._state.accepted if accept else self._state.rejected)[key] = held.sha256
        if not accept:  # seen and declined: what is here, if anything, is now the newer text and will be sent
            self._state.base[key] = held.sha256
        if not any(h.sha256 == held.sha256 for h in self._state.held.values()):
            with suppress(OSError):
                os.unlink(self._held_path(held.sha256))
        return True

    def hold(self, key: str, content: bytes, why: list[Message], author: str, time: str) -> None:
        """Put a file into quarantine: kept privately in the state directory, under its hash, never under its name."""
        sha = content_hash(content)
        private_dir(self._quarantine)
        atomic_write(self._held_path(sha), content, mode=0o600)
        self._state.held[key] = Held(sha, why, author, time)

    def write(self, key: str, content: bytes, title: Message) -> str:
        """Replace or create one file through the journal; gives the entry's number. StoreError when it changed this moment."""
        path = os.path.join(self._root, *check_key(key))
        removal: tuple[FileChange, ...] = ()
        with suppress(FileNotFoundError):
            removal = (DeleteFile(path, content_hash(read_inside(self._root, key, self._limit))),)
        changes = ChangeSet(title, (*removal, CreateFile(path, content)), "team-pull")
        done = apply(changes, roots=[self._root], state_dir=self._state_dir, now=self._now())
        self._state.seen.pop(key, None)
        return done.id or ""

    def remembered(self, sha256: str) -> bytes | None:
        """A text the journal keeps."""
        return Journal(self._state_dir).find([sha256]).get(sha256)

    def consolidated(self, keys: Iterable[str]) -> set[str]:
        """Those of `keys`, missing here, that an accepted consolidation removed and the team did not change since.

        Only such deletions are meant for everybody; the journal knows them.
        """
        wanted = {
            os.path.join(self._root, *k.split("/")): k
            for k in keys
            if self._state.base.get(k) == self._state.remote.get(k)
        }
        if not wanted:
            return set()
        real = {
            os.path.join(os.path.realpath(self._root), os.path.relpath(path, self._root)): key
            for path, key in wanted.items()
        }
        found: set[str] = set()
        for entry in Journal(
            self._state_dir
        ).entries():  # the newest first: the last word about each path counts
            for touched in entry.touched:
                key = real.pop(touched.path, None)
                if key is not None and entry.in_force and entry.origin == "consolidate" and not touched.after:
                    found.add(key)
            if not real:
                break
        return found

    def keys(self) -> list[str]:
        """Files of the directory."""
        return [found.key for found in list_inside(self._root)]

    def _held_path(self, sha256: str) -> str:
        return os.path.join(self._quarantine, sha256 + ".txt")


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "replace")
