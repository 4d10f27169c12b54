"""Team memory through git: the team directory is a repository of its own, or a folder of the project's repository.

Pulled fast-forward only; commits hold files of the folder only, and exactly the bytes that were screened; a diverged branch is left alone and
reported. A commit reaches the local branch after the remote took it, so losing a race diverges nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memdir.core.i18n import Message, msg
from memdir.store.lock import hold
from memdir.store.recovery import recover
from memdir.team import state as states
from memdir.team.errors import TeamError
from memdir.team.gitcheckout import Checkout
from memdir.team.gitcommit import commit_files, outgoing_changes
from memdir.team.gitincoming import GitInbox
from memdir.team.report import Report, Status
from memdir.team.state import SyncState
from memdir.team.sync import delay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir.team.review import Review

TRIES = 5
LOCK_SECONDS = 90.0


class GitTeam:
    """The git form of a transport. Methods block, take the lock between processes, and never raise TeamError."""

    def __init__(
        self,
        root: str,
        state_dir: str,
        *,
        now: Callable[[], datetime],
        environ: Mapping[str, str],
        wait: Callable[[float], object] = time.sleep,
        rng: Callable[[], float] = random.random,
    ) -> None:
        self.root, self.state_dir = root, state_dir
        self._now, self._environ, self._wait, self._rng = now, environ, wait, rng
        self._place = states.place(state_dir, root)

    def pull(self, *, force: bool = True) -> Report:
        """Fetch and go forward, in a project's repository as well: a person asked."""
        return self._run(force, lambda c, s, r: self._pull(c, s, r, asked=True))

    def push(self, *, force: bool = True) -> Report:
        """Commit and send what changed in the folder."""
        return self._run(force, lambda c, s, r: self._push(c, s, r, asked=True))

    def sync(self, *, force: bool = False) -> Report:
        """Both; what the watcher runs. Never moves the branch of a project's repository by itself."""

        def both(checkout: Checkout, state: SyncState, report: Report) -> None:
            self._pull(checkout, state, report, asked=force)
            self._push(checkout, state, report, asked=force)

        return self._run(force, both)

    def status(self) -> Status:
        """How things stand, from the disk and git alone."""
        with self._session() as state:
            url = state.url
            pending: tuple[str, ...] = ()
            notes: tuple[Message, ...] = ()
            failure = state.failure
            try:
                checkout = Checkout(self.root, self._environ)
                url = (
                    checkout.git.maybe("remote", "get-url", checkout.remote) or "" if checkout.remote else ""
                )
                changes = outgoing_changes(checkout.git, checkout.prefix, self.root, self._now())
                state.blocked = changes.blocked
                pending, notes = tuple(sorted({*changes.contents, *changes.deleted})), checkout.notes()
            except TeamError as error:
                failure = error.message
            return Status(
                "git", _public(url), "", self.root, state.last_pull, state.last_push, pending, tuple(sorted(state.conflicts)), dict(state.blocked),
                dict(state.refused), {k: h.why for k, h in state.held.items()}, (), (), failure, state.not_before, False, notes,
            )  # fmt: skip

    def log(self, key: str | None, limit: int) -> list[dict[str, str]]:
        """The newest commits that touched the folder (or one file): commit, time, author, subject. TeamError."""
        checkout = Checkout(self.root, self._environ)
        if checkout.head is None:
            return []
        path = checkout.prefix + key if key else checkout.prefix or "."
        out = checkout.git.run(
            "log", f"-{limit}", "-z", "--format=%H%x1f%aI%x1f%an%x1f%s", "--", path
        ).decode("utf-8", "replace")
        names = ("commit", "time", "author", "subject")
        return [dict(zip(names, row.split("\x1f"), strict=True)) for row in out.split("\0") if row]

    @contextmanager
    def open(self) -> Iterator[tuple[SyncState, Review]]:
        """The state under lock, for reviewing quarantine and conflicts; saved at the end of the block."""
        with self._session() as state:
            yield state, GitInbox(self.root, self.state_dir, self._place, state, self._now)
            states.save(self._place + ".json", state)

    @contextmanager
    def _session(self) -> Iterator[SyncState]:
        with hold(self._place + ".lock", timeout=LOCK_SECONDS):
            recover(self.state_dir, now=self._now())
            yield states.load(self._place + ".json", "git", "")

    def _run(self, force: bool, work: Callable[[Checkout, SyncState, Report], None]) -> Report:
        report = Report()
        with self._session() as state:
            if not force and state.not_before:
                left = (datetime.fromisoformat(state.not_before) - self._now()).total_seconds()
                if 0 < left <= 7200:
                    return Report("waiting", state.failure, left)
            try:
                work(Checkout(self.root, self._environ), state, report)
                state.attempts, state.not_before, state.failure = 0, "", None
            except TeamError as error:
                state.failure = report.message = error.message
                report.outcome = "waiting" if error.passing else "failed"
                if error.passing:
                    report.wait = delay(state.attempts, self._rng, error.retry_after)
                    state.attempts += 1
                    state.not_before = (self._now() + timedelta(seconds=report.wait)).isoformat()
            finally:
                states.save(self._place + ".json", state)
        return report

    def _pull(self, checkout: Checkout, state: SyncState, report: Report, *, asked: bool) -> None:
        if checkout.merge is None or checkout.remote is None:
            return  # nobody to pull from; the notes say so
        code, _, error = checkout.fetch()
        if code != 0:
            if b"couldn't find remote ref" in error:
                return  # a new remote: our first push makes the branch
            raise checkout.git.failure(("fetch",), error)
        target = checkout.upstream
        state.last_pull = self._now().isoformat()
        if target is None or target == checkout.head:
            return
        if checkout.head is not None:
            ahead, behind = map(
                int, checkout.git.text("rev-list", "--left-right", "--count", f"HEAD...{target}").split()
            )
            if behind == 0:
                return
            if ahead:
                raise TeamError(
                    "git",
                    msg(
                        "The branch {branch} and its remote have diverged; it is left alone. Merge or rebase it in {path}, then try again.",
                        branch=checkout.branch or "?",
                        path=checkout.top,
                    ),
                )
        if not checkout.whole and not asked:
            report.message = msg(
                "The project's branch has new team memory at its remote; pull it, or run `memdir team pull`."
            )
            return
        GitInbox(self.root, self.state_dir, self._place, state, self._now).forward(
            checkout.git, checkout.prefix, target, report
        )
        checkout.head = checkout.git.maybe("rev-parse", "-q", "--verify", "HEAD^{commit}")

    def _push(self, checkout: Checkout, state: SyncState, report: Report, *, asked: bool) -> None:
        if checkout.branch is None:
            return
        for attempt in range(TRIES):
            changes = outgoing_changes(checkout.git, checkout.prefix, self.root, self._now())
            state.blocked = changes.blocked
            own = self._unsent(checkout)
            if own is None or (not changes.contents and not changes.deleted and not own):
                return
            commit = (
                commit_files(checkout.git, checkout.prefix, checkout.head, changes, self._now())
                or checkout.head
            )
            if commit is None:
                return
            if checkout.merge is None or checkout.remote is None:
                self._advance(checkout, commit, changes.paths)
                break
            code, _, error = checkout.git.attempt(
                ("push", "--quiet", checkout.remote, f"{commit}:{checkout.merge}")
            )
            if code == 0:
                self._advance(checkout, commit, changes.paths)
                checkout.fetch()
                break
            if b"rejected" not in error and b"fetch first" not in error and b"non-fast-forward" not in error:
                raise checkout.git.failure(("push",), error)
            self._wait(0.05 * 2**attempt * (0.5 + self._rng()))
            self._pull(checkout, state, report, asked=asked)  # somebody was faster: take theirs first
        else:
            raise TeamError("busy", msg("The team is writing too fast to get a word in; trying again later."))
        report.pushed += sorted({*changes.contents, *changes.deleted})
        for key in changes.contents:
            state.conflicts.pop(key, None)
        state.last_push = self._now().isoformat()

    def _unsent(self, checkout: Checkout) -> bool | None:
        """Whether commits of ours wait to be sent; TeamError when some of them are not about team memory only."""
        upstream = checkout.upstream
        if checkout.head is None or checkout.merge is None:
            return False
        span = f"{upstream}..HEAD" if upstream else "HEAD"
        names = checkout.git.run("log", "-z", "--format=", "--name-only", "--no-renames", "-m", span).decode(
            "utf-8", "surrogateescape"
        )
        paths = {n for n in names.replace("\n", "\0").split("\0") if n}
        if not checkout.whole and any(not p.startswith(checkout.prefix) for p in paths):
            raise TeamError(
                "git",
                msg(
                    "The branch {branch} has commits of your own that are not pushed; push it, then team memory goes along.",
                    branch=checkout.branch or "?",
                ),
            )
        return bool(paths)

    def _advance(self, checkout: Checkout, commit: str, paths: list[str]) -> None:
        """Move the local branch to `commit` and let the index know; the files are as committed already."""
        if commit == checkout.head:
            return
        old = checkout.head or "0" * 40
        checkout.git.run(
            "update-ref", "-m", "memdir: team memory", f"refs/heads/{checkout.branch}", commit, old
        )
        if paths:
            checkout.git.run(
                "update-index",
                "-q",
                "--refresh",
                "--add",
                "--remove",
                "-z",
                "--stdin",
                stdin="\0".join(paths).encode("utf-8", "surrogateescape") + b"\0",
            )
        checkout.head = commit


def _public(url: str) -> str:
    """An address without the credentials it may carry."""
    scheme, mark, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if mark else url
