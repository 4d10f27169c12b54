"""The sample project for tests, and a way to run the command line on it in-process."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memdir.cli.env import CliEnv
from memdir.cli.main import run
from tests.conftest import NOW

SCRIPT = Path(__file__).resolve().parent.parent / "scripts/make_sample.py"


@dataclass(frozen=True)
class Result:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Sample:
    """Where the sample lies; `memdir(...)` runs a command in its repository."""

    base: Path
    repo: Path
    home: Path
    memory: Path

    @property
    def environ(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.home / ".claude"),
            "XDG_STATE_HOME": str(self.home / ".local/state"),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
        }

    def memdir(
        self,
        *args: str,
        cwd: Path | None = None,
        stdin: str = "",
        environ: Mapping[str, str] | None = None,
        now: datetime = NOW,
    ) -> Result:
        out, err = io.StringIO(), io.StringIO()
        env = CliEnv(
            {**self.environ, **(environ or {})},
            str(cwd or self.repo),
            io.StringIO(stdin),
            out,
            err,
            lambda: now,
            str(self.base / "system"),
        )
        code = run(list(args), env)
        return Result(code, out.getvalue(), err.getvalue())


def make_sample(base: Path, *, small_index: bool = False) -> Sample:
    """Build the sample below `base`."""
    target = base / "sample"
    command = [sys.executable, str(SCRIPT), str(target), *(["--small-index"] if small_index else [])]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    where = json.loads((target / "sample.json").read_text())
    return Sample(target, Path(where["repo"]), Path(where["home"]), Path(where["memory"]))
