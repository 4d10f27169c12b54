"""What a checkout's history begins with, read from git's files: what git itself says, or nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memdir.store.gitfiles import head_commit


def git(place: Path, *args: str) -> str:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", "-C", str(place), *settings, *args], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    place.mkdir()
    git(place, "init", "-q")
    git(place, "commit", "-q", "--allow-empty", "-m", "one")
    return place


def test_a_branch_loose_and_packed(repo: Path) -> None:
    assert head_commit(str(repo)) == git(repo, "rev-parse", "HEAD")
    git(repo, "pack-refs", "--all")
    assert not (repo / ".git/refs/heads/main").exists()
    assert head_commit(str(repo)) == git(repo, "rev-parse", "HEAD")
    before = head_commit(str(repo))
    git(repo, "commit", "-q", "--allow-empty", "-m", "two")
    assert head_commit(str(repo)) == git(repo, "rev-parse", "HEAD") != before


def test_a_commit_without_a_branch(repo: Path) -> None:
    git(repo, "checkout", "-q", "--detach")
    assert head_commit(str(repo)) == git(repo, "rev-parse", "HEAD")


def test_a_worktree_has_its_own(repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(repo, "worktree", "add", "-q", "-b", "side", str(other))
    git(other, "commit", "-q", "--allow-empty", "-m", "aside")
    assert head_commit(str(other)) == git(other, "rev-parse", "HEAD") != head_commit(str(repo))
    git(repo, "pack-refs", "--all")
    assert head_commit(str(other)) == git(other, "rev-parse", "HEAD")


def test_no_commit_yet_and_no_git_at_all(tmp_path: Path) -> None:
    assert head_commit(str(tmp_path)) == ""
    git(tmp_path, "init", "-q")
    assert head_commit(str(tmp_path)) == "unborn"


@pytest.mark.parametrize("odd", ["reftable", "refs/replace", "info/grafts", "shallow"])
def test_what_the_files_do_not_tell(repo: Path, odd: str) -> None:
    path = repo / ".git" / odd
    path.parent.mkdir(exist_ok=True)
    path.mkdir() if odd in ("reftable", "refs/replace") else path.write_text("")
    assert head_commit(str(repo)) is None


def test_a_broken_head(repo: Path) -> None:
    (repo / ".git/HEAD").unlink()
    assert head_commit(str(repo)) is None
    for child in sorted((repo / ".git").rglob("*"), reverse=True):
        child.rmdir() if child.is_dir() else child.unlink()
    (repo / ".git").rmdir()
    (repo / ".git").write_text("no pointer\n")
    assert head_commit(str(repo)) is None
