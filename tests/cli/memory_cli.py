"""Runs `memdir` commands in-process against a temporary home, for the tests of writing commands."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memdir.cli.env import CliEnv
from memdir.cli.main import run
from memdir.core.slug import slug
from tests.conftest import NOW


@dataclass
class Cli:
    """A person in a repository. `out` and `err` are those of the last run."""

    repo: Path
    home: Path
    now: datetime = NOW
    environ: dict[str, str] = field(default_factory=dict)
    out: str = ""
    err: str = ""

    @property
    def memory(self) -> Path:
        return self.home / ".claude/projects" / slug(str(self.repo)) / "memory"

    @property
    def state(self) -> Path:
        return self.home / ".local/state/memdir"

    def __call__(self, *argv: str, stdin: str = "", cwd: Path | None = None, **environ: str) -> int:
        out, err = io.StringIO(), io.StringIO()
        env = CliEnv(
            environ={**os.environ, **self.environ, **environ},
            cwd=str(cwd or self.repo),
            stdin=io.StringIO(stdin),
            stdout=out,
            stderr=err,
            now=lambda: self.now,
            system_root=str(self.home / "no-system"),
        )
        code = run(argv, env)
        self.out, self.err = out.getvalue(), err.getvalue()
        return code


def make_cli(tmp_path: Path, home: Path) -> Cli:
    """A `Cli` in an empty repository, without a memory directory."""
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    return Cli(repo.resolve(), home)
