"""Keeps every test away from the machine's own memory and gives it a fixed clock."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
NOW = datetime(2026, 3, 11, 12, 0, tzinfo=UTC)  # a Wednesday: the reference day of the labelled date set

_REAL_HOME = os.path.realpath(os.path.expanduser("~"))
_FORBIDDEN = (os.path.join(_REAL_HOME, ".claude"), "/etc/claude-code")


def refuse_real_memory(path: str | os.PathLike[str]) -> None:
    """Raise when `path` lies in the real configuration of the person who runs the tests."""
    real = os.path.realpath(path)
    for root in _FORBIDDEN:
        if real == root or real.startswith(root + os.sep):
            raise AssertionError(f"a test touched {real}; give it a temporary HOME and CLAUDE_CONFIG_DIR")


def _audit(event: str, args: tuple[object, ...]) -> None:
    if (
        event in ("open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename")
        and args
        and isinstance(args[0], (str, os.PathLike))
    ):
        text = os.fspath(args[0])
        if ".claude" in text or "claude-code" in text:
            refuse_real_memory(text)


import sys  # noqa: E402  (the hook must be installed before any test module runs)

sys.addaudithook(_audit)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary HOME, config and state directory for every test; all CLAUDE_* and MEMDIR_* variables are dropped."""
    base = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("CLAUDE", "MEMDIR_", "ANTHROPIC_", "GIT_", "XDG_")):
            monkeypatch.delenv(name)
    for name, value in {
        "HOME": base,
        "USERPROFILE": base,
        "CLAUDE_CONFIG_DIR": base / ".claude",
        "XDG_STATE_HOME": base / ".local/state",
        "XDG_CONFIG_HOME": base / ".config",
        "XDG_CACHE_HOME": base / ".cache",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C.UTF-8",
    }.items():
        monkeypatch.setenv(name, str(value))
    (base / ".claude").mkdir()
    return base
