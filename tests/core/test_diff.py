"""Diffs of change sets and their partial acceptance."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.changes import project
from memdir.core.diff import diff_files, opcodes, select, unified
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

OLD = "".join(f"line {n}\n" for n in range(1, 31))
NEW = (
    OLD.replace("line 3\n", "line three\n")
    .replace("line 5\n", "")
    .replace("line 20\n", "line 20\nline 20b\n")
)


def change(*changes: FileChange) -> ChangeSet:
    return ChangeSet(msg("A test"), changes, "consolidate")


def whole(path: str, old: str, new: str) -> EditFile:
    return EditFile(path, (Edit(Span(0, len(old)), new),), content_hash(old.encode()))


def after(changes: ChangeSet, files: Mapping[str, bytes]) -> dict[str, bytes | None]:
    outcomes, clashes = project(changes, files.get)
    assert clashes == ()
    return {**files, **{o.path: o.after for o in outcomes}}


def test_a_unified_diff_that_patch_understands(tmp_path: Path) -> None:
    files = {"/m/a.md": OLD.encode(), "/m/gone.md": b"bye\n", "/m/open.md": b"no break"}
    changes = change(
        whole("/m/a.md", OLD, NEW),
        DeleteFile("/m/gone.md", content_hash(b"bye\n")),
        CreateFile("/m/team/new.md", "neu\n\u4e2d\u6587\n".encode()),
        EditFile("/m/open.md", (Edit(Span(0, 2), "NO"),), content_hash(b"no break")),
    )
    text = unified(diff_files(changes, files.get), base="/m", ids=True)
    assert "--- a/a.md\n+++ b/a.md\n@@ -1,8 +1,7 @@" in text
    assert "--- /dev/null\n+++ b/team/new.md\n@@ -0,0 +1,2 @@" in text
    assert "-no break\n\\ No newline at end of file\n+NO break\n\\ No newline at end of file\n" in text
    for name, content in files.items():
        (tmp_path / name.removeprefix("/m/")).write_bytes(content)
    subprocess.run(["patch", "-p1", "--silent"], input=text.encode(), cwd=tmp_path, check=True)
    left = {str(p.relative_to(tmp_path)): p.read_bytes() for p in tmp_path.rglob("*.md")}
    assert left == {
        "a.md": NEW.encode(),
        "open.md": b"NO break",
        "team/new.md": "neu\n\u4e2d\u6587\n".encode(),
    }


def test_hunks_are_accepted_one_by_one() -> None:
    files = {"/m/a.md": OLD.encode(), "/m/b.md": b"b\n"}
    changes = change(whole("/m/a.md", OLD, NEW), DeleteFile("/m/b.md", content_hash(b"b\n")))
    first, second = diff_files(changes, files.get)[0].hunks
    assert after(select(changes, files.get, hunks=[second.id]), files) == {
        "/m/a.md": OLD.replace("line 20\n", "line 20\nline 20b\n").encode(),
        "/m/b.md": b"b\n",
    }
    assert after(select(changes, files.get, hunks=[first.id], files=["/m/b.md"]), files) == {
        "/m/a.md": OLD.replace("line 3\n", "line three\n").replace("line 5\n", "").encode(),
        "/m/b.md": None,
    }
    assert not select(changes, files.get)
    with pytest.raises(ValueError, match="nonsense"):
        select(changes, files.get, hunks=["nonsense"])


def test_equal_hunks_have_their_own_ids() -> None:
    old = "x\n" + "1\n2\n3\n4\n5\n6\n7\n" * 4
    new = old.replace("1\n2\n3\n4\n5", "1\n2\n3\nfour\n5")
    hunks = diff_files(change(whole("/m/a.md", old, new)), {"/m/a.md": old.encode()}.get)[0].hunks
    assert len({h.id for h in hunks}) == len(hunks)


def test_a_rename_with_edits_can_be_taken_apart() -> None:
    files = {"/m/a.md": b"name: a\nbody\n"}
    base = content_hash(b"name: a\nbody\n")
    changes = change(
        EditFile("/m/a.md", (Edit(Span(6, 7), "b"),), base), RenameFile("/m/a.md", "/m/b.md", base)
    )
    (file,) = diff_files(changes, files.get)
    assert (file.kind, file.old_path, file.path) == ("rename", "/m/a.md", "/m/b.md")
    move, text = file.hunks
    assert after(select(changes, files.get, hunks=[move.id]), files) == {
        "/m/a.md": None,
        "/m/b.md": b"name: a\nbody\n",
    }
    assert after(select(changes, files.get, hunks=[text.id]), files) == {"/m/a.md": b"name: b\nbody\n"}
    assert after(select(changes, files.get, files=["/m/b.md"]), files) == {
        "/m/a.md": None,
        "/m/b.md": b"name: b\nbody\n",
    }
    assert unified((file,), base="/m").startswith(
        "rename from a.md\nrename to b.md\n--- a/a.md\n+++ b/b.md\n"
    )


def test_terminals_get_no_control_characters() -> None:
    changes = change(CreateFile("/m/a\x1b[2J.md", "x\x1b]0;owned\x07\u202ey\n".encode()))
    text = unified(diff_files(changes, {}.get), base="/m", escape=True)
    assert "\x1b" not in text and "\u202e" not in text and "<U+001B>]0;owned<U+0007><U+202E>y" in text


def test_huge_files_are_compared_in_bounded_time() -> None:
    a = ["x\n", "y\n"] * 3000
    b = ["y\n", "z\n"] * 3000
    codes = opcodes(a, b)
    assert [t for t, *_ in codes] == ["replace"]


@given(st.text(alphabet="ab\n\r\x0c\u2028", max_size=60), st.text(alphabet="ab\n\r\x0c\u2028", max_size=60))
def test_all_hunks_make_the_whole_and_none_make_nothing(old: str, new: str) -> None:
    files = {"/m/a.md": old.encode()}
    changes = change(whole("/m/a.md", old, new))
    diffs = diff_files(changes, files.get)
    assert bool(diffs) is (old != new)
    ids = [h.id for d in diffs for h in d.hunks]
    assert after(select(changes, files.get, hunks=ids), files) == {"/m/a.md": new.encode()}
