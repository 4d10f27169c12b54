"""Change sets reach the disk whole or not at all, and go back byte for byte."""

from __future__ import annotations

import os
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from memdir.core.i18n import msg
from memdir.core.model import (
    ChangeSet,
    CreateFile,
    DeleteFile,
    Edit,
    EditFile,
    FileChange,
    RenameFile,
    Span,
    content_hash,
)
from memdir.store.apply import apply, list_entries, undo
from memdir.store.errors import ConflictError, JournalError, RefusedError
from memdir.store.journal import Limits
from memdir.store.recovery import recover
from tests.conftest import NOW

OLD = 1_700_000_000_123_456_789  # an mtime with nanoseconds


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    root.mkdir()
    return root


@pytest.fixture
def state(tmp_path: Path) -> str:
    return str(tmp_path / "state")


def put(path: Path, content: bytes, mode: int = 0o640, mtime_ns: int = OLD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
    os.utime(path, ns=(mtime_ns, mtime_ns))
    return path


def picture(root: Path) -> dict[str, object]:
    """Everything about a directory that a change must leave or restore."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        info = path.lstat()
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = ("link", os.readlink(path))
        elif path.is_dir():
            found[name] = "dir"
        else:
            found[name] = (path.read_bytes(), stat.S_IMODE(info.st_mode), info.st_mtime_ns)
    return found


def edit(path: Path, old: str, new: str, base: bytes | None = None) -> EditFile:
    content = path.read_bytes() if base is None else base
    at = content.decode("utf-8", "surrogateescape").lstrip("\ufeff").index(old)
    return EditFile(str(path), (Edit(Span(at, at + len(old)), new),), content_hash(content))


def change(*changes: FileChange) -> ChangeSet:
    return ChangeSet(msg("A test"), changes, "fix")


def do(changes: ChangeSet, root: Path, state: str, **kwargs: object):
    return apply(changes, roots=[str(root)], state_dir=state, now=NOW, **kwargs)  # type: ignore[arg-type]


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
