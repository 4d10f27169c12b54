"""Where a team directory stands in git: its repository, branch and remote."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memdir.core.i18n import Message, msg
from memdir.team.errors import TeamError
from memdir.team.gitrun import Git


class Checkout:
    """Where the team directory stands in its repository."""

    def __init__(self, root: str, environ: Mapping[str, str]) -> None:
        real = os.path.realpath(root)
        git = Git(real, environ)
        top = git.maybe("rev-parse", "--show-toplevel") if os.path.isdir(real) else None
        if top is None:
            raise TeamError(
                "git", msg("{path} is in no git repository; run `memdir team init --git`.", path=root)
            )
        self.git, self.root, self.top = Git(top, environ), real, os.path.realpath(top)
        rel = os.path.relpath(real, self.top)
        self.prefix = "" if rel == "." else rel.replace(os.sep, "/") + "/"
        self.whole = self.prefix == ""  # a repository that holds nothing but team memory
        self.branch = self.git.maybe("symbolic-ref", "--short", "-q", "HEAD")
        self.head = self.git.maybe("rev-parse", "-q", "--verify", "HEAD^{commit}")
        self.remote = self.git.maybe("config", f"branch.{self.branch}.remote") if self.branch else None
        merge = self.git.maybe("config", f"branch.{self.branch}.merge") if self.branch else None
        self.merge = merge if self.remote and merge else None

    @property
    def upstream(self) -> str | None:
        """The commit of the remote branch as last fetched."""
        return self.git.maybe("rev-parse", "-q", "--verify", "@{upstream}^{commit}") if self.merge else None

    def fetch(self) -> tuple[int, bytes, bytes]:
        """Bring the remote branch's commits here; nothing else moves."""
        branch = (self.merge or "").removeprefix("refs/heads/")
        return self.git.attempt(
            ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", self.remote or "", branch)
        )

    def notes(self) -> tuple[Message, ...]:
        """What a person should know about this set-up."""
        found: list[Message] = []
        # "." so that a rule for the folder itself counts, a name inside it for rules about its contents
        if (
            self.prefix
            and self.git.attempt(("check-ignore", "-q", "--no-index", self.prefix + "MEMORY.md"))[0] == 0
        ):
            found.append(
                msg(
                    "{path} is ignored by git, so nothing in it is shared; take it out of .gitignore.",
                    path=self.root,
                )
            )
        if self.branch is None:
            found.append(
                msg("The repository {path} is on no branch; team memory waits until it is.", path=self.top)
            )
        elif self.merge is None:
            found.append(
                msg(
                    "The branch {branch} has no remote, so team memory stays on this machine.",
                    branch=self.branch,
                )
            )
        return tuple(found)
