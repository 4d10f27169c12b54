"""Keeping a team directory and the service in step: pull, push, both; every step safe to be killed in.

Order of each step: what is written to the directory goes through `store.apply` (journal first), then the state file is replaced. Whatever
is lost in between is found out again by comparing hashes, so a repeated step does no harm.
"""

from __future__ import annotations

import hashlib
import os
import random
import time
from collections.abc import Callable
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memdir.core.i18n import msg
from memdir.store.lock import hold
from memdir.store.recovery import recover
from memdir.team import screen
from memdir.team import state as states
from memdir.team.errors import TeamError
from memdir.team.local import Local, look
from memdir.team.protocol import Tag, parse_tag
from memdir.team.report import Report, Status
from memdir.team.state import SyncState
from memdir.team.sync import Action, batches, decide_all, delay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir.team.client import TeamClient
    from memdir.team.incoming import Inbox
    from memdir.team.review import Review

TRIES = 8  # rounds of "somebody was faster" in one run; then it waits like any busy service
LOCK_SECONDS = 30.0


class TeamSync:
    """One team directory and one service. Methods block, take the lock between processes, and never raise TeamError.

    root: the team directory; state_dir: Memdir's state; fingerprint: changes when token or settings change; now: wall clock;
    wait: sleeps (tests replace it); rng: numbers in [0, 1).
    """

    def __init__(
        self,
        client: TeamClient,
        root: str,
        state_dir: str,
        *,
        fingerprint: str = "",
        now: Callable[[], datetime],
        wait: Callable[[float], object] = time.sleep,
        rng: Callable[[], float] = random.random,
    ) -> None:
        self.client, self.root, self.state_dir = client, root, state_dir
        self._fingerprint, self._now, self._wait, self._rng = fingerprint, now, wait, rng
        self._place = states.place(state_dir, root)

    def pull(self, *, force: bool = True) -> Report:
        """Bring the directory up to the team's state. `force`: also when a permanent failure is remembered."""
        return self._run(force, self._pull)

    def push(self, *, force: bool = True) -> Report:
        """Send what is new here, judged by the service's checksums."""
        return self._run(force, self._push_alone)

    def sync(self, *, force: bool = False) -> Report:
        """Pull, then push; what the watcher runs."""
        return self._run(force, self._both)

    def status(self) -> Status:
        """How things stand. Reads the directory and the state file only."""
        with self._session() as (state, local):
            actions = decide_all(local.hashes, state.base, state.remote)
            pending = tuple(k for k, a in actions.items() if a is Action.PUSH and k not in state.blocked)
            return Status(
                "service", state.url, state.repository, self.root, state.last_pull, state.last_push, pending,
                tuple(sorted(state.conflicts)), dict(state.blocked), dict(state.refused), {k: h.why for k, h in state.held.items()},
                tuple(k for k, a in actions.items() if a is Action.KEEP), tuple(state.returned), state.failure, state.not_before, bool(state.suppressed),
            )  # fmt: skip

    def prune(self, keys: list[str]) -> Report:
        """Remove entries at the team that are unchanged since the last agreement; consolidation's way to delete for all."""

        def remove(state: SyncState, local: Local, report: Report) -> None:
            tag, remote = self.client.checksums()
            doomed = {k: remote[k] for k in keys if k in remote and state.base.get(k, remote[k]) == remote[k]}
            if doomed:
                done = self.client.prune(doomed, tag)
                report.pushed += done.changed
                for key in done.changed:
                    state.base.pop(key, None)
                    state.remote.pop(key, None)

        return self._run(True, remove)

    @contextmanager
    def open(self) -> Iterator[tuple[SyncState, Review]]:
        """The state under lock, for reviewing quarantine and conflicts; saved at the end of the block."""
        with self._session() as (state, _):
            yield state, self._inbox(state)
            states.save(self._place + ".json", state)

    # one run

    @contextmanager
    def _session(self) -> Iterator[tuple[SyncState, Local]]:
        with hold(self._place + ".lock", timeout=LOCK_SECONDS):
            recover(
                self.state_dir, now=self._now()
            )  # before we look: what a killed process left may move files
            state = states.load(self._place + ".json", self.client.url, self.client.repository)
            yield state, self._look(state)

    def _look(self, state: SyncState) -> Local:
        # taking the lock wrote into its file: its time is the present by the disk's clock, whatever ours says
        return look(self.root, state, os.stat(self._place + ".lock").st_mtime_ns, self.client.limits.file)

    def _run(self, force: bool, work: Callable[[SyncState, Local, Report], None]) -> Report:
        report = Report()
        with self._session() as (state, local):
            if not force and self._idle(state, local, report):
                return report
            try:
                work(state, local, report)
                state.attempts, state.not_before, state.suppressed, state.failure = 0, "", "", None
            except TeamError as error:
                self._failed(state, local, report, error)
            finally:
                states.save(self._place + ".json", state)
        return report

    def _idle(self, state: SyncState, local: Local, report: Report) -> bool:
        """True when it is too early after a passing failure, or nothing changed since a permanent one."""
        if state.suppressed and state.suppressed == self._circumstances(local):
            report.outcome, report.message = "suppressed", state.failure
            return True
        if state.not_before:
            # a clock that was set back must not keep us away for longer than any pause lasts
            left = (datetime.fromisoformat(state.not_before) - self._now()).total_seconds()
            if 0 < left <= 2 * 3600:
                report.outcome, report.message, report.wait = "waiting", state.failure, left
                return True
        return False

    def _failed(self, state: SyncState, local: Local, report: Report, error: TeamError) -> None:
        state.failure = report.message = error.message
        if error.passing:
            report.outcome, report.wait = "waiting", delay(state.attempts, self._rng, error.retry_after)
            state.attempts += 1
            state.not_before = (self._now() + timedelta(seconds=report.wait)).isoformat()
            return
        report.outcome = "failed"
        state.suppressed = self._circumstances(local)

    def _circumstances(self, local: Local) -> str:
        """A hash of all that could make a permanent failure go away: address, token, settings, the files here."""
        parts = [
            self.client.url,
            self.client.repository,
            self._fingerprint,
            *(f"{k}={v}" for k, v in sorted(local.hashes.items())),
        ]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    # pulling and pushing

    def _both(self, state: SyncState, local: Local, report: Report) -> None:
        for attempt in range(TRIES):
            self._pull(state, local, report)
            tag = parse_tag(state.pulled)
            try:
                if tag is not None:
                    self._push(state, local, report, tag, state.remote)
                return
            except TeamError as error:
                if error.kind != "stale":
                    raise
            self._pause(attempt)
            local = self._look(state)
        raise TeamError("busy", msg("The team is writing too fast to get a word in; trying again later."))

    def _push_alone(self, state: SyncState, local: Local, report: Report) -> None:
        for attempt in range(TRIES):
            tag, remote = self.client.checksums()
            try:
                self._push(state, local, report, tag, remote)
                return
            except TeamError as error:
                if error.kind != "stale":
                    raise
            self._pause(attempt)
        raise TeamError("busy", msg("The team is writing too fast to get a word in; trying again later."))

    def _pause(self, attempt: int) -> None:
        self._wait(0.02 * 2.0**attempt * (0.5 + self._rng()))

    def _inbox(self, state: SyncState) -> Inbox:
        from memdir.team.incoming import Inbox

        return Inbox(self.client, self.root, self.state_dir, self._place, state, self._now)

    def _pull(self, state: SyncState, local: Local, report: Report) -> None:
        self._inbox(state).pull(local, report)
        state.last_pull = self._now().isoformat()

    def _push(self, state: SyncState, local: Local, report: Report, tag: Tag, remote: dict[str, str]) -> None:
        actions = decide_all(local.hashes, state.base, remote)
        tag = self._prune_consolidated(
            state, report, tag, remote, [k for k, a in actions.items() if a is Action.RETURN]
        )
        state.blocked = dict(local.unusable)
        ready: list[tuple[tuple[str, str, str], int]] = []
        for key, action in actions.items():
            if action is not Action.PUSH:
                continue
            try:
                content = local.read(key, self.client.limits.file)
            except (OSError, ValueError) as error:
                state.blocked[key] = getattr(error, "message", None) or msg(
                    "it can't be read ({error})", error=str(error)
                )
                continue
            why = screen.outgoing(self.root, key, content, self._now())
            if why is not None:
                state.blocked[key] = why
            else:
                ready.append(
                    ((key, content.decode("utf-8"), hashlib.sha256(content).hexdigest()), len(content))
                )
        self._send(state, report, tag, ready)
        # all that is equal on both sides is agreed on, also what somebody else happened to send
        state.base |= {k: h for k, h in local.hashes.items() if remote.get(k) == h}
        state.last_push = self._now().isoformat()

    def _prune_consolidated(
        self, state: SyncState, report: Report, tag: Tag, remote: dict[str, str], missing: list[str]
    ) -> Tag:
        """What an accepted consolidation removed here is removed at the team, if it is still the text we agreed on."""
        doomed = {
            k: remote[k]
            for k in self._inbox(state).consolidated(missing)
            if state.base.get(k) == remote.get(k)
        }
        if not doomed:
            return tag
        done = self.client.prune(doomed, tag)
        if state.pulled == str(tag):
            state.pulled = str(done.tag)
        for key in done.changed:
            for table in (state.base, state.remote, remote):
                table.pop(key, None)
        report.pruned += done.changed
        return done.tag

    def _send(
        self, state: SyncState, report: Report, tag: Tag, ready: list[tuple[tuple[str, str, str], int]]
    ) -> None:
        limit = self.client.limits.body // 2  # JSON escapes can double a text
        waiting = batches(ready, limit)
        while waiting:
            batch = waiting.pop(0)
            try:
                done = self.client.put({key: text for key, text, _ in batch}, tag)
            except TeamError as error:
                if error.kind == "files" and error.keys:
                    state.blocked |= {k: error.keys[k] for k, _, _ in batch if k in error.keys}
                    rest = [item for item in batch if item[0] not in error.keys]
                    if len(rest) == len(batch):
                        raise TeamError("protocol", error.message) from error
                    waiting[:0] = [rest] if rest else []
                    continue
                if error.kind == "body" and len(batch) > 1:
                    half = len(batch) // 2
                    waiting[:0] = [batch[:half], batch[half:]]
                    continue
                if error.kind == "body":
                    state.blocked[batch[0][0]] = error.message
                    continue
                raise
            if state.pulled == str(tag):  # nobody wrote in between: we have seen all there is
                state.pulled = str(done.tag)
            tag = done.tag
            for key, _, sha in batch:
                state.base[key] = state.remote[key] = sha
                state.conflicts.pop(key, None)
            report.pushed += [key for key, _, _ in batch]
            states.save(self._place + ".json", state)
