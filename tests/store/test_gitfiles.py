"""The owner of a directory, read from git's files: odd layouts, forged pointers, cost."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.store import gitfiles
from memdir.store.gitfiles import find_checkout, read_small, worktrees
from tests.store.layouts import bare_repository, git, repository


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return Path(os.path.realpath(tmp_path))


@pytest.fixture(params=["climb", "anywhere"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to look upwards give the same answers."""
    if request.param == "anywhere":
        monkeypatch.setattr(gitfiles, "_FAST", False)
    return str(request.param)


def dot_git_kinds() -> list[tuple[str, Callable[[Path], object]]]:
    return [
        ("directory", lambda p: p.mkdir()),
        ("empty file", lambda p: p.write_text("")),
        ("garbage", lambda p: p.write_bytes(b"\xff\0\xfe" * 10)),
        ("dangling link", lambda p: p.symlink_to("nowhere")),
        ("link to itself", lambda p: p.symlink_to(".git")),
        ("link to a directory", lambda p: (p.parent / "elsewhere").mkdir() or p.symlink_to("elsewhere")),
        ("pipe", lambda p: os.mkfifo(p)),
        ("huge", lambda p: p.write_text("gitdir: " + "x" * 100_000)),
        ("gitdir to nowhere", lambda p: p.write_text("gitdir: /nowhere/at/all\n")),
        ("gitdir with NUL", lambda p: p.write_bytes(b"gitdir: /a\0b\n")),
    ]


@pytest.mark.parametrize(("name", "make"), dot_git_kinds(), ids=[n for n, _ in dot_git_kinds()])
def test_any_git_entry_makes_an_owner(
    name: str, make: Callable[[Path], object], base: Path, way: str
) -> None:
    (base / "p/sub/deep").mkdir(parents=True)
    make(base / "p/.git")
    found = find_checkout(str(base / "p/sub/deep"))
    assert (found.owner, found.top, found.kind) == (str(base / "p"), str(base / "p"), "main")
    assert found.cwd == str(base / "p/sub/deep")


def test_missing_directory_and_file(base: Path, way: str) -> None:
    bare_repository(base / "p")
    (base / "p/file").write_text("")
    assert find_checkout(str(base / "p/not/there")).owner == str(base / "p")
    found = find_checkout(str(base / "p/file"))
    assert (found.owner, found.cwd) == (str(base / "p"), str(base / "p"))
    assert find_checkout(str(base / "a\0b")).kind == "none"


def test_deleted_directory(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = bare_repository(base / "p") / "gone"
    gone.mkdir()
    fd = os.open(gone, os.O_RDONLY)
    gone.rmdir()
    try:
        assert find_checkout(f"/proc/self/fd/{fd}").owner == str(base / "p")
    finally:
        os.close(fd)


def test_directory_called_deleted(base: Path, way: str) -> None:
    bare_repository(base / "p (deleted)")
    assert find_checkout(str(base / "p (deleted)")).owner == str(base / "p (deleted)")


def test_symlink_in_the_middle(base: Path, way: str) -> None:
    repository(base / "real")
    (base / "real/sub").mkdir()
    (base / "other").mkdir()
    (base / "other/link").symlink_to(base / "real/sub")
    assert find_checkout(str(base / "other/link")).owner == str(base / "real")


def test_deep_directories(base: Path, way: str) -> None:
    bare_repository(base / "p")
    deep = base / "p" / "/".join("d" * 40)
    deep.mkdir(parents=True)
    assert find_checkout(str(deep)).owner == str(base / "p")
    bare_repository(deep.parents[16])
    assert find_checkout(str(deep)).owner == str(deep.parents[16])
    assert find_checkout("/").owner == "/"


def linked(base: Path) -> Path:
    repository(base / "main")
    git("worktree", "add", "-q", "../wt", "-b", "f", cwd=base / "main")
    return base / "wt"


def test_worktree_and_its_subdirectory(base: Path, way: str) -> None:
    wt = linked(base)
    (wt / "sub").mkdir()
    for cwd in (wt, wt / "sub"):
        found = find_checkout(str(cwd))
        assert (found.owner, found.top, found.kind) == (str(base / "main"), str(wt), "worktree")
        assert found.common == str(base / "main/.git")


def test_relative_pointers(base: Path) -> None:
    """git 2.48 can write both pointers relative (worktree.useRelativePaths)."""
    wt = linked(base)
    (wt / ".git").write_text("gitdir: ../main/.git/worktrees/wt\n")
    (base / "main/.git/worktrees/wt/gitdir").write_text("../../../../wt/.git\n")
    assert find_checkout(str(wt)).owner == str(base / "main")
    assert worktrees(str(base / "main")) == [str(wt)]


def test_moved_worktree_without_repair_owns_itself(base: Path) -> None:
    wt = linked(base)
    wt.rename(base / "moved")
    assert find_checkout(str(base / "moved")).owner == str(base / "moved")


def test_symlinked_main_checkout(base: Path) -> None:
    repository(base / "real")
    (base / "link").symlink_to(base / "real")
    git("worktree", "add", "-q", str(base / "wt"), "-b", "f", cwd=base / "link")
    assert find_checkout(str(base / "wt")).owner == str(base / "real")


def test_separate_git_dir_worktree_is_owned_by_the_git_dir(base: Path) -> None:
    base.joinpath("sep").mkdir()
    git("init", "-q", f"--separate-git-dir={base / 'store'}", str(base / "sep"), cwd=base)
    (base / "sep/a").write_text("x")
    git("add", "-A", cwd=base / "sep")
    git("commit", "-qm", "i", cwd=base / "sep")
    git("worktree", "add", "-q", str(base / "wt"), "-b", "f", cwd=base / "sep")
    assert find_checkout(str(base / "sep")).owner == str(base / "sep")
    assert find_checkout(str(base / "wt")).owner == str(base / "store")
    assert worktrees(str(base / "store")) == [str(base / "wt")]


def test_worktree_of_a_submodule(base: Path) -> None:
    repository(base / "lib")
    repository(base / "super")
    git("submodule", "add", "-q", str(base / "lib"), "vendor", cwd=base / "super")
    git("worktree", "add", "-q", str(base / "wt"), "-b", "f", cwd=base / "super/vendor")
    assert find_checkout(str(base / "super/vendor")).owner == str(base / "super/vendor")
    assert find_checkout(str(base / "wt")).owner == str(base / "super/.git/modules/vendor")


def _forge_no_backlink(base: Path, evil: Path) -> None:
    (evil / ".git").write_text(f"gitdir: {base}/main/.git/worktrees/wt\n")


def _forge_own_gitdir(base: Path, evil: Path) -> None:
    """A git directory of its own whose commondir names the victim."""
    (evil / "g/worktrees/x").mkdir(parents=True)
    (evil / "g/worktrees/x/commondir").write_text(f"{base}/main/.git\n")
    (evil / "g/worktrees/x/gitdir").write_text(f"{evil}/.git\n")
    (evil / ".git").write_text(f"gitdir: {evil}/g/worktrees/x\n")


def _forge_linked_worktrees(base: Path, evil: Path) -> None:
    """The victim's worktrees folder reached through a link."""
    (evil / "g").mkdir()
    (evil / "g/worktrees").symlink_to(base / "main/.git/worktrees")
    (evil / ".git").write_text(f"gitdir: {evil}/g/worktrees/wt\n")


def _forge_linked_entry(base: Path, evil: Path) -> None:
    """A name in its own folder that links to a git directory elsewhere, with a good backlink."""
    own = evil / "own/worktrees/x"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "gitdir").write_text(f"{evil}/.git\n")
    (evil / "g").symlink_to(base / "main/.git")
    (evil / ".git").write_text(f"gitdir: {evil}/g/worktrees/../../../{os.path.relpath(own, base)}\n")
    (own / "commondir").write_text(f"{evil}/g\n")


def _forge_link_to_worktree_file(base: Path, evil: Path) -> None:
    (evil / ".git").symlink_to(base / "wt/.git")


def _forge_hard_link(base: Path, evil: Path) -> None:
    os.link(base / "wt/.git", evil / ".git")


def _forge_traversal(base: Path, evil: Path) -> None:
    (evil / ".git").write_text(f"gitdir: {base}/main/.git/worktrees/wt/../wt\n")


@pytest.mark.parametrize(
    "forge",
    [
        _forge_no_backlink,
        _forge_own_gitdir,
        _forge_linked_worktrees,
        _forge_linked_entry,
        _forge_link_to_worktree_file,
        _forge_hard_link,
        _forge_traversal,
    ],
)
def test_forged_pointers_borrow_nothing(forge: Callable[[Path, Path], None], base: Path, way: str) -> None:
    linked(base)
    evil = base / "evil"
    evil.mkdir()
    forge(base, evil)
    assert find_checkout(str(evil)).owner == str(evil)


@settings(max_examples=60, deadline=None)
@given(pointer=st.binary(max_size=60), common=st.binary(max_size=30), back=st.binary(max_size=30))
def test_any_bytes_give_an_owner_inside(
    tmp_path_factory: pytest.TempPathFactory, pointer: bytes, common: bytes, back: bytes
) -> None:
    base = Path(os.path.realpath(tmp_path_factory.mktemp("fuzz")))
    (base / "g").mkdir()
    (base / "g/commondir").write_bytes(common)
    (base / "g/gitdir").write_bytes(back)
    for content in (pointer, b"gitdir: " + pointer, b"gitdir: g"):
        (base / ".git").write_bytes(content)
        assert find_checkout(str(base)).owner == str(base)


def test_worktrees_lists_gone_ones_and_skips_garbage(base: Path) -> None:
    wt = linked(base)
    folder = base / "main/.git/worktrees"
    (folder / "odd").mkdir()
    (folder / "odd/gitdir").write_text("not a path to a git file\n")
    (folder / "file").write_text("")
    wt.rename(base / "gone")
    assert worktrees(str(base / "main")) == [str(wt)]
    assert worktrees(str(base / "nothing")) == []


def test_read_small(base: Path) -> None:
    (base / "f").write_text(" text\n")
    assert read_small(str(base / "f")) == "text"
    assert read_small(str(base / "f"), limit=3) is None
    assert read_small(str(base)) is None
    assert read_small(str(base / "none")) is None
    os.mkfifo(base / "pipe")
    assert read_small(str(base / "pipe")) is None


def _seconds(path: str, rounds: int) -> float:
    best = 1.0
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(rounds):
            find_checkout(path)
        best = min(best, (time.perf_counter() - start) / rounds)
    return best


def test_cost_of_a_plain_repository_and_of_depth(base: Path) -> None:
    bare_repository(base / "p")
    assert _seconds(str(base / "p"), 200) < 100e-6
    shallow, deep = base / "p" / "/".join("d" * 40), base / "p" / "/".join("d" * 160)
    deep.mkdir(parents=True)
    assert _seconds(str(deep), 50) < 8 * _seconds(str(shallow), 50), (
        "four times the depth, not sixteen times the cost"
    )
