"""`memdir undo`."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from memdir.core.i18n import msg
from memdir.core.model import ChangeSet, CreateFile, DeleteFile, Edit, EditFile, Span, content_hash
from memdir.store.apply import apply
from tests.cli.memory_cli import Cli, make_cli
from tests.conftest import NOW


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    cli = make_cli(tmp_path, home)
    cli.memory.mkdir(parents=True)
    (cli.memory / "a.md").write_bytes(b"one\n")
    return cli


def do(cli: Cli, root: Path | None = None, **kwargs: object) -> None:
    root = root or cli.memory
    changes = ChangeSet(
        msg("Save “{name}”", name="x"),
        (
            EditFile(str(root / "a.md"), (Edit(Span(0, 3), "two"),), content_hash(b"one\n")),
            CreateFile(str(root / "n.md"), b"new\n"),
        ),
        "save",
    )
    apply(changes, roots=[str(root)], state_dir=str(cli.state), now=NOW, **kwargs)  # type: ignore[arg-type]


def test_undo_and_again(cli: Cli) -> None:
    do(cli)
    assert cli("undo", "--dry-run") == 0
    assert "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-two\n+one\n" in cli.out and "+++ /dev/null" in cli.out
    assert (cli.memory / "n.md").exists()
    assert cli("undo") == 0
    assert cli.out.splitlines() == ["restored a.md", "removed n.md", "`memdir undo 2` repeats the change."]
    assert (cli.memory / "a.md").read_bytes() == b"one\n" and not (cli.memory / "n.md").exists()
    assert cli("undo") == 2
    assert cli.err == "memdir: There is no change to undo.\n"
    assert cli("undo", "2") == 0
    assert (cli.memory / "a.md").read_bytes() == b"two\n" and "brought back n.md" in cli.out


def test_the_list(cli: Cli) -> None:
    assert cli("undo", "--list") == 0 and cli.out == "Memdir has changed nothing here yet.\n"
    do(cli)
    cli("undo")
    assert cli("undo", "--list") == 0
    assert cli.out.splitlines() == [
        "   2  2026-03-11 12:00  Undo: Save “x”  (in force)",
        "      ~ a.md",
        "      - n.md",
        "   1  2026-03-11 12:00  Save “x”  (undone by 2)",
        "      ~ a.md",
        "      + n.md",
    ]
    assert cli("undo", "--list", "--json") == 0
    newest = json.loads(cli.out)[0]
    assert newest["undoes"] == "1" and newest["in_force"] is True and newest["outcome"] == "committed"
    assert newest["files"][1] == {"path": str(cli.memory / "n.md"), "change": "deleted"}
    assert cli("undo", "--list", MEMDIR_LANG="zh_CN.UTF-8") == 0
    assert "撤销：" in cli.out


def test_another_projects_changes_are_not_the_latest_here(cli: Cli, tmp_path: Path) -> None:
    do(cli)
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_bytes(b"one\n")
    do(cli, other)
    assert cli("undo", "--list") == 0 and "   2 " not in cli.out
    assert cli("undo", "--list", "--all") == 0 and str(other / "a.md") in cli.out
    assert cli("undo") == 0
    assert (cli.memory / "a.md").read_bytes() == b"one\n" and (other / "a.md").read_bytes() == b"two\n"
    assert cli("undo", "2") == 0 and (other / "a.md").read_bytes() == b"one\n"


def test_a_clash_shows_both_sides(cli: Cli) -> None:
    do(cli)
    (cli.memory / "a.md").write_bytes(b"three\n")
    assert cli("undo") == 2
    assert cli.err.splitlines() == [
        f"memdir: {cli.memory}/a.md: the file was changed meanwhile; its present text was kept. Look at both and try again.",
        "What was changed meanwhile:",
        "--- a/a.md",
        "+++ b/a.md",
        "@@ -1 +1 @@",
        "-two",
        "+three",
        "What this change wanted:",
        "--- a/a.md",
        "+++ b/a.md",
        "@@ -1 +1 @@",
        "-two",
        "+one",
    ]
    assert (cli.memory / "a.md").read_bytes() == b"three\n" and (cli.memory / "n.md").exists()


def test_a_crash_is_told_and_mended(cli: Cli) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            do(cli, step=lambda name: os.kill(os.getpid(), signal.SIGKILL) if name == "swap 1" else None)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert (cli.memory / "a.md").read_bytes() == b"two\n"
    assert cli("undo", "--list") == 0
    assert cli.err == "The interrupted change “Save “x”” was taken back.\n"
    assert "interrupted, taken back" in cli.out and (cli.memory / "a.md").read_bytes() == b"one\n"


@pytest.mark.parametrize(
    ("argument", "words"), [("x", "no number"), ("7", "no change 7"), ("-1", "no number")]
)
def test_wrong_numbers(cli: Cli, argument: str, words: str) -> None:
    assert cli("undo", argument) == 2
    assert words in cli.err


def test_json(cli: Cli) -> None:
    (cli.memory / "b.md").write_bytes(b"b")
    changes = ChangeSet(msg("x"), (DeleteFile(str(cli.memory / "b.md"), content_hash(b"b")),), "delete")
    apply(changes, roots=[str(cli.memory)], state_dir=str(cli.state), now=NOW)
    assert cli("undo", "--json") == 0
    assert json.loads(cli.out) == {
        "id": "2",
        "restored": [],
        "created": [str(cli.memory / "b.md")],
        "deleted": [],
    }
