"""Agent memory scattered over sub-directories: found, shown, merged without losing a line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from memdir.store.misplaced import MAX_DEPTH, misplaced_problems, scattered_agent_memory
from tests.sample import Sample, make_sample


def put(path: Path, text: str = "x\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_below_sub_directories_only(tmp_path: Path) -> None:
    put(tmp_path / ".claude/agent-memory/reviewer/MEMORY.md")
    put(tmp_path / "app/.claude/agent-memory/reviewer/MEMORY.md")
    put(tmp_path / "app/web/.claude/agent-memory-local/tester/notes.md")
    put(tmp_path / "node_modules/x/.claude/agent-memory/reviewer/MEMORY.md")
    put(tmp_path / "vendored/.git/HEAD")
    put(tmp_path / "vendored/.claude/agent-memory/reviewer/MEMORY.md")
    put(tmp_path / "/".join(["d"] * (MAX_DEPTH + 1)) / ".claude/agent-memory/reviewer/MEMORY.md")
    found = scattered_agent_memory(str(tmp_path))
    assert [(s.path, s.home, s.agent) for s in found] == [
        (
            str(tmp_path / "app/.claude/agent-memory/reviewer"),
            str(tmp_path / ".claude/agent-memory/reviewer"),
            "reviewer",
        ),
        (
            str(tmp_path / "app/web/.claude/agent-memory-local/tester"),
            str(tmp_path / ".claude/agent-memory-local/tester"),
            "tester",
        ),
    ]
    shown = [p.path for p in misplaced_problems(str(tmp_path))]
    assert shown == [str(Path(found[0].path) / "MEMORY.md"), str(Path(found[1].path) / "notes.md")]


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return make_sample(tmp_path)


def test_check_reports_and_doctor_merges(sample: Sample) -> None:
    scattered = sample.repo / "src/.claude/agent-memory/reviewer"
    put(scattered / "MEMORY.md", "- [Tides](tides.md) — tides are checked by hand\n")
    note = put(
        scattered / "tides.md",
        "---\nname: Tides\ndescription: Tides are checked by hand\ntype: feedback\n---\nBy hand.\n",
    )
    text = note.read_text()
    rows = json.loads(sample.memdir("check", "--format", "json", "--select", "agent-memory-misplaced").out)
    assert [(r["path"], r["fix"]["safe"]) for r in rows] == [(str(scattered / "MEMORY.md"), False)]
    assert (
        sample.memdir(
            "check",
            "--format",
            "json",
            "--ignore",
            "agent-memory-misplaced",
            "--select",
            "agent-memory-misplaced",
        ).out.strip()
        == "[]"
    )
    done = sample.memdir("doctor", "--fix")
    assert done.code == 0, done.err
    home = sample.repo / ".claude/agent-memory/reviewer"
    assert (home / "tides.md").read_text() == text
    index = (home / "MEMORY.md").read_text()
    assert "(naming.md)" in index
    assert "(tides.md)" in index
    assert not list(scattered.glob("*.md"))
    assert (
        sample.memdir("check", "--format", "json", "--select", "agent-memory-misplaced").out.strip() == "[]"
    )
    assert sample.memdir("doctor").code == 0
    assert sample.memdir("undo").code == 0
    assert note.read_text() == text
    assert (
        subprocess.run(
            ["git", "-C", str(sample.repo), "status", "--porcelain", ".claude"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        == ""
    )
