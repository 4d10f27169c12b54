"""Settings files that name the memory directory: found, broken, managed, read once."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memdir.store.client_settings import managed_paths, parse_client_settings
from memdir.store.files import read_file
from memdir.store.locate import locate
from tests.store.layouts import environment, git, repository, write_json
from tests.store.sources import World

# -- project settings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("allowed", "trusted", "why"),
    [
        (False, False, "allow-project-directory"),
        (False, True, "allow-project-directory"),
        (True, False, "not trusted"),
    ],
)
def test_project_settings_do_not_move_memory(
    allowed: bool, trusted: bool, why: str, repo: Path, home: Path
) -> None:
    text = '{\n  "autoMemoryEnabled": true,\n  "autoMemoryDirectory": "~/.ssh"\n}\n'
    path = write_json(repo / ".claude/settings.json", text)
    found = locate(str(repo), environment(home, allow_project_directory=allowed, trusted=trusted))
    assert found.source == "default"
    (problem,) = found.problems
    assert (problem.rule, problem.path) == ("settings-project-directory", str(path))
    assert text[problem.span.start : problem.span.end] == '"~/.ssh"'
    assert why in str(problem.message)
    assert found.settings_readable


def test_project_settings_move_memory_after_opt_in_and_trust(repo: Path, home: Path) -> None:
    write_json(repo / ".claude/settings.json", {"autoMemoryDirectory": "~/notes"})
    found = locate(str(repo), environment(home, allow_project_directory=True, trusted=True))
    assert (found.source, found.memory_dir, found.problems) == ("project-settings", f"{home}/notes", ())


def test_settings_are_looked_for_upwards_to_the_checkout(repo: Path, home: Path) -> None:
    sub = repo / "a/b"
    sub.mkdir(parents=True)
    write_json(repo.parent / ".claude/settings.json", {"autoMemoryEnabled": False})
    assert locate(str(sub), environment(home)).enabled, "above the checkout is not ours"
    write_json(repo / ".claude/settings.json", {"autoMemoryEnabled": False})
    assert not locate(str(sub), environment(home)).enabled
    write_json(repo / "a/.claude/settings.json", {"autoMemoryEnabled": True})
    assert locate(str(sub), environment(home)).enabled, "the nearest counts"


def test_worktree_reads_its_own_settings(home: Path, tmp_path: Path) -> None:
    base = Path(os.path.realpath(tmp_path))
    repository(base / "main")
    git("worktree", "add", "-q", "../wt", "-b", "f", cwd=base / "main")
    write_json(base / "wt/.claude/settings.local.json", {"autoMemoryEnabled": False})
    found = locate(str(base / "wt"), environment(home))
    assert (found.owner, found.top, found.enabled, found.is_worktree) == (
        str(base / "main"),
        str(base / "wt"),
        False,
        True,
    )
    assert locate(str(base / "main"), environment(home)).enabled


# -- unreadable settings ----------------------------------------------------------------------------------------------

BROKEN = [
    ('{"autoMemoryDirectory": "/srv/x",\n oops}', "oops}", "not valid JSON"),
    ('{"a": 1', "1", "not valid JSON"),
    ("", "", "not valid JSON"),
    ("[1]", "[1]", "one JSON object"),
    ("[" * 100_000, None, "JSON"),
    ('{"a": ' + "9" * 5000 + "}", None, "not valid JSON"),
    ('{"autoMemoryDirectory": 7}', "7", "must be a string"),
    ('{"x": {"autoMemoryDirectory": 1}, "autoMemoryDirectory": [1, 2]}', "[1, 2]", "must be a string"),
    ('{"autoMemoryEnabled": "no"}', '"no"', "must be true or false"),
]


@pytest.mark.parametrize(("text", "marked", "why"), BROKEN)
@pytest.mark.parametrize(
    "source", ["managed-settings", "local-settings", "project-settings", "user-settings"]
)
def test_broken_settings(
    source: str, text: str, marked: str | None, why: str, repo: Path, home: Path
) -> None:
    world = World(repo, home)
    path = world.files()[source]
    write_json(path, text)
    found = world.locate()
    assert (found.source, found.enabled) == ("default", True)
    (problem,) = found.problems
    assert (problem.rule, problem.path) == ("settings-unreadable", str(path))
    assert why in str(problem.message)
    if marked is not None:
        assert text[problem.span.start : problem.span.end] == marked
    assert not found.settings_readable


def test_settings_that_are_no_file(repo: Path, home: Path) -> None:
    (repo / ".claude/settings.json").mkdir(parents=True)
    os.mkfifo(repo / ".claude/settings.local.json")
    (home / ".claude/settings.json").write_text("{" + " " * (2 << 20) + "}")
    found = locate(str(repo), environment(home))
    assert [os.path.basename(p.path) for p in found.problems] == [
        "settings.local.json",
        "settings.json",
        "settings.json",
    ]
    assert {p.rule for p in found.problems} == {"settings-unreadable"}


def test_settings_without_permission(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_json(repo / ".claude/settings.json", {"autoMemoryEnabled": False})
    path.chmod(0)

    def refused(name: str, **options: object) -> object:  # as the system answers anybody but root
        if name == str(path):
            raise PermissionError(13, "Permission denied", name)
        return read_file(name, **options)  # type: ignore[arg-type]  # options are passed on as they are

    monkeypatch.setattr("memdir.store.files.read_file", refused)
    (problem,) = locate(str(repo), environment(home)).problems
    assert "Permission denied" in str(problem.message)


def test_null_is_not_set_and_bom_is_fine(repo: Path, home: Path) -> None:
    write_json(repo / ".claude/settings.json", {"autoMemoryDirectory": None, "autoMemoryEnabled": None})
    (home / ".claude/settings.json").write_bytes(b'\xef\xbb\xbf{"autoMemoryEnabled": false}')
    found = locate(str(repo), environment(home))
    assert (found.problems, found.enabled, found.enabled_by) == ((), False, "user-settings")


def test_later_duplicate_counts_and_is_marked() -> None:
    text = '{"autoMemoryEnabled": true, "autoMemoryEnabled": 3}'
    (problem,) = parse_client_settings(text, "user-settings", "/x").problems
    assert text[problem.span.start : problem.span.end] == "3"


# -- flag and managed settings ----------------------------------------------------------------------------------------


def test_flag_as_text_file_and_object(repo: Path, home: Path) -> None:
    data = {"autoMemoryDirectory": "/srv/flag"}
    write_json(repo / "flag.json", data)
    for value in (data, json.dumps(data), "flag.json", str(repo / "flag.json")):
        found = locate(str(repo), environment(home, flag_settings=value))
        assert (found.source, found.memory_dir) == ("flag-settings", "/srv/flag")
    (problem,) = locate(str(repo), environment(home, flag_settings="none.json")).problems
    assert "does not exist" in str(problem.message)
    (problem,) = locate(str(repo), environment(home, flag_settings="{oops")).problems
    assert problem.path == ""


def test_managed_paths() -> None:
    assert managed_paths("/", "linux", {}) == ("/etc/claude-code/managed-settings.json",)
    assert managed_paths("/r", "darwin", {}) == (
        "/r/Library/Application Support/ClaudeCode/managed-settings.json",
    )
    assert managed_paths("/r", "win32", {}) == (
        "/r/Program Files/ClaudeCode/managed-settings.json",
        "/r/ProgramData/ClaudeCode/managed-settings.json",
    )


@pytest.mark.parametrize(
    ("platform", "place"),
    [
        ("linux", "etc/claude-code"),
        ("darwin", "Library/Application Support/ClaudeCode"),
        ("win32", "ProgramData/ClaudeCode"),
        ("win32", "Program Files/ClaudeCode"),
    ],
)
def test_managed_settings_are_found_below_the_root(platform: str, place: str, repo: Path, home: Path) -> None:
    write_json(home / "sys" / place / "managed-settings.json", {"autoMemoryEnabled": False})
    found = locate(str(repo), environment(home, home / "sys", platform=platform))
    assert (found.enabled, found.enabled_by) == (False, "managed-settings")


def test_unchanged_settings_are_read_once(repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memdir.store import client_settings, files

    reads: list[str] = []
    real = files.read_file

    def counted(path: str, **options: Any) -> Any:
        reads.append(path)
        return real(path, **options)

    monkeypatch.setattr(files, "read_file", counted)
    path = write_json(home / ".claude/settings.json", {"autoMemoryEnabled": False})
    for _ in range(2):
        assert not locate(str(repo), environment(home)).enabled
    assert len(reads) == 2, "a file written this moment is not trusted to stay as it is"
    monkeypatch.setattr(client_settings, "SETTLED_NS", -1)
    for _ in range(3):
        assert not locate(str(repo), environment(home)).enabled
    assert len(reads) == 3
    write_json(path, {"autoMemoryEnabled": True})
    assert locate(str(repo), environment(home)).enabled
    path.unlink()
    assert locate(str(repo), environment(home)).enabled_by == "default"
