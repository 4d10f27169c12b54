"""What a change set may not write: clashes with others, links, special files, places outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir.core.model import (
    CreateFile,
    DeleteFile,
    FileChange,
    RenameFile,
    content_hash,
)
from memdir.store.apply import list_entries, undo
from memdir.store.errors import ConflictError, RefusedError
from tests.conftest import NOW
from tests.store.applying import OLD, change, do, edit, picture, put, root, state

__all__ = ["root", "state"]


def test_a_file_changed_meanwhile_is_never_overwritten(root: Path, state: str) -> None:
    path, other = put(root / "a.md", b"one\n"), put(root / "b.md", b"bee\n")
    proposal = change(edit(other, "bee", "BEE"), edit(path, "one", "ONE"))
    path.write_bytes(b"one\nmore\n")
    with pytest.raises(ConflictError) as caught:
        do(proposal, root, state, bases={content_hash(b"one\n"): b"one\n"})
    (conflict,) = caught.value.conflicts
    assert (conflict.kind, conflict.base, conflict.mine, conflict.theirs) == (
        "changed",
        b"one\n",
        b"ONE\n",
        b"one\nmore\n",
    )
    assert other.read_bytes() == b"bee\n" and list_entries(state) == []


def test_the_journal_supplies_the_base_of_a_clash(root: Path, state: str) -> None:
    path = put(root / "a.md", b"one\n")
    proposal = change(edit(path, "one", "uno"))
    do(change(edit(path, "one", "two")), root, state)
    with pytest.raises(ConflictError) as caught:
        do(proposal, root, state)
    assert (caught.value.conflicts[0].base, caught.value.conflicts[0].mine) == (b"one\n", b"uno\n")


@pytest.mark.parametrize("kind", ["exists", "missing", "deleted-changed", "rename-exists"])
def test_clashes_by_kind(root: Path, state: str, kind: str) -> None:
    path = put(root / "a.md", b"one\n")
    wanted: dict[str, tuple[FileChange, str]] = {
        "exists": (CreateFile(str(path), b"x"), "exists"),
        "missing": (DeleteFile(str(root / "gone.md"), content_hash(b"")), "missing"),
        "deleted-changed": (DeleteFile(str(path), content_hash(b"zero\n")), "changed"),
        "rename-exists": (
            RenameFile(str(path), str(put(root / "b.md", b"b")), content_hash(b"one\n")),
            "exists",
        ),
    }
    before = picture(root)
    with pytest.raises(ConflictError) as caught:
        do(change(wanted[kind][0]), root, state)
    assert caught.value.conflicts[0].kind == wanted[kind][1]
    assert {k: v for k, v in picture(root).items() if k != "b.md"} == {
        k: v for k, v in before.items() if k != "b.md"
    }


def test_a_write_between_check_and_swap_is_put_back(root: Path, state: str) -> None:
    first, path = put(root / "a.md", b"a\n"), put(root / "b.md", b"b\n")

    def step(name: str) -> None:
        if name == "checked 1":
            path.write_bytes(b"from the agent\n")

    with pytest.raises(ConflictError) as caught:
        do(change(edit(first, "a", "A"), edit(path, "b", "B")), root, state, step=step)
    assert caught.value.conflicts[0].theirs == b"from the agent\n"
    assert (
        path.read_bytes() == b"from the agent\n"
        and first.read_bytes() == b"a\n"
        and first.stat().st_mtime_ns == OLD
    )
    assert sorted(p.name for p in root.iterdir()) == ["a.md", "b.md"]
    assert [e.outcome for e in list_entries(state)] == ["rolled-back"]


def test_a_file_created_at_the_last_moment_stays(root: Path, state: str) -> None:
    path = root / "new.md"

    def step(name: str) -> None:
        if name == "checked 0":
            path.write_bytes(b"theirs\n")

    with pytest.raises(ConflictError):
        do(change(CreateFile(str(path), b"mine\n")), root, state, step=step)
    assert path.read_bytes() == b"theirs\n" and len(list(root.iterdir())) == 1


def test_a_deleted_file_written_at_the_last_moment_comes_back(root: Path, state: str) -> None:
    path = put(root / "a.md", b"a\n")

    def step(name: str) -> None:
        if name == "checked 0":
            path.write_bytes(b"newer\n")

    with pytest.raises(ConflictError):
        do(change(DeleteFile(str(path), content_hash(b"a\n"))), root, state, step=step)
    assert path.read_bytes() == b"newer\n" and len(list(root.iterdir())) == 1


@pytest.mark.parametrize(
    "target",
    [
        "../out.md",
        "sub/../../out.md",
        "link/out.md",
        "file-link.md",
        "dangling.md",
        "",
        "loop.md",
        "nul\0.md",
    ],
)
def test_outside_is_refused_after_resolving_links(
    root: Path, state: str, tmp_path: Path, target: str
) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "real.md").write_bytes(b"x")
    (root / "link").symlink_to(outside)
    (root / "file-link.md").symlink_to(outside / "real.md")
    (root / "dangling.md").symlink_to(outside / "not-yet.md")
    (root / "loop.md").symlink_to(root / "loop.md")
    (tmp_path / "memory-evil").mkdir()
    for path in (f"{root}/{target}", f"{root}-evil/x.md", "relative.md"):
        with pytest.raises(RefusedError):
            do(change(CreateFile(path, b"x")), root, state)
    assert (
        sorted(p.name for p in outside.iterdir()) == ["real.md"]
        and (outside / "real.md").read_bytes() == b"x"
    )


def test_a_link_planted_after_the_check_loses(root: Path, state: str, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (root / "sub").mkdir()

    def step(name: str) -> None:
        if name == "journaled":
            (root / "sub").rmdir()
            (root / "sub").symlink_to(outside)

    with pytest.raises(RefusedError):
        do(change(CreateFile(str(root / "sub/x.md"), b"x")), root, state, step=step)
    assert list(outside.iterdir()) == []


def test_links_inside_are_followed_for_edits_and_moved_as_links(root: Path, state: str) -> None:
    put(root / "real/a.md", b"one\n")
    (root / "a.md").symlink_to("real/a.md")
    do(change(edit(root / "a.md", "one", "two")), root, state)
    assert (root / "a.md").is_symlink() and (root / "real/a.md").read_bytes() == b"two\n"
    before = picture(root)
    do(change(RenameFile(str(root / "a.md"), str(root / "b.md"), content_hash(b"two\n"))), root, state)
    assert os.readlink(root / "b.md") == "real/a.md" and not (root / "a.md").is_symlink()
    do(change(DeleteFile(str(root / "b.md"), content_hash(b"two\n"))), root, state)
    assert (root / "real/a.md").exists() and not (root / "b.md").is_symlink()
    undo(state_dir=state, now=NOW)
    undo(state_dir=state, now=NOW)
    assert picture(root) == before


def test_special_files_and_giants_are_left_alone(root: Path, state: str) -> None:
    os.mkfifo(root / "fifo.md")
    (root / "dir.md").mkdir()
    with open(root / "big.md", "wb") as big:
        big.truncate(17 << 20)
    for name in ("fifo.md", "dir.md", "big.md"):
        with pytest.raises(RefusedError):
            do(change(DeleteFile(str(root / name), content_hash(b""))), root, state)
