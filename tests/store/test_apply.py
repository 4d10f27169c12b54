"""Carrying out change sets: all files or none, byte for byte, and back."""

from __future__ import annotations

import os
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from memdir.core.model import (
    CreateFile,
    DeleteFile,
    RenameFile,
    content_hash,
)
from memdir.store.apply import apply, list_entries, undo
from memdir.store.errors import ConflictError, JournalError
from memdir.store.journal import Limits
from memdir.store.recovery import recover
from tests.conftest import NOW
from tests.store.applying import OLD, change, do, edit, picture, put, root, state

__all__ = ["root", "state"]


def test_edits_keep_bytes_mode_and_what_is_not_utf8(root: Path, state: str) -> None:
    path = put(root / "a.md", b"\xef\xbb\xbfone\r\ntwo \xff\r\n", 0o604)
    applied = do(change(edit(path, "one", "ONE")), root, state)
    assert path.read_bytes() == b"\xef\xbb\xbfONE\r\ntwo \xff\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert applied.changed == (str(path),) and applied.id == "1"
    assert path.stat().st_mtime_ns != OLD
    assert [p.name for p in root.iterdir()] == ["a.md"]


def test_everything_is_undone_and_redone(root: Path, state: str) -> None:
    index = put(root / "MEMORY.md", b"- [A](a.md)\n- [B](b.md)\n")
    a, b = put(root / "a.md", b"a\n", 0o600), put(root / "b.md", b"b\n", 0o644, OLD + 5)
    before = picture(root)
    applied = do(
        change(
            edit(index, "- [B](b.md)\n", ""),
            DeleteFile(str(b), content_hash(b"b\n")),
            RenameFile(str(a), str(root / "deep/er/c.md"), content_hash(b"a\n")),
            CreateFile(str(root / "logs/2026/03/x.md"), b"x\n"),
        ),
        root,
        state,
    )
    after = picture(root)
    assert set(after) == {
        "MEMORY.md",
        "deep",
        "deep/er",
        "deep/er/c.md",
        "logs",
        "logs/2026",
        "logs/2026/03",
        "logs/2026/03/x.md",
    }
    assert after["deep/er/c.md"] == (b"a\n", 0o600, OLD)  # a renamed memory keeps its age
    assert applied.deleted == (str(b), str(a)) and applied.created == (
        str(root / "deep/er/c.md"),
        str(root / "logs/2026/03/x.md"),
    )

    undone = undo(state_dir=state, now=NOW)
    assert picture(root) == before
    entries = list_entries(state)
    assert [(e.id, e.undoes, e.undone_by, e.in_force) for e in entries] == [
        ("2", "1", None, True),
        ("1", None, "2", False),
    ]
    with pytest.raises(JournalError):
        undo(state_dir=state, now=NOW)

    undo(undone.id, state_dir=state, now=NOW)
    assert picture(root) == after
    assert [e.in_force for e in list_entries(state)] == [True, False, True]
    undo(state_dir=state, now=NOW)
    assert picture(root) == before


@pytest.mark.parametrize("failing", ["stage 1", "swap 1", "moved 0", "mark"])
def test_a_failure_half_way_leaves_everything_as_it_was(root: Path, state: str, failing: str) -> None:
    a = put(root / "a.md", b"a\n")
    before = picture(root)

    def step(name: str) -> None:
        if name == failing:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        do(change(edit(a, "a", "A"), CreateFile(str(root / "team/n.md"), b"n")), root, state, step=step)
    assert picture(root) == before
    assert [e.outcome for e in list_entries(state)] == ["rolled-back"] and recover(state, now=NOW) == ()


def test_edits_of_one_base_are_one_and_rename_may_follow(root: Path, state: str) -> None:
    path = put(root / "a.md", b"one two three\n")
    do(
        change(
            edit(path, "one", "1"),
            edit(path, "three", "3"),
            RenameFile(str(path), str(root / "b.md"), content_hash(b"one two three\n")),
        ),
        root,
        state,
    )
    assert not path.exists() and (root / "b.md").read_bytes() == b"1 two 3\n"
    undo(state_dir=state, now=NOW)
    assert picture(root) == {"a.md": (b"one two three\n", 0o640, OLD)}


def test_nothing_to_do_leaves_no_entry(root: Path, state: str) -> None:
    path = put(root / "a.md", b"one\n")
    assert do(change(edit(path, "one", "one")), root, state).id is None
    assert list_entries(state) == [] and path.stat().st_mtime_ns == OLD


def test_the_memory_directory_is_created_on_demand_and_goes_again(tmp_path: Path, state: str) -> None:
    root = tmp_path / "config/projects/-repo/memory"
    (tmp_path / "config").mkdir()
    do(change(CreateFile(str(root / "MEMORY.md"), b"x\n")), root, state)
    assert (root / "MEMORY.md").read_bytes() == b"x\n"
    undo(state_dir=state, now=NOW)
    assert list((tmp_path / "config").iterdir()) == []


def test_undo_refuses_when_the_file_changed_since(root: Path, state: str) -> None:
    path = put(root / "a.md", b"one\n")
    do(change(edit(path, "one", "two"), CreateFile(str(root / "n.md"), b"n")), root, state)
    path.write_bytes(b"three\n")
    with pytest.raises(ConflictError) as caught:
        undo(state_dir=state, now=NOW)
    (conflict,) = caught.value.conflicts
    assert (conflict.base, conflict.mine, conflict.theirs) == (b"two\n", b"one\n", b"three\n")
    assert (root / "n.md").exists() and path.read_bytes() == b"three\n"
    assert list_entries(state)[0].in_force


def test_the_state_is_private_and_outside(root: Path, state: str) -> None:
    do(change(CreateFile(str(root / "n.md"), b"secret plan\n")), root, state)
    for path in [Path(state), *Path(state).rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_pruning_keeps_the_newest(root: Path, state: str) -> None:
    for number in range(6):
        do(change(CreateFile(str(root / f"{number}.md"), b"x")), root, state, limits=Limits(entries=3))
    assert [e.id for e in list_entries(state)] == ["6", "5", "4"]
    later = NOW + timedelta(days=400)
    apply(
        change(CreateFile(str(root / "y.md"), b"y")),
        roots=[str(root)],
        state_dir=state,
        now=later,
        limits=Limits(),
    )
    assert [e.id for e in list_entries(state)] == ["7"]
    do(change(CreateFile(str(root / "z.md"), os.urandom(3000))), root, state, limits=Limits(size=1000))
    assert [e.id for e in list_entries(state)] == ["8"]


def test_many_files_in_one_set(root: Path, state: str) -> None:
    do(change(*(CreateFile(str(root / f"d{n % 7}/{n}.md"), b"%d" % n) for n in range(1500))), root, state)
    assert (root / "d3/1200.md").exists() is (1200 % 7 == 3)
    assert len(list(root.rglob("*.md"))) == 1500
    undo(state_dir=state, now=NOW)
    assert list(root.iterdir()) == []


def test_a_journal_damaged_by_a_dead_writer_is_survived(root: Path, state: str) -> None:
    path = put(root / "a.md", b"one\n")
    do(change(edit(path, "one", "two")), root, state)
    journal = Path(state, "journal")
    (journal / "00000002.jsonl").write_bytes(b'{"version": 1, "id": "2"')
    (journal / "00000003.jsonl").write_bytes(b"\xff\x00")
    (journal / "00000001.jsonl").open("ab").write(b'{"outcome": "rolled-b')
    assert [e.id for e in list_entries(state)] == ["1"]
    assert recover(state, now=NOW) == ()
    assert undo(state_dir=state, now=NOW).id == "2" and path.read_bytes() == b"one\n"
    assert [e.in_force for e in list_entries(state)] == [True, False]
