"""Sessions of one repository are spread over project directories; ambiguous names need proof."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memdir.core.slug import legacy_slug, slug
from memdir.store.locate import locate
from memdir.store.project_dirs import newest_sessions, session_cwd, session_cwds
from tests.store.layouts import bare_repository, environment, git, repository, session


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return Path(os.path.realpath(tmp_path))


@pytest.fixture
def projects(home: Path) -> Path:
    return home / ".claude/projects"


def names(cwd: Path, home: Path) -> set[str]:
    return {os.path.basename(p) for p in locate(str(cwd), environment(home)).transcript_dirs}


def test_owner_subdirectory_and_worktree(base: Path, home: Path, projects: Path) -> None:
    repo = repository(base / "repo")
    git("worktree", "add", "-q", "../elsewhere", "-b", "f", cwd=repo)
    (repo / "src/ui").mkdir(parents=True)
    expected = set()
    for cwd in (repo, repo / "src/ui", base / "elsewhere", base / "elsewhere/gone", repo / "removed"):
        session(projects / slug(str(cwd)), cwd)
        expected.add(slug(str(cwd)))
    assert names(repo, home) == expected
    assert names(base / "elsewhere", home) == expected


def test_same_prefix_is_no_proof(base: Path, home: Path, projects: Path) -> None:
    repo, other = bare_repository(base / "repo"), bare_repository(base / "repo-x")
    session(projects / slug(str(repo)), repo)
    session(projects / slug(str(other)), other)
    (projects / (slug(str(repo)) + "-nothing")).mkdir()
    assert names(repo, home) == {slug(str(repo))}
    assert names(other, home) == {slug(str(other))}


def test_nested_repository_has_its_own(base: Path, home: Path, projects: Path) -> None:
    outer = bare_repository(base / "outer")
    inner = bare_repository(outer / "inner")
    session(projects / slug(str(inner)), inner)
    session(projects / slug(str(outer)), outer)
    assert names(outer, home) == {slug(str(outer))}
    assert names(inner, home) == {slug(str(inner))}


def test_own_directory_counts_without_sessions_but_not_with_others(
    base: Path, home: Path, projects: Path
) -> None:
    repo = bare_repository(base / "a_b")
    (projects / slug(str(repo)) / "memory").mkdir(parents=True)
    assert names(repo, home) == {slug(str(repo))}
    session(projects / slug(str(repo)), bare_repository(base / "a.b"))
    assert names(repo, home) == set()


def test_underscore_directory(base: Path, home: Path, projects: Path) -> None:
    repo = bare_repository(base / "a_b")
    session(projects / legacy_slug(str(repo)), repo)
    assert names(repo, home) == {legacy_slug(str(repo))}


def test_long_paths(base: Path, home: Path, projects: Path) -> None:
    repo = bare_repository(base / ("x" * 120) / ("y" * 120))
    sub = repo / "sub"
    for cwd in (repo, sub):
        session(projects / slug(str(cwd)), cwd)
    assert names(repo, home) == {slug(str(repo)), slug(str(sub))}


def test_named_project_directory(base: Path, home: Path) -> None:
    repo = bare_repository(base / "repo")
    session(home / "cfg/projects/chosen", repo)
    found = locate(
        str(repo), environment(home, CLAUDE_CONFIG_DIR=home / "cfg", CLAUDE_CODE_PROJECT_DIR_NAME="chosen")
    )
    assert found.transcript_dirs == (str(home / "cfg/projects/chosen"),)


def test_no_projects(base: Path, home: Path) -> None:
    assert locate(str(base), environment(home)).transcript_dirs == ()


def test_newest_first(projects: Path) -> None:
    session(projects / "p", "/a", "old", mtime=1)
    session(projects / "p", "/b", "new", mtime=3)
    session(projects / "p", "/b", "mid", mtime=2)
    (projects / "p/not.jsonl").mkdir()
    assert [os.path.basename(p) for p in newest_sessions(str(projects / "p"))] == [
        "new.jsonl",
        "mid.jsonl",
        "old.jsonl",
    ]
    assert session_cwds(str(projects / "p")) == ["/b", "/a"]


@pytest.mark.parametrize(
    ("content", "cwd"),
    [
        (b"", None),
        (b"\xff\xfe\0", None),
        (b'{"cwd": "rel"}\n{"cwd": "/abs"}\n', "/abs"),
        (b'{"cwd": 3}\n[{"cwd": "/x"}]\n"cwd"\n{"cwd": "/y"}\n', "/y"),
        (b'{"text": "say \\"cwd\\": \\"/no\\""}\n{"cwd": "/yes"}\n', "/yes"),
        (b'{"cwd": "/half', None),
        (b'{"cwd": "/a\\u0000b"}\n', None),
        (json.dumps({"x": "y" * 100_000, "cwd": "/late"}).encode(), None),
    ],
)
def test_heads_of_sessions(content: bytes, cwd: str | None, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(content)
    assert session_cwd(str(tmp_path / "s.jsonl")) == cwd


def test_pipes_and_missing_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.jsonl")
    assert session_cwd(str(tmp_path / "p.jsonl")) is None
    assert session_cwd(str(tmp_path / "none.jsonl")) is None
