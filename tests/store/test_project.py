"""Facts about a repository: files, lines, times of change, and that a hostile repository runs nothing."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir.core.facts import ProjectFacts
from memdir.store.git import ask_git, ask_git_text
from memdir.store.locate import locate
from memdir.store.project import GitTimes, Repository, repository_for
from tests.store.layouts import GIT, environment, git, repository

FIRST, SECOND = datetime(2026, 1, 5, 10, tzinfo=UTC), datetime(2026, 2, 7, 10, tzinfo=UTC)


def commit(repo: Path, when: datetime, **files: str) -> None:
    for name, text in files.items():
        path = repo / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    git("add", "-A", cwd=repo)
    date = when.isoformat()
    command = [*GIT, "commit", "-qm", "c", f"--date={date}"]
    subprocess.run(command, cwd=repo, check=True, env=os.environ | {"GIT_COMMITTER_DATE": date})


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    path = Path(os.path.realpath(tmp_path)) / "repo"
    path.mkdir()
    git("init", "-q", ".", cwd=path)
    commit(path, FIRST, src__a_dot_py="one\ntwo\n", src__b_dot_py="x", **{"naïve name_dot_md": "t\n"})
    commit(path, SECOND, src__a_dot_py="one\ntwo\nthree\n")
    return path


def facts(repo: Path) -> ProjectFacts:
    return Repository((str(repo),))


def test_existence(repo: Path) -> None:
    found = facts(repo)
    assert found.exists("src/a.py")
    assert found.exists("src")
    assert found.exists(str(repo / "src/a.py"))
    assert not found.exists("src/gone.py")
    assert found.exists("../outside.py"), "what lies outside is not judged"


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("a", 1), ("a\n", 1), ("a\r\nb\r\n", 2), ("a\rb", 2), ("a\n\n", 2), ("bin\0ary\n", None)],
)
def test_line_count(repo: Path, text: str, count: int | None) -> None:
    (repo / "f").write_bytes(text.encode())
    assert facts(repo).line_count("f") == count


def test_lines(repo: Path) -> None:
    found = facts(repo)
    assert found.read_lines("src/a.py", 2, 3) == ("two", "three")
    assert found.read_lines("src/a.py", 3, 99) == ("three",)
    assert found.read_lines("src/a.py", 0, 1) == ("one",)
    assert found.read_lines("src/a.py", 9, 12) == ()
    assert found.read_lines("nothing", 1, 2) == ()
    assert found.line_count("src") is None


def test_nothing_outside_is_read(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("key\n")
    (repo / "link").symlink_to(tmp_path / "secret")
    found = facts(repo)
    for path in ("../secret", "link", str(tmp_path / "secret"), "src/../../secret", "a\0b"):
        assert found.read_lines(path, 1, 1) == ()
        assert found.line_count(path) is None
        assert found.changed_at(path) is None


def test_pipes_do_not_block(repo: Path) -> None:
    os.mkfifo(repo / "pipe")
    assert facts(repo).line_count("pipe") is None


def test_times(repo: Path) -> None:
    found = Repository((str(repo),))
    assert found.changed_at("src/a.py") == SECOND
    assert found.changed_at("src/b.py") == FIRST
    assert found.changed_at(str(repo / "src/b.py")) == FIRST
    assert found.changed_at("naïve name.md") == FIRST
    assert found.changed_at("src/unversioned") is None
    assert found.changed_since("src/b.py", FIRST) is False
    assert found.changed_since("src/a.py", FIRST) is True
    assert found.changed_since("nothing", FIRST) is None


def test_times_since(repo: Path) -> None:
    found = Repository((str(repo),), since=datetime(2026, 2, 1, tzinfo=UTC))
    assert found.changed_at("src/a.py") == SECOND
    assert found.changed_at("src/b.py") is None


def test_one_git_process(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(cwd: str, args: object, **rest: object) -> bytes | None:
        calls.append(cwd)
        return ask_git(cwd, args, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr("memdir.store.git.ask_git", counted)
    found = Repository((str(repo),))
    assert calls == []
    for _ in range(3):
        found.changed_at("src/a.py")
        found.changed_at("src/b.py")
    assert calls == [str(repo)]


def test_without_git(repo: Path, tmp_path: Path) -> None:
    found = Repository((str(repo),), environ={"PATH": str(tmp_path)})
    assert found.changed_at("src/a.py") is None
    assert found.exists("src/a.py")


def test_no_repository(tmp_path: Path) -> None:
    assert (
        Repository((str(tmp_path),), environ={"PATH": os.environ["PATH"], "GIT_DIR": "/nowhere"}).changed_at(
            "a"
        )
        is None
    )


def test_refresh(repo: Path) -> None:
    found = Repository((str(repo),))
    assert not found.exists("new")
    assert found.line_count("src/b.py") == 1
    (repo / "new").write_text("")
    (repo / "src/b.py").write_text("1\n2\n")
    assert not found.exists("new"), "answers are remembered"
    found.refresh()
    assert found.exists("new")
    assert found.line_count("src/b.py") == 2


def test_worktree_asks_itself_first(repo: Path, home: Path) -> None:
    git("worktree", "add", "-q", "../wt", "-b", "f", cwd=repo)
    wt = repo.parent / "wt"
    (wt / "only_here").write_text("1\n2\n3\n")
    (repo / "only_there").write_text("1\n")
    found = repository_for(locate(str(wt), environment(home)))
    assert found.line_count("only_here") == 3
    assert found.line_count("only_there") == 1
    assert found.line_count(str(repo / "only_there")) == 1
    assert found.changed_at("src/a.py") == SECOND
    assert found.changed_at(str(repo / "src/a.py")) == SECOND


def test_commit_time_of_memory(repo: Path, tmp_path: Path) -> None:
    memory = repo / ".claude/agent-memory/tester"
    memory.mkdir(parents=True)
    commit(repo, SECOND, **{".claude__agent-memory__tester__note_dot_md": "x\n"})
    found = Repository((str(repo),), memory_dir=str(memory))
    assert found.commit_time(str(memory / "note.md")) == SECOND
    assert found.commit_time(str(memory / "other.md")) is None
    found.prefetch()
    assert Repository((str(repo),), memory_dir=str(tmp_path)).commit_time(str(tmp_path / "x.md")) is None
    assert Repository((str(repo),)).commit_time(str(memory / "note.md")) is None


def test_a_hostile_repository_runs_nothing(repo: Path, tmp_path: Path) -> None:
    evil = tmp_path / "evil.sh"
    mark = tmp_path / "ran"
    evil.write_text(f"#!/bin/sh\ntouch {mark}\n")
    evil.chmod(0o755)
    for key in (
        "gpg.program",
        "diff.external",
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "diff.x.textconv",
        "diff.x.command",
    ):
        git("config", key, str(evil), cwd=repo)
    git("config", "log.showSignature", "true", cwd=repo)
    (repo / ".gitattributes").write_text("* diff=x\n")
    assert GitTimes(str(repo)).times()["src/a.py"] == int(SECOND.timestamp())
    ask_git_text(str(repo), ["remote", "-v"])
    assert not mark.exists()


def test_git_dir_is_ignored(repo: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other", "other")
    environ = os.environ | {"GIT_DIR": str(other / ".git")}
    assert ask_git_text(str(repo), ["log", "-1", "--format=%s"], environ=environ) == "c"
