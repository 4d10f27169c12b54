"""A process that is killed in the middle of a job leaves the memories, the lock's time and the inbox as they were."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memdir.agent.inbox import Inbox
from memdir.store.consolidate_lock import NAME, last_consolidation
from memdir.store.locate import locate
from tests.agent.sessions import agent, append, memory_text, person
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback
from tests.store.layouts import bare_repository, environment

SERVER = str(Path(__file__).parents[2] / "server")


@pytest.fixture
def memory(tmp_path: Path, home: Path) -> Path:
    repo = bare_repository(Path(os.path.realpath(tmp_path)) / "repo")
    root = Path(locate(str(repo), environment(home)).memory_dir)
    root.mkdir(parents=True)
    (root / "MEMORY.md").write_text("- [A](project_a.md) — a\n")
    (root / "project_a.md").write_text(memory_text("A", "Fact.\n\n**Why:** x\n\n**How to apply:** y"))
    append(
        root.parent / "s1.jsonl",
        person("Remember that Mara owns the release", cwd=str(repo)),
        agent("OK", usage=20_000),
    )
    return root


def start(loopback: Loopback, tmp_path: Path, home: Path, *command: str) -> subprocess.Popen[bytes]:
    environ = {
        **os.environ,
        **loopback.environ,
        "PYTHONPATH": SERVER,
        "MEMDIR_STATE_DIR": str(tmp_path / "state"),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "memdir.cli.main", *command],
        cwd=tmp_path / "repo",
        env=environ,
        stdout=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("answered", [0, 2, 4])
def test_killed_while_consolidating(
    answered: int, memory: Path, tmp_path: Path, home: Path, loopback: Loopback
) -> None:
    old = time.time() - 100_000
    (memory / NAME).write_text("")
    os.utime(memory / NAME, (old, old))
    before = {p.name: p.read_bytes() for p in memory.glob("*.md")}
    edit = ("edit", {"path": "project_a.md", "old": "Fact.", "new": "Other.", "reason": "x"})
    steps = [Say("a"), Say("b"), Say(tools=(edit,)), Say("c"), Say("d")]
    loopback.script.then(*steps[:answered], Say(fault="timeout"))
    process = start(loopback, tmp_path, home, "consolidate", "--force", "--apply")
    loopback.wait(answered + 1, 60)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    assert {p.name: p.read_bytes() for p in memory.glob("*.md")} == before
    assert last_consolidation(str(memory), str(tmp_path / "state")) == pytest.approx(old, abs=0.01)
    assert start(loopback, tmp_path, home, "consolidate", "--force", "--no-model").wait(60) == 0
    assert os.listdir(tmp_path / "state/staging") == [], "what the killed process staged is gone"


def test_killed_while_extracting(memory: Path, tmp_path: Path, home: Path, loopback: Loopback) -> None:
    loopback.script.then(Say(fault="timeout"), Say("Nothing."))
    process = start(loopback, tmp_path, home, "extract")
    loopback.wait(1, 60)
    process.kill()
    process.wait(10)
    assert Inbox(str(tmp_path / "state"), str(memory)).items() == []
    assert start(loopback, tmp_path, home, "extract").wait(60) == 0
    assert len(loopback.requests) == 2, "the stretch was read again, and nobody holds the run"
