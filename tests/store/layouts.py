"""Builds what the locating tests need: git layouts, settings files, sessions."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from memdir.store.locate import Environment

GIT = (
    "git",
    "-c",
    "user.name=t",
    "-c",
    "user.email=t@example.com",
    "-c",
    "init.defaultBranch=main",
    "-c",
    "protocol.file.allow=always",
)


def git(*args: str, cwd: Path) -> str:
    """Run git hermetically; gives what it printed."""
    cwd.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([*GIT, *args], cwd=cwd, check=True, capture_output=True, text=True, env=_git_env())
    return done.stdout.strip()


def _git_env() -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return env | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def repository(path: Path, message: str = "first") -> Path:
    """A repository with one commit."""
    git("init", "-q", ".", cwd=path)
    (path / "a.txt").write_text("x\n")
    git("add", "-A", cwd=path)
    git("commit", "-qm", message, cwd=path)
    return path


def bare_repository(path: Path) -> Path:
    """The cheapest thing that counts as a repository: an empty `.git` directory."""
    (path / ".git").mkdir(parents=True)
    return path


def write_json(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return path


def environment(home: Path, system: Path | None = None, **variables: Any) -> Environment:
    """An environment with nothing set; upper-case keywords are variables, the others fields of `Environment`."""
    environ = {k: str(v) for k, v in variables.items() if k.isupper()}
    fields = {k: v for k, v in variables.items() if not k.isupper()}
    root = system or home / "no-system"
    return Environment(environ, str(home), system_root=str(root), **({"platform": "linux"} | fields))


def session(project_dir: Path, cwd: str | Path, name: str = "s1", *, mtime: float | None = None) -> Path:
    """A session file whose records carry `cwd`."""
    project_dir.mkdir(parents=True, exist_ok=True)
    path = project_dir / f"{name}.jsonl"
    records = [
        {"type": "queue-operation", "operation": "enqueue"},
        {"type": "user", "cwd": str(cwd), "sessionId": name},
    ]
    path.write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
    if mtime is not None:
        os.utime(path, (mtime, mtime))
    return path
