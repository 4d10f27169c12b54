"""From the team into the directory: what is taken, what waits in quarantine, what is refused, what is kept of ours."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime

from memdir.core.i18n import files, msg
from memdir.core.model import ChangeSet, CreateFile, DeleteFile, FileChange, content_hash
from memdir.store.apply import apply
from memdir.store.errors import ConflictError, RefusedError, StoreError
from memdir.team import guard, screen
from memdir.team.client import TeamClient
from memdir.team.errors import TeamError
from memdir.team.guard import Names, PathTraversalError
from memdir.team.local import Local
from memdir.team.protocol import parse_tag
from memdir.team.report import Report
from memdir.team.review import Review
from memdir.team.state import Conflict, SyncState
from memdir.team.sync import Action, decide_all, merged_index, only_lists
from memdir.team.wire import Delta, Incoming

INDEX = "MEMORY.md"
_PAGES = 2000  # pages of one pull; a service that has always more to say is broken
_PICK = 50  # keys asked for by name in one request


class Inbox(Review):
    """Pulling into one directory, with the state open."""

    def __init__(
        self,
        client: TeamClient,
        root: str,
        state_dir: str,
        place: str,
        state: SyncState,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(root, state_dir, place, state, now, client.limits.file)
        self._client = client

    # pulling

    def pull(self, local: Local, report: Report) -> None:
        """Fetch what changed, then write what is to be taken. TeamError when the exchange fails; then what was fetched stays known."""
        state = self._state
        fetched = self._fetch()
        actions = decide_all(local.hashes, state.base, state.remote)
        gone = self.consolidated(k for k, a in actions.items() if a is Action.RETURN)
        take = [
            k
            for k, a in actions.items()
            if a in (Action.TAKE, Action.RETURN, Action.CONFLICT) and self._wanted(k) and k not in gone
        ]
        take = self._free_of_collisions(take, local)
        missing = [k for k in take if k not in fetched]
        for start in range(0, len(missing), _PICK):
            self._pick(missing[start : start + _PICK], fetched)
        ready = [fetched[k] for k in take if k in fetched and self._passes(fetched[k], report)]
        self._write(ready, actions, local, report)
        state.base |= {k: h for k, h in local.hashes.items() if state.remote.get(k) == h}
        state.removed = [k for k, a in actions.items() if a is Action.KEEP]
        state.conflicts = {k: c for k, c in state.conflicts.items() if k in local.hashes or k in state.remote}

    def _fetch(self) -> dict[str, Incoming]:
        """Pages of changes since the last pull; `remote`, `pulled` and `refused` follow them."""
        state = self._state
        fetched: dict[str, Incoming] = {}
        since = parse_tag(state.pulled)
        for number in range(_PAGES):
            page = self._client.changes(since)
            if page is None:
                return fetched
            if page.full and number == 0:
                state.remote, state.refused = {}, {}
                if since is not None:
                    # the store began anew or went back to a backup: that a key is missing there says nothing now
                    state.base = {}
            self._learn(page, fetched)
            if (
                page.more
                and since is not None
                and page.tag.epoch == since.epoch
                and page.tag.version <= since.version
            ):
                break  # no progress
            since = page.tag
            state.pulled = str(since)
            if not page.more:
                return fetched
        raise TeamError("protocol", msg("The team service never stops sending; giving up."))

    def _learn(self, page: Delta, fetched: dict[str, Incoming]) -> None:
        state = self._state
        for entry in page.entries:
            fetched[entry.key] = entry
            state.remote[entry.key] = entry.sha256
            state.refused.pop(entry.key, None)
        for key in page.removed:
            fetched.pop(key, None)
            for table in (state.remote, state.refused, state.held):
                table.pop(key, None)
        for key, why in page.refused.items():
            fetched.pop(key, None)
            state.remote.pop(key, None)
            state.refused[key[:200]] = why

    def _pick(self, keys: list[str], fetched: dict[str, Incoming]) -> None:
        rest = list(keys)
        while rest:
            page = self._client.pick(rest)
            found = {e.key: e for e in page.entries if e.key in rest}
            # newer than what we decided on: the next pull brings it with its own decision
            fetched.update({k: e for k, e in found.items() if self._state.remote.get(k) == e.sha256})
            rest = [k for k in rest if k not in found] if page.more and found else []

    def _wanted(self, key: str) -> bool:
        """Not waiting in quarantine, and not turned down, in exactly this version."""
        state, sha = self._state, self._state.remote.get(key)
        held = state.held.get(key)
        return not (held is not None and held.sha256 == sha) and state.rejected.get(key) != sha

    def _free_of_collisions(self, keys: list[str], local: Local) -> list[str]:
        """Keys that can stand beside the files here on every file system; the others are refused by name."""
        names, good = Names(local.hashes), list[str]()
        for key in keys:
            self._state.refused.pop(key, None)
            try:
                names.add(key)
                guard.resolve(self._root, key) if os.path.isdir(self._root) else guard.contained(
                    self._root, key
                )
                good.append(key)
            except PathTraversalError as error:
                self._state.refused[key] = error.message
        return good

    def _passes(self, entry: Incoming, report: Report) -> bool:
        """Screened, or let through by a person before; else it goes to quarantine."""
        state = self._state
        if state.accepted.get(entry.key) == entry.sha256:
            return True
        why = screen.incoming(self._root, entry.key, entry.content, self._now())
        if not why:
            state.held.pop(entry.key, None)
            return True
        self.hold(entry.key, entry.content, why, entry.author, entry.time)
        report.held.append(entry.key)
        return False

    # writing

    def _write(
        self, entries: list[Incoming], actions: dict[str, Action], local: Local, report: Report
    ) -> None:
        """One change set for all; files that changed this very moment are left for the next pull."""
        entries = list(entries)
        bodies = {e.key: self._body(e, actions[e.key], local, report) for e in entries}
        while entries:
            changes = [c for e in entries for c in self._changes(e, bodies[e.key], local)]
            title = msg("Team memory: {files} from the team", files=files(len(entries)))
            try:
                done = apply(
                    ChangeSet(title, tuple(changes), "team-pull"),
                    roots=[self._root],
                    state_dir=self._state_dir,
                    now=self._now(),
                )
            except (ConflictError, RefusedError) as error:
                entries = self._without_culprit(entries, error, report)
                continue
            except StoreError as error:
                report.missed |= {e.key: error.message for e in entries}
                return
            except OSError as error:
                why = msg("it can't be written ({error})", error=error.strerror or str(error))
                report.missed |= {e.key: why for e in entries}
                return
            for entry in entries:
                self._taken(entry, bodies[entry.key], actions[entry.key], done.id or "", local, report)
            return

    def _body(self, entry: Incoming, action: Action, local: Local, report: Report) -> bytes:
        """What is written: the team's text, except for an index that both sides added lines to."""
        name = entry.key.rpartition("/")
        if action is not Action.CONFLICT or name[2] != INDEX:
            return entry.content
        with suppress(OSError, ValueError):
            mine = local.read(entry.key, self._client.limits.file).decode("utf-8")
            theirs = entry.content.decode("utf-8")
            present = {*local.hashes, *self._state.remote} - set(self._state.removed)
            return merged_index(theirs, mine, present, name[0] + name[1]).encode()
        return entry.content

    def _changes(self, entry: Incoming, body: bytes, local: Local) -> Iterable[FileChange]:
        path = os.path.join(self._root, *entry.key.split("/"))
        base = local.hashes.get(entry.key)
        if base is not None:
            if base == content_hash(body):
                return
            yield DeleteFile(path, base)
        yield CreateFile(path, body, msg("from {author}", author=entry.author or "?"))

    def _without_culprit(
        self, entries: list[Incoming], error: ConflictError | RefusedError, report: Report
    ) -> list[Incoming]:
        """`entries` without those the store refused. When it does not say which, they are tried one by one (by halving)."""
        if isinstance(error, ConflictError):
            real = {os.path.realpath(c.path): c for c in error.conflicts}
            bad = {
                e.key: c
                for e in entries
                if (c := real.get(os.path.realpath(os.path.join(self._root, e.key))))
            }
            if bad:
                report.missed |= {k: c.message for k, c in bad.items()}
                return [e for e in entries if e.key not in bad]
        for entry in entries:
            try:
                guard.resolve(self._root, entry.key)
                if os.path.islink(os.path.join(self._root, entry.key)):
                    raise PathTraversalError(error.message)
            except PathTraversalError as why:
                self._state.refused[entry.key] = why.message
                return [e for e in entries if e is not entry]
        report.missed |= {e.key: error.message for e in entries}
        return []

    def _taken(
        self, entry: Incoming, body: bytes, action: Action, journal: str, local: Local, report: Report
    ) -> None:
        state, mine = self._state, local.hashes.get(entry.key)
        # an earlier version that was turned down in quarantine never was here, so nobody deleted it
        declined = state.rejected.get(entry.key, "") == state.base.get(entry.key)
        state.base[entry.key] = entry.sha256
        state.seen.pop(entry.key, None)
        local.hashes[entry.key] = content_hash(body)
        report.pulled.append(entry.key)
        if action is Action.RETURN and not declined:
            report.returned.append(entry.key)
            state.returned = report.returned
        elif action is Action.CONFLICT and mine is not None:
            if body != entry.content:
                report.merged.append(entry.key)
                if self._nothing_lost(mine, body):
                    return
            report.conflicts.append(entry.key)
            state.conflicts[entry.key] = Conflict(mine, entry.sha256, journal, entry.author, entry.time)

    def _nothing_lost(self, mine: str, body: bytes) -> bool:
        old = self.remembered(mine)
        return old is not None and only_lists(old.decode("utf-8", "replace"), body.decode("utf-8", "replace"))
