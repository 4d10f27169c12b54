"""Precedence of what names the memory directory, refusals with reasons, project settings, managed settings, old names."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path
from typing import Any

import pytest

from memdir.core.slug import legacy_slug, slug
from memdir.store.client_settings import managed_paths, parse_client_settings
from memdir.store.files import read_file
from memdir.store.locate import Environment, Location, locate
from tests.store.layouts import bare_repository, environment, git, repository, write_json


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return bare_repository(Path(os.path.realpath(tmp_path)) / "my_repo")


class World:
    """Every source that can name a directory, switched on by name."""

    SOURCES = (
        "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
        "managed-settings",
        "flag-settings",
        "local-settings",
        "project-settings",
        "user-settings",
        "CLAUDE_CODE_REMOTE_MEMORY_DIR",
        "CLAUDE_CODE_PROJECT_DIR_NAME",
        "default",
    )

    def __init__(self, repo: Path, home: Path) -> None:
        self.repo, self.home, self.system = repo, home, home / "sys"
        self.config = home / "config"
        self.fields: dict[str, Any] = {"CLAUDE_CONFIG_DIR": str(self.config), "system": self.system}

    def files(self) -> dict[str, Path]:
        return {
            "managed-settings": self.system / "etc/claude-code/managed-settings.json",
            "local-settings": self.repo / ".claude/settings.local.json",
            "project-settings": self.repo / ".claude/settings.json",
            "user-settings": self.config / "settings.json",
        }

    def expected(self, source: str) -> str:
        name = slug(str(self.repo))
        return {
            "CLAUDE_CODE_REMOTE_MEMORY_DIR": f"{self.home}/remote/projects/{name}/memory",
            "CLAUDE_CODE_PROJECT_DIR_NAME": f"{self.config}/projects/chosen/memory",
            "default": f"{self.config}/projects/{name}/memory",
        }.get(source, f"{self.home}/by/{source}")

    def switch_on(self, source: str, value: str | None = None) -> None:
        target = value or self.expected(source)
        if source in self.files():
            write_json(self.files()[source], {"autoMemoryDirectory": target})
            if source == "project-settings":
                self.fields |= {"trusted": True, "allow_project_directory": True}
        elif source == "flag-settings":
            self.fields["flag_settings"] = {"autoMemoryDirectory": target}
        elif source == "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE":
            self.fields[source] = target
        elif source == "CLAUDE_CODE_REMOTE_MEMORY_DIR":
            self.fields[source] = value or f"{self.home}/remote"
        elif source == "CLAUDE_CODE_PROJECT_DIR_NAME":
            self.fields[source] = value or "chosen"

    def locate(self) -> Location:
        return locate(str(self.repo), environment(self.home, **self.fields))


@pytest.mark.parametrize(("higher", "lower"), list(itertools.combinations(World.SOURCES, 2)))
def test_precedence_of_every_pair(higher: str, lower: str, repo: Path, home: Path) -> None:
    world = World(repo, home)
    world.switch_on(higher)
    world.switch_on(lower)
    found = world.locate()
    assert found.source == higher
    assert found.memory_dir == world.expected(higher)
    by_source = {c.source: c for c in found.considered}
    assert by_source[higher].used
    assert not by_source[lower].used
    assert higher in str(by_source[lower].why)


@pytest.mark.parametrize("source", World.SOURCES[:-1])
def test_each_alone_and_all_together(source: str, repo: Path, home: Path) -> None:
    world = World(repo, home)
    world.switch_on(source)
    assert world.locate().memory_dir == world.expected(source)
    for other in World.SOURCES:
        world.switch_on(other)
    found = world.locate()
    assert [c.source for c in found.considered] == list(World.SOURCES)
    assert found.source == World.SOURCES[0]


@pytest.mark.parametrize(
    "source", ["managed-settings", "flag-settings", "local-settings", "project-settings", "user-settings"]
)
@pytest.mark.parametrize(
    ("value", "why"), [("~", "home directory"), ("um", "absolute"), ("/", "root"), ("/x", "below the root")]
)
def test_refused_value_counts_as_not_set(source: str, value: str, why: str, repo: Path, home: Path) -> None:
    world = World(repo, home)
    world.switch_on(source, value)
    world.switch_on("CLAUDE_CODE_REMOTE_MEMORY_DIR")
    found = world.locate()
    assert found.source == "CLAUDE_CODE_REMOTE_MEMORY_DIR"
    refused = next(c for c in found.considered if c.source == source)
    assert (refused.value, refused.used) == (value, False)
    assert why in str(refused.why)
    (problem,) = found.problems
    assert problem.rule == "settings-unreadable"
    assert why in str(problem.message)
    if problem.path:
        text = Path(problem.path).read_text()
        assert text[problem.span.start : problem.span.end] == json.dumps(value)


@pytest.mark.parametrize("value", ["mem/x", "~/x", "/"])
def test_refused_override_variable(value: str, repo: Path, home: Path) -> None:
    found = locate(str(repo), environment(home, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE=value))
    assert (found.source, found.considered[0].used, found.problems) == ("default", False, ())


def test_override_is_normalised(repo: Path, home: Path) -> None:
    assert (
        locate(str(repo), environment(home, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE="/srv/a/../b/")).memory_dir
        == "/srv/b"
    )


@pytest.mark.parametrize("name", ["", "a/b", "..", "x" * 65, "é"])
def test_refused_project_name(name: str, repo: Path, home: Path) -> None:
    found = locate(
        str(repo), environment(home, CLAUDE_CONFIG_DIR=home / "c", CLAUDE_CODE_PROJECT_DIR_NAME=name)
    )
    assert found.memory_dir == f"{home}/c/projects/{slug(str(repo))}/memory"


def test_empty_variables_are_not_set(repo: Path, home: Path) -> None:
    names = ("CLAUDE_CONFIG_DIR", "CLAUDE_CODE_REMOTE_MEMORY_DIR", "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE")
    found = locate(str(repo), environment(home, **dict.fromkeys(names, "")))
    assert found.memory_dir == f"{home}/.claude/projects/{slug(str(repo))}/memory"
    assert len(found.considered) == 1


def test_relative_config_directory(repo: Path, home: Path) -> None:
    assert locate(str(repo), environment(home, CLAUDE_CONFIG_DIR="cfg")).config_dir == f"{repo}/cfg"


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


def test_a_repository_in_the_home_directory(home: Path) -> None:
    """The person's own settings are never taken for a project's."""
    home = Path(os.path.realpath(home))
    (home / ".git").mkdir()
    write_json(home / ".claude/settings.json", {"autoMemoryDirectory": "~/mine"})
    found = locate(str(home), environment(home))
    assert (found.source, found.memory_dir, found.problems) == ("user-settings", f"{home}/mine", ())


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


# -- names of older clients -------------------------------------------------------------------------------------------


def memory_of(home: Path, name: str) -> Path:
    path = home / ".claude/projects" / name / "memory"
    path.mkdir(parents=True)
    return path


def test_underscore_name_is_a_fallback(repo: Path, home: Path) -> None:
    old = memory_of(home, legacy_slug(str(repo)))
    found = locate(str(repo), environment(home))
    assert (found.memory_dir, found.source, found.exists, found.legacy_dir) == (
        str(old),
        "legacy-slug",
        True,
        str(old),
    )
    assert found.slug == slug(str(repo))
    assert [(c.source, c.used) for c in found.considered] == [("default", False), ("legacy-slug", True)]


def test_underscore_name_is_reported_beside_the_new_one(repo: Path, home: Path) -> None:
    old = memory_of(home, legacy_slug(str(repo)))
    new = memory_of(home, slug(str(repo)))
    found = locate(str(repo), environment(home))
    assert (found.memory_dir, found.source, found.legacy_dir) == (str(new), "default", str(old))
    assert found.considered[-1].source == "legacy-slug"
    assert not found.considered[-1].used


def test_underscore_name_under_the_remote_directory(repo: Path, home: Path) -> None:
    old = home / "rm/projects" / legacy_slug(str(repo)) / "memory"
    old.mkdir(parents=True)
    found = locate(str(repo), environment(home, CLAUDE_CODE_REMOTE_MEMORY_DIR=home / "rm"))
    assert (found.memory_dir, found.source) == (str(old), "legacy-slug")


def test_underscore_name_is_no_matter_for_named_directories(repo: Path, home: Path) -> None:
    memory_of(home, legacy_slug(str(repo)))
    found = locate(str(repo), environment(home, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE="/srv/m"))
    assert (found.memory_dir, found.legacy_dir) == ("/srv/m", None)


def test_off_still_says_where(repo: Path, home: Path) -> None:
    found = locate(str(repo), environment(home, CLAUDE_CODE_DISABLE_AUTO_MEMORY="1"))
    assert (found.enabled, found.memory_dir) == (False, f"{home}/.claude/projects/{slug(str(repo))}/memory")


def test_locating_reads_neither_yaml_nor_the_settings_table(repo: Path, home: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from memdir.store.locate import locate, Environment; locate(sys.argv[1], Environment({}, sys.argv[2], sys.argv[2]));"
        "print([m for m in ('yaml', 'pyromark', 'memdir.core.settings', 'tomllib', 'json') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(repo), str(home)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_environment_defaults() -> None:
    env = Environment({}, "/h")
    assert (env.trusted, env.allow_project_directory, env.bare, env.safe_mode) == (False, False, False, False)


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
