"""The sessions of a repository, wherever its work was started."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memdir.core.slug import slug
from memdir.store.environment import Environment
from memdir.store.locate import Location, locate
from memdir.store.transcripts_find import find_sessions, session_start


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = tmp_path / "repo"
    (repo / ".git/worktrees/wt").mkdir(parents=True)
    (repo / "packages/app").mkdir(parents=True)
    wt = tmp_path / "elsewhere"
    wt.mkdir()
    (wt / ".git").write_text(f"gitdir: {repo}/.git/worktrees/wt\n")
    (repo / ".git/worktrees/wt/commondir").write_text("../..\n")
    (repo / ".git/worktrees/wt/gitdir").write_text(f"{wt}/.git\n")
    (repo / "vendored/.git").mkdir(parents=True)
    return repo


def session(
    home: Path,
    cwd: Path | str,
    name: str,
    *,
    first: object = None,
    folder: Path | str | None = None,
    age: int = 0,
) -> Path:
    path = home / ".claude/projects" / slug(str(folder or cwd)) / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    records = [
        first or {"type": "mode", "mode": "plan"},
        {"type": "user", "cwd": str(cwd), "message": {"role": "user", "content": "x"}},
    ]
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    os.utime(path, ns=(10**18 - age * 10**9,) * 2)
    return path


def at(cwd: Path, home: Path) -> Location:
    return locate(str(cwd), Environment(dict(os.environ), str(home)))


def names(cwd: Path, home: Path, **kwargs: object) -> list[str]:
    return [s.id for s in find_sessions(at(cwd, home), **kwargs)]  # type: ignore[arg-type]


def test_sub_directories_and_worktrees_and_nothing_else(repo: Path, home: Path) -> None:
    session(home, repo, "main", age=3)
    session(home, repo / "packages/app", "sub", age=1)
    session(home, repo.parent / "elsewhere", "worktree", age=2)
    session(home, repo / "vendored", "other-repository")
    session(home, repo / "gone/since", "deleted-directory", age=4)
    session(home, repo.parent / "repo-two", "name-begins-alike")
    session(home, "/somewhere/else", "same-slug", folder=repo)
    wanted = ["sub", "worktree", "main", "deleted-directory"]
    assert names(repo, home) == wanted
    assert names(repo / "packages", home) == wanted and names(repo.parent / "elsewhere", home) == wanted
    assert names(repo / "vendored", home) == ["other-repository"]
    newest = find_sessions(at(repo, home))[0]
    assert newest.cwd == str(repo / "packages/app") and newest.size == os.path.getsize(newest.path)


def test_since_and_sub_agents(repo: Path, home: Path) -> None:
    session(home, repo, "old", age=100)
    session(home, repo, "new", age=1)
    session(home, repo, "agent-1", age=2)
    (home / ".claude/projects" / slug(str(repo)) / "notes.txt").write_text("x")
    assert names(repo, home) == ["new", "old"]
    assert names(repo, home, since_ns=10**18 - 50 * 10**9) == ["new"]
    assert names(repo, home, agents=True) == ["new", "agent-1", "old"]


def test_a_session_that_does_not_say(repo: Path, home: Path) -> None:
    path = session(home, repo, "silent")
    path.write_text('{"type": "summary", "summary": "x"}\n{"half')
    assert session_start(str(path)) == "" and names(repo, home) == ["silent"]
    os.replace(path, session(home, repo / "packages", "x").parent / "silent.jsonl")
    assert "silent" not in names(repo, home)
    assert session_start(str(path)) == ""


def test_a_long_first_record(repo: Path, home: Path) -> None:
    path = session(home, repo / "packages", "pasted", first={"type": "attachment", "data": "x" * 3_000_000})
    assert session_start(str(path)) == str(repo / "packages") and names(repo, home) == ["pasted"]


def test_no_sessions_at_all(repo: Path, home: Path) -> None:
    assert names(repo, home) == []
