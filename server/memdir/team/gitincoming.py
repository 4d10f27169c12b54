"""Going forward to what was fetched: every new file is screened before it reaches the directory, ours are kept in the journal."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from memdir.core.i18n import Message, files, msg
from memdir.core.model import ChangeSet, CreateFile, DeleteFile, FileChange, content_hash
from memdir.store.apply import apply
from memdir.store.errors import StoreError
from memdir.team import screen
from memdir.team.errors import TeamError
from memdir.team.gitcommit import LIMIT
from memdir.team.gitrun import Git
from memdir.team.guard import Names, PathTraversalError, check_key
from memdir.team.inside import read_inside
from memdir.team.protocol import SUFFIX
from memdir.team.report import Report
from memdir.team.review import Review
from memdir.team.state import Conflict, SyncState
from memdir.team.sync import merged_index, only_lists

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@dataclass(frozen=True, slots=True)
class _Change:
    key: str
    mode: str
    blob: str


class GitInbox(Review):
    """Fast-forwards one team folder, with the state open."""

    def __init__(
        self, root: str, state_dir: str, place: str, state: SyncState, now: Callable[[], datetime]
    ) -> None:
        super().__init__(os.path.realpath(root), state_dir, place, state, now, LIMIT)

    def forward(self, git: Git, prefix: str, target: str, report: Report) -> None:
        """Move branch and files to `target`, a descendant of HEAD. Nothing moves while a file of it is refused or waits for review."""
        changes = self._changes(git, prefix, target)
        contents = self._screen(git, prefix, target, changes, report)
        if self._state.refused:
            key = next(iter(self._state.refused))
            raise TeamError(
                "git", msg("The team's newest commit is not taken: {why}", why=self._state.refused[key])
            )
        if any(c.key in self._state.held for c in changes):
            report.message = msg("Files from the team wait for your review: `memdir team review`.")
            return
        mine = self._set_aside(git, prefix, changes, contents, report)
        code, _, error = git.attempt(("merge", "--ff-only", "--quiet", target))
        if code != 0:
            raise git.failure(("merge",), error)
        report.pulled += [c.key for c in changes if c.key in contents]
        for key, text in mine.items():
            self._settle(key, text, contents.get(key, b""), git, target, report)

    def _changes(self, git: Git, prefix: str, target: str) -> list[_Change]:
        base = git.maybe("rev-parse", "-q", "--verify", "HEAD^{commit}") or EMPTY_TREE
        out = git.run(
            "diff-tree",
            "-r",
            "-z",
            "--raw",
            "--no-renames",
            "--full-index",
            base,
            target,
            "--",
            prefix or ".",
        )
        fields = out.decode("utf-8", "surrogateescape").split("\0")
        found = []
        for head, path in zip(fields[::2], fields[1::2], strict=False):
            _, mode, _, blob, _ = head.split(" ", 4)
            found.append(_Change(path[len(prefix) :], mode, blob))
        return found

    def _screen(
        self, git: Git, prefix: str, target: str, changes: list[_Change], report: Report
    ) -> dict[str, bytes]:
        """Contents of the files that come; `refused` and `held` say what is wrong with which."""
        state = self._state
        state.refused, state.held = {}, {}
        contents: dict[str, bytes] = {}
        listing = git.run("ls-tree", "-r", "-z", "--name-only", target, "--", prefix or ".").decode(
            "utf-8", "surrogateescape"
        )
        names = Names()
        for path in sorted(p for p in listing.split("\0") if p):
            try:
                names.add(path[len(prefix) :])
            except PathTraversalError as error:
                state.refused[path[:200]] = error.message
        for change in changes:
            if change.mode == "000000":
                continue
            why = self._unfit(change)
            if why is not None:
                state.refused[change.key[:200]] = why
                continue
            if not change.key.endswith(SUFFIX):
                continue
            if int(git.text("cat-file", "-s", change.blob)) > LIMIT:
                state.refused[change.key] = msg(
                    "{path} has more than {limit} bytes.", path=ascii(change.key), limit=LIMIT
                )
                continue
            content = git.run("cat-file", "blob", change.blob)
            contents[change.key] = content
            if state.accepted.get(change.key) != content_hash(content):
                doubts = screen.incoming(self._root, change.key, content, self._now())
                if doubts:
                    self.hold(change.key, content, doubts, git.text("log", "-1", "--format=%an", target), "")
                    report.held.append(change.key)
        return contents

    def _unfit(self, change: _Change) -> Message | None:
        if change.mode not in ("100644", "100755"):
            return msg("{path} is a link or a submodule.", path=ascii(change.key))
        if change.key.endswith(SUFFIX):
            try:
                check_key(change.key)
            except PathTraversalError as error:
                return error.message
        return None

    def _set_aside(
        self, git: Git, prefix: str, changes: list[_Change], contents: dict[str, bytes], report: Report
    ) -> dict[str, bytes]:
        """Our uncommitted texts of files that come: put back to what HEAD has (the journal keeps ours), so that git can go forward."""
        mine: dict[str, bytes] = {}
        undo: list[FileChange] = []
        for change in changes:
            path = os.path.join(self._root, *change.key.split("/"))
            try:
                present = read_inside(self._root, change.key, LIMIT)
            except (OSError, ValueError):
                continue
            code, committed, _ = git.attempt(("cat-file", "--filters", f"HEAD:{prefix}{change.key}"))
            if code == 0 and committed == present:
                continue
            undo.append(DeleteFile(path, content_hash(present)))
            if code == 0:
                undo.append(CreateFile(path, committed))
            if present != contents.get(change.key):
                mine[change.key] = present
        if undo:
            title = msg("Team memory: {files} from the team", files=files(len(mine)))
            try:
                done = apply(
                    ChangeSet(title, tuple(undo), "team-pull"),
                    roots=[self._root],
                    state_dir=self._state_dir,
                    now=self._now(),
                )
            except StoreError as error:
                raise TeamError("git", error.message) from error
            self._entry = done.id or ""
        return mine

    def _settle(self, key: str, mine: bytes, theirs: bytes, git: Git, target: str, report: Report) -> None:
        """After going forward: join an index, remember a conflict about anything else."""
        folder, _, name = key.rpartition("/")
        if name == "MEMORY.md":
            with suppress(OSError, ValueError, StoreError):
                mine_text, their_text = mine.decode("utf-8"), theirs.decode("utf-8")
                present = {k for k in self.keys() if os.path.exists(os.path.join(self._root, k))}
                merged = merged_index(their_text, mine_text, present, folder + "/" if folder else "").encode()
                if merged != theirs:
                    self.write(key, merged, msg("Team memory: entries of both indexes"))
                    report.merged.append(key)
                if only_lists(mine_text, merged.decode("utf-8")):
                    return
        report.conflicts.append(key)
        author = git.maybe("log", "-1", "--format=%an", target, "--", key) or ""
        self._state.conflicts[key] = Conflict(
            content_hash(mine), content_hash(theirs), self._entry, author, ""
        )
