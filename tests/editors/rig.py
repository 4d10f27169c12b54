"""What the editor tests share: which editors are installed, a world of its own for a run, and running a script in it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
# Read before the tests' own home replaces it: the cache belongs to the person who runs them
CACHE = Path(os.environ.get("MEMDIR_EDITORS_DIR") or Path.home() / ".cache" / "memdir-editors")
_PRIVATE = re.compile(r"^(CLAUDE|ANTHROPIC|MEMDIR_|GIT_|XDG_|VIRTUAL_ENV|npm_|NODE_)")


def editors() -> Mapping[str, str | None]:
    """Paths of what `scripts/setup_editors.sh` installed; empty when it never ran."""
    file = CACHE / "editors.json"
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


def need(*names: str) -> list[str]:
    """Paths of these parts. Skips the test when one is missing, or fails it under CI=true."""
    found = editors()
    missing = [name for name in names if not found.get(name)]
    if missing:
        reason = f"not installed: {', '.join(missing)} (run scripts/setup_editors.sh)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return [str(found[name]) for name in names]


@dataclass(frozen=True)
class Sample:
    """The sample project in a directory of its own."""

    base: Path
    repo: Path
    home: Path
    memory: Path

    def env(self, **extra: str) -> dict[str, str]:
        """Environment for an editor: nothing of it points at real memory or a real model."""
        kept = {key: value for key, value in os.environ.items() if not _PRIVATE.match(key)}
        return kept | {
            "HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.home / ".claude"),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDGCACHE_HOME": str(self.home / ".cache"),
            "XDG_STATE_HOME": str(self.home / ".local/state"),
            "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_RUNTIME_DIR": str(self.base),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "MD_PYTHON": sys.executable,
            "MD_REPO": str(self.repo),
            "MD_MEMORY": str(self.memory),
            **extra,
        }


def make_sample(base: Path) -> Sample:
    """Builds the sample below `base`."""
    script = ROOT / "scripts" / "make_sample.py"
    done = subprocess.run(
        [sys.executable, str(script), str(base / "s"), "--small-index"],
        check=True,
        capture_output=True,
        text=True,
    )
    where = json.loads(done.stdout)
    return Sample(base, Path(where["repo"]), Path(where["home"]), Path(where["memory"]))


def run(command: Sequence[str], sample: Sample, timeout: float = 120, **extra: str) -> str:
    """Runs an editor to its end and gives what it printed; a non-zero exit fails the test with all of that."""
    done = subprocess.run(
        list(command),
        env=sample.env(**extra),
        cwd=sample.repo,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:]
    return done.stdout


def facts(output: str) -> dict[str, object]:
    """The line `FACTS {...}` that the editor scripts end with."""
    line = next((line for line in output.splitlines() if "FACTS " in line), None)
    assert line is not None, output[-8000:]
    found: dict[str, object] = json.loads(line.partition("FACTS ")[2])
    return found
