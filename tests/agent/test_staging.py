"""The staged copy: what is copied, what is refused, what the difference says."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from pathlib import Path

import pytest

from memdir.agent.staging import MAX_FILE, Stage
from memdir.core.changes import project
from memdir.core.i18n import msg
from memdir.core.model import CreateFile, DeleteFile, EditFile
from memdir.core.outcome import change_set_of, consent_reason
from memdir.core.path_key import PathTraversalError
from memdir.store.errors import RefusedError


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    (root / "logs/2026/03").mkdir(parents=True)
    (root / "MEMORY.md").write_text("- [A](a.md) — a\n")
    (root / "a.md").write_bytes(b"\xef\xbb\xbf---\r\nname: A\r\n---\r\none\r\n")
    (root / "logs/2026/03/2026-03-05.md").write_text("- 09:00 x\n")
    (root / ".consolidate-lock").write_text("1")
    (root / "picture.png").write_bytes(b"x")
    return root


def open_stage(memory: Path, tmp_path: Path) -> Stage:
    return Stage.copy(str(memory), str(tmp_path / "state"))


def test_only_memory_files_are_copied_and_the_copy_goes_away(memory: Path, tmp_path: Path) -> None:
    with open_stage(memory, tmp_path) as stage:
        assert stage.files() == ["MEMORY.md", "a.md", "logs/2026/03/2026-03-05.md"]
        assert stage.outcomes() == ()
        assert os.stat(stage.root).st_mode & 0o077 == 0
        where = stage.root
    assert not os.path.exists(where)


def test_the_difference_is_a_change_set_against_what_was_read(memory: Path, tmp_path: Path) -> None:
    with open_stage(memory, tmp_path) as stage:
        stage.write("a.md", b"---\r\nname: A\r\n---\r\ntwo\r\n")
        stage.write("sub/new.md", b"new\n")
        stage.delete("MEMORY.md")
        (Path(stage.root) / ".hidden.md").write_text("not ours")
        found = stage.outcomes({"a.md": [msg("{text}", text="it changed")]})
        bases = stage.bases()
    changes = change_set_of(found, msg("t"), "consolidate").changes
    assert [type(c) for c in changes] == [DeleteFile, EditFile, CreateFile]
    assert str(changes[1].reason) == "it changed"
    present = {str(memory / k): (memory / k).read_bytes() for k in ("a.md", "MEMORY.md")}
    outcomes, clashes = project(change_set_of(found, msg("t"), "consolidate"), present.get)
    assert not clashes
    assert {o.path: o.after for o in outcomes} == {
        str(memory / "MEMORY.md"): None,
        str(memory / "a.md"): b"\xef\xbb\xbf---\r\nname: A\r\n---\r\ntwo\r\n",
        str(memory / "sub/new.md"): b"new\n",
    }
    assert set(present.values()) <= set(bases.values())


@pytest.mark.parametrize(
    "key",
    ["../x.md", "/etc/x.md", "a/../../x.md", "a\\..\\x.md", "%2e%2e/x.md", "a\0.md", "", "C:x.md", "~/x.md", "\uff0e\uff0e/x.md", "a//b.md", "con.md", ".git/x.md"],
)  # fmt: skip
def test_keys_that_lead_out_are_refused(key: str, memory: Path, tmp_path: Path) -> None:
    with open_stage(memory, tmp_path) as stage:
        for action in (lambda: stage.read(key), lambda: stage.write(key, b"x"), lambda: stage.delete(key)):
            with pytest.raises(PathTraversalError):
                action()


def test_links_of_the_source_are_not_followed_out(memory: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    (memory / "link.md").symlink_to(secret)
    (memory / "inside.md").symlink_to(memory / "a.md")
    (memory / "folder").symlink_to(tmp_path)
    with open_stage(memory, tmp_path) as stage:
        assert stage.files() == ["MEMORY.md", "a.md", "inside.md", "logs/2026/03/2026-03-05.md"]
        assert stage.left_out["link.md"] == "a link out of the directory"


def test_an_index_that_is_a_link_out_is_left_out(memory: Path, tmp_path: Path) -> None:
    (memory / "MEMORY.md").unlink()
    (tmp_path / "other.md").write_text("elsewhere")
    (memory / "MEMORY.md").symlink_to(tmp_path / "other.md")
    with open_stage(memory, tmp_path) as stage:
        assert "MEMORY.md" not in stage.files() and stage.outcomes() == ()


def test_links_planted_in_the_copy_are_neither_read_nor_written_through(memory: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("untouched")
    with open_stage(memory, tmp_path) as stage:
        os.symlink(outside, os.path.join(stage.root, "planted.md"))
        os.symlink(tmp_path, os.path.join(stage.root, "way"))
        for key in ("planted.md", "way/outside.md"):
            with pytest.raises(RefusedError):
                stage.read(key)
            with pytest.raises(RefusedError):
                stage.write(key, b"evil")
            with pytest.raises(RefusedError):
                stage.delete(key)
        assert "planted.md" not in stage.files()
    assert outside.read_text() == "untouched" and tmp_path.exists()


def test_a_folder_swapped_for_a_link_between_check_and_use(memory: Path, tmp_path: Path) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / "x.md").write_text("theirs")
    stop = threading.Event()
    with open_stage(memory, tmp_path) as stage:
        stage.write("n/x.md", b"mine")
        inner, moved = os.path.join(stage.root, "n"), os.path.join(stage.root, "m")

        def attack() -> None:
            while not stop.is_set():
                with contextlib.suppress(OSError):  # the stage may have made the folder anew meanwhile
                    os.rename(inner, moved)
                with contextlib.suppress(OSError):
                    os.symlink(evil, inner)
                with contextlib.suppress(OSError):
                    os.unlink(inner)
                shutil.rmtree(inner, ignore_errors=True)
                with contextlib.suppress(OSError):
                    os.rename(moved, inner)

        thread = threading.Thread(target=attack)
        thread.start()
        seen: set[bytes] = set()
        try:
            for n in range(600):
                try:
                    stage.write("n/x.md", b"mine %d" % n)
                    seen.add(stage.read("n/x.md")[:4])
                except (RefusedError, FileNotFoundError, FileExistsError):
                    seen.add(b"refused")
        finally:
            stop.set()
            thread.join()
    assert b"thei" not in seen
    assert (evil / "x.md").read_text() == "theirs" and [p.name for p in evil.iterdir()] == ["x.md"]


def test_names_that_some_file_system_confuses(memory: Path, tmp_path: Path) -> None:
    with open_stage(memory, tmp_path) as stage:
        with pytest.raises(PathTraversalError):
            stage.write("A.md", b"x")
        stage.delete("a.md")
        stage.write("A.md", b"x")


def test_too_large_is_left_out(memory: Path, tmp_path: Path) -> None:
    (memory / "big.md").write_bytes(b"x" * (MAX_FILE + 1))
    with open_stage(memory, tmp_path) as stage:
        assert stage.left_out == {"big.md": "too large"}
        with pytest.raises(RefusedError):
            stage.write("b.md", b"x" * (MAX_FILE + 1))


def test_copies_of_dead_processes_are_removed(memory: Path, tmp_path: Path) -> None:
    with open_stage(memory, tmp_path) as stage:
        old = Path(stage.root).parent / "999999999-left"
        old.mkdir()
        with open_stage(memory, tmp_path) as other:
            assert not old.exists() and Path(stage.root).exists() and Path(other.root).exists()


def test_a_missing_directory_is_an_empty_stage(tmp_path: Path) -> None:
    with Stage.copy(str(tmp_path / "none"), str(tmp_path / "state")) as stage:
        assert stage.files() == []
        stage.write("a.md", b"x")
        assert [o.path for o in stage.outcomes()] == [str(tmp_path / "none/a.md")]


def test_what_needs_consent(memory: Path, tmp_path: Path) -> None:
    (memory / "long.md").write_text("word " * 400)
    (memory / "short.md").write_text("word " * 20)
    with open_stage(memory, tmp_path) as stage:
        stage.write("long.md", b"word " * 100)
        stage.write("short.md", b"w")
        stage.write("new.md", b"w")
        stage.delete("a.md")
        found = {os.path.basename(o.path): consent_reason(o) for o in stage.outcomes()}
    assert {k: v is not None for k, v in found.items()} == {
        "a.md": True,
        "long.md": True,
        "new.md": False,
        "short.md": False,
    }
    assert str(found["long.md"]) == "the file shrinks from 2000 to 500 characters"
