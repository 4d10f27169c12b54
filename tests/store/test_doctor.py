"""The doctor on real directories: listing, names back to paths, identities, moved repositories, merges through apply."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from memdir.core.doctor import Identity, Record, Repo
from memdir.core.slug import legacy_slug, slug
from memdir.store.apply import apply, undo
from memdir.store.doctor import examine, proposal, roots_of
from memdir.store.errors import RefusedError
from memdir.store.identity import load_records, normalise_remote, read_identity, remember
from memdir.store.memory_dirs import all_memory_directories
from memdir.store.unslug import existing_paths
from tests.conftest import NOW
from tests.store.layouts import bare_repository, environment, git, repository, session


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return Path(os.path.realpath(tmp_path))


@pytest.fixture
def projects(home: Path) -> Path:
    return home / ".claude/projects"


def remember_in(projects: Path, name: str, **files: str) -> Path:
    memory = projects / name / "memory"
    memory.mkdir(parents=True, exist_ok=True)
    for file, text in (files or {"MEMORY": "- [A](a.md)\n", "a": "a\n"}).items():
        (memory / f"{file}.md").write_text(text, "utf-8")
    return memory


# -- names back to paths ----------------------------------------------------------------------------------------------


def test_existing_paths(base: Path) -> None:
    for folder in ("a-b", "a.b", "a/b", "a_b", "a/x", "a-b-c", ".hidden/d", "中文"):
        (base / folder).mkdir(parents=True)
    (base / "a/file").write_text("")
    (base / "link").symlink_to(base / "a")

    def found(path: str) -> list[str]:
        return [p.removeprefix(f"{base}/") for p in existing_paths(slug(f"{base}/{path}"))]

    assert found("a-b") == ["a-b", "a.b", "a/b", "a_b"]
    assert found(".hidden/d") == [".hidden/d"]
    assert found("中文") == ["中文"]
    assert found("a/file") == []
    assert found("link/x") == [], "a real path has no links"
    assert existing_paths(legacy_slug(f"{base}/a_b")) == [f"{base}/a_b"]


def test_names_that_lead_nowhere() -> None:
    assert existing_paths("") == []
    assert existing_paths("x") == []
    assert existing_paths("-" + "y" * 300) == []
    assert existing_paths("-no-such-thing-at-all") == []


# -- identities -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("https://github.com/Org/Repo.git", "github.com/Org/Repo"),
        ("https://user:s3cret@GitHub.com:443/Org/Repo", "github.com/Org/Repo"),
        ("ssh://git@github.com/Org/Repo.git/", "github.com/Org/Repo"),
        ("git@github.com:Org/Repo.git", "github.com/Org/Repo"),
        ("github.com:Org/Repo", "github.com/Org/Repo"),
        ("/srv/git/repo.git", "/srv/git/repo"),
        ("file:///srv/git/repo.git", "file:///srv/git/repo"),
        ("../repo.git", "../repo"),
        ("", ""),
    ],
)
def test_remotes(url: str, normal: str) -> None:
    assert normalise_remote(url) == normal


def test_identity_of_repositories(base: Path) -> None:
    repo = repository(base / "repo")
    first = git("rev-parse", "HEAD", cwd=repo)
    git("commit", "-q", "--allow-empty", "-m", "second", cwd=repo)
    assert read_identity(str(repo)) == Identity(first, "")
    git("remote", "add", "fork", "https://host.example/fork.git", cwd=repo)
    assert read_identity(str(repo)).remote == "host.example/fork"
    git("remote", "add", "origin", "https://u:secret@host.example/app.git", cwd=repo)
    assert read_identity(str(repo)) == Identity(first, "host.example/app")
    git("clone", "-q", "--depth=1", f"file://{repo}", str(base / "shallow"), cwd=base)
    assert read_identity(str(base / "shallow")).first_commit == ""
    git("clone", "-q", "--bare", str(repo), str(base / "bare.git"), cwd=base)
    assert read_identity(str(base / "bare.git")).first_commit == first
    assert read_identity(str(bare_repository(base / "broken"))) == Identity()
    assert read_identity(str(base)) == Identity()


def test_records(base: Path) -> None:
    state = base / "state"
    repos = [Repo("/w/a", Identity("aa", "host/a")), Repo("/w/none")]
    remember(str(state), repos)
    assert load_records(str(state)) == {"-w-a": Record("/w/a", Identity("aa", "host/a"))}
    file = state / "repositories.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.stat().st_mtime_ns
    remember(str(state), repos)
    assert file.stat().st_mtime_ns == before, "nothing new, nothing written"
    remember(str(state), [Repo("/w/b", Identity("bb"))])
    assert sorted(load_records(str(state))) == ["-w-a", "-w-b"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"repositories": 3}', '{"repositories": {"x": 3, "y": {"path": 1}}}', "[" * 100_000],
)
def test_broken_records(text: str, base: Path) -> None:
    (base / "repositories.json").write_text(text)
    assert load_records(str(base)) == {}


# -- all memory directories -------------------------------------------------------------------------------------------


def test_all_memory_directories(base: Path, home: Path, projects: Path) -> None:
    here, quiet = bare_repository(base / "here"), bare_repository(base / "quiet")
    session(projects / slug(str(here)), here)
    remember_in(projects, slug(str(here)), MEMORY="12345", a="678")
    (projects / slug(str(here)) / "memory/x.json").write_text("not counted")
    remember_in(projects, slug(str(quiet)))
    session(projects / "-gone-app", "/gone/app/src")
    remember_in(projects, "-gone-app")
    remember_in(projects, "-empty").joinpath("a.md").unlink()
    (projects / "-empty/memory/MEMORY.md").unlink()
    remember_in(projects, "C--work")
    (projects / "-only-sessions").mkdir()
    found = {d.name: d for d in all_memory_directories(environment(home))}
    assert sorted(found) == sorted([slug(str(here)), slug(str(quiet)), "-gone-app", "-empty", "C--work"])
    mine = found[slug(str(here))]
    assert (mine.file_count, mine.size, mine.owner, mine.owner_exists, mine.orphaned) == (
        2,
        8,
        str(here),
        True,
        False,
    )
    assert (found[slug(str(quiet))].owner, found[slug(str(quiet))].orphaned) == (str(quiet), False)
    gone = found["-gone-app"]
    assert (gone.owner, gone.owner_exists, gone.orphaned) == ("/gone/app", False, True)
    assert (found["-empty"].owner, found["-empty"].orphaned) == (None, False)
    assert (found["C--work"].owner, found["C--work"].orphaned) == (None, False)


def test_remote_directory_is_listed_too(home: Path) -> None:
    remember_in(home / "rm/projects", "-x")
    found = all_memory_directories(environment(home, CLAUDE_CODE_REMOTE_MEMORY_DIR=home / "rm"))
    assert [d.path for d in found] == [str(home / "rm/projects/-x/memory")]
    assert all_memory_directories(environment(home)) == []


def test_links_are_not_followed(home: Path, projects: Path, base: Path) -> None:
    memory = remember_in(projects, "-x", a="1")
    (base / "big.md").write_text("x" * 1000)
    (memory / "link.md").symlink_to(base / "big.md")
    (memory / "loop").symlink_to(memory)
    (found,) = all_memory_directories(environment(home))
    assert (found.file_count, found.size) == (1, 1)


# -- examinations -----------------------------------------------------------------------------------------------------


def test_a_moved_repository_is_found_by_what_was_remembered(base: Path, home: Path, projects: Path) -> None:
    state = str(base / "state")
    old = repository(base / "old/app")
    memory = remember_in(projects, slug(str(old)), MEMORY="- [A](a.md)\n", a="fact\n")
    assert examine(environment(home), [str(old)], state).cases == ()
    remember(state, examine(environment(home), [str(old)], state).repos)
    new = base / "new place/app-2"
    new.parent.mkdir()
    old.rename(new)
    (case,) = examine(environment(home), [str(new)], state).cases
    assert (case.kind, case.owner, case.certain) == ("moved", str(new), True)
    change = proposal(case)
    assert change is not None
    target = projects / slug(str(new)) / "memory"
    applied = apply(change, roots=roots_of(case), state_dir=state, now=NOW)
    assert {p.name: p.read_text() for p in target.iterdir()} == {
        "MEMORY.md": "- [A](a.md)\n",
        "a.md": "fact\n",
    }
    assert list(memory.iterdir()) == []
    assert [c.kind for c in examine(environment(home), [str(new)], state).cases] == ["phantom"]
    undo(applied.id, state_dir=state, now=NOW)
    assert (memory / "a.md").read_text() == "fact\n"
    assert not (target / "a.md").exists()


def test_split_directories_are_merged_and_stay_merged(base: Path, home: Path, projects: Path) -> None:
    repo = repository(base / "my_app")
    git("worktree", "add", "-q", "../tree", "-b", "f", cwd=repo)
    old = remember_in(projects, legacy_slug(str(repo)), MEMORY="- [A](a.md)\n", a="old a\n")
    tree = remember_in(projects, slug(str(base / "tree")), MEMORY="- [T](t.md)\n", t="t\n")
    session(projects / slug(str(base / "tree")), base / "tree")
    new = remember_in(projects, slug(str(repo)), MEMORY="- [A](a.md)\n", a="new a\n")
    env, state = environment(home), str(base / "state")
    found = examine(env, [str(repo)], state).cases
    assert sorted((c.kind, c.target, c.certain) for c in found) == [
        ("underscore", str(new), True),
        ("worktree", str(new), True),
    ]
    for case in found:
        change = proposal(case)
        assert change is not None
        apply(change, roots=roots_of(case), state_dir=state, now=NOW)
    texts = {p.name: p.read_text() for p in new.iterdir()}
    assert texts["a.md"] == "new a\n"
    assert texts["a_2.md"] == "old a\n"
    assert texts["t.md"] == "t\n"
    assert "- [A](a_2.md)" in texts["MEMORY.md"]
    assert "- [T](t.md)" in texts["MEMORY.md"]
    assert [p.name for p in old.iterdir()] == ["MEMORY.md.merged"]
    assert [p.name for p in tree.iterdir()] == ["MEMORY.md.merged"]
    assert [c.kind for c in examine(env, [str(repo)], state).cases] == ["phantom", "phantom"]


def test_moved_repository_found_by_its_sessions(base: Path, home: Path, projects: Path) -> None:
    new = bare_repository(base / "new/app")
    name = slug(str(base / "old/app"))
    remember_in(projects, name)
    path = session(projects / name, base / "old/app")
    with path.open("a") as file:
        file.write(json.dumps({"type": "user", "cwd": str(new)}) + "\n")
    (case,) = examine(environment(home), [str(base)]).cases
    assert (case.kind, case.owner, case.certain) == ("moved", str(new), True)


def test_collision_on_disk(base: Path, home: Path, projects: Path) -> None:
    one, two = bare_repository(base / "a-b"), bare_repository(base / "a.b")
    name = slug(str(one))
    remember_in(projects, name)
    session(projects / name, one, "s1")
    session(projects / name, two, "s2")
    (case,) = examine(environment(home), [str(one)]).cases
    assert case.kind == "collision"
    assert proposal(case) is None


def test_a_directory_named_by_settings_is_the_target(base: Path, home: Path, projects: Path) -> None:
    repo = bare_repository(base / "my_app")
    remember_in(projects, legacy_slug(str(repo)))
    (repo / ".claude").mkdir()
    (repo / ".claude/settings.local.json").write_text(
        json.dumps({"autoMemoryDirectory": str(base / "own/memory")})
    )
    (case,) = examine(environment(home), [str(repo)]).cases
    assert (case.kind, case.target) == ("underscore", str(base / "own/memory"))


def test_too_large_files_are_refused(
    base: Path, home: Path, projects: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = bare_repository(base / "my_app")
    memory = remember_in(projects, legacy_slug(str(repo)))
    with (memory / "huge.md").open("wb") as file:
        file.truncate(17 * 1024 * 1024)
    (case,) = examine(environment(home), [str(repo)]).cases
    with pytest.raises(RefusedError, match=r"huge\.md"):
        proposal(case)


def test_without_git_and_without_projects(base: Path, home: Path) -> None:
    repo = repository(base / "repo")
    found = examine(environment(home, PATH=str(base)), [str(repo)])
    assert found.cases == ()
    assert [r.identity for r in found.repos] == [Identity()]
