"""Configuration on disk: places per platform, precedence, trust, files that can't be read, open buffers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdir.core.model import Severity
from memdir.core.settings import DEFAULTS
from memdir.store.config import load_configuration, make_environment, user_config_path
from tests.store.layouts import bare_repository

RULES = ("relative-date",)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return bare_repository(Path(os.path.realpath(tmp_path)) / "repo")


def own(home: Path, text: str) -> Path:
    path = home / ".config/memdir/memdir.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("environ", "platform", "path"),
    [
        ({}, "linux", "/h/.config/memdir/memdir.toml"),
        ({"XDG_CONFIG_HOME": "/x"}, "linux", "/x/memdir/memdir.toml"),
        ({"XDG_CONFIG_HOME": "rel"}, "linux", "/h/.config/memdir/memdir.toml"),
        ({}, "darwin", "/h/Library/Application Support/memdir/memdir.toml"),
        ({"XDG_CONFIG_HOME": "/x"}, "darwin", "/x/memdir/memdir.toml"),
        ({"APPDATA": "/a"}, "win32", "/a/memdir/memdir.toml"),
        ({}, "win32", "/h/AppData/Roaming/memdir/memdir.toml"),
        ({"MEMDIR_CONFIG_DIR": "/c", "XDG_CONFIG_HOME": "/x"}, "linux", "/c/memdir.toml"),
        ({"MEMDIR_CONFIG_DIR": "rel"}, "linux", "/h/.config/memdir/memdir.toml"),
    ],
)
def test_place_of_the_persons_file(environ: dict[str, str], platform: str, path: str) -> None:
    assert user_config_path(environ, "/h", platform) == path


def test_nothing_there(repo: Path, home: Path) -> None:
    found = load_configuration(str(repo), {}, str(home))
    assert (found.settings, found.problems, found.trusted, found.withheld) == (DEFAULTS, (), False, ())
    assert found.files == (
        f"{home}/.config/memdir/memdir.toml",
        f"{repo}/memdir.toml",
        f"{repo}/pyproject.toml",
    )


def test_all_levels(repo: Path, home: Path) -> None:
    own(home, "stale-days = 10\nindex-lines = 10\nentry-warn = 100\nentry-info = 90\n")
    (repo / "memdir.toml").write_text("index-lines = 20\nentry-warn = 120\nentry-info = 91\n")
    found = load_configuration(
        str(repo),
        {},
        str(home),
        editor={"entryWarn": 130, "entryInfo": 92},
        flags={"entry-info": 93, "ignore": ["relative-date"]},
        rules=RULES,
    )
    s = found.settings
    assert (s.stale_days, s.index_lines, s.entry_warn, s.entry_info, s.ignore) == (
        10,
        20,
        130,
        93,
        ("relative-date",),
    )
    assert found.problems == ()


def test_memdir_toml_wins_over_pyproject(repo: Path, home: Path) -> None:
    (repo / "pyproject.toml").write_text("[tool.memdir]\nstale-days = 5\n")
    assert load_configuration(str(repo), {}, str(home)).settings.stale_days == 5
    (repo / "memdir.toml").write_text("index-lines = 9\n")
    found = load_configuration(str(repo), {}, str(home)).settings
    assert (found.stale_days, found.index_lines) == (30, 9)


def test_worktree_of_a_bare_repository_uses_the_checkout(home: Path, tmp_path: Path) -> None:
    (tmp_path / "bare.git").mkdir()
    (tmp_path / "wt").mkdir()
    (tmp_path / "wt/memdir.toml").write_text("stale-days = 7\n")
    found = load_configuration(str(tmp_path / "bare.git"), {}, str(home), top=str(tmp_path / "wt"))
    assert found.settings.stale_days == 7


def test_problems_of_all_files(repo: Path, home: Path) -> None:
    mine = own(home, "stale-dayz = 1\n")
    (repo / "memdir.toml").write_text("[severity]\nrelative-dats = 'off'\n")
    found = load_configuration(str(repo), {}, str(home), rules=RULES, editor={"stale-days": "x"})
    assert [(p.rule, p.path) for p in found.problems] == [
        ("config-invalid", str(mine)),
        ("config-invalid", str(repo / "memdir.toml")),
        ("config-invalid", ""),
    ]


def test_unreadable_files(repo: Path, home: Path) -> None:
    own(home, "").unlink()
    os.mkfifo(home / ".config/memdir/memdir.toml")
    (repo / "memdir.toml").mkdir()
    (repo / "pyproject.toml").write_text("[tool.memdir]\nstale-days = 4\n")
    found = load_configuration(str(repo), {}, str(home))
    assert [p.rule for p in found.problems] == ["config-invalid", "config-invalid"]
    assert found.settings == DEFAULTS
    (repo / "memdir.toml").rmdir()
    (repo / "memdir.toml").write_text("#" * (2 << 20))
    assert "larger than" in str(load_configuration(str(repo), {}, str(home)).problems[-1].message)


def test_bom_and_bad_bytes(repo: Path, home: Path) -> None:
    (repo / "memdir.toml").write_bytes(b"\xef\xbb\xbfstale-days = 4\n")
    assert load_configuration(str(repo), {}, str(home)).settings.stale_days == 4
    (repo / "memdir.toml").write_bytes(b"stale-days = 4 # \xff\n")
    found = load_configuration(str(repo), {}, str(home))
    assert len(found.problems) == 1 or found.settings.stale_days == 4


def test_trust(repo: Path, home: Path) -> None:
    (repo / "memdir.toml").write_text(
        "[team]\nurl = 'https://team.example'\n[severity]\nrelative-date = 'hint'\n"
    )
    found = load_configuration(str(repo), {}, str(home))
    assert (found.trusted, found.withheld, found.settings.team.url) == (False, ("team.url",), "")
    assert found.settings.severity["relative-date"] == Severity.HINT
    own(home, f"trusted = ['{repo.parent}']\n")
    found = load_configuration(str(repo), {}, str(home))
    assert (found.trusted, found.withheld, found.settings.team.url) == (True, (), "https://team.example")
    assert load_configuration(str(repo), {}, str(home), trusted=False).settings.team.url == "", (
        "the editor says no"
    )
    own(home, f"trusted = ['{repo}x', 'relative', '~']\n")
    assert not load_configuration(str(repo), {}, str(home)).trusted


def test_trusted_below_home(home: Path) -> None:
    repo = bare_repository(Path(os.path.realpath(home)) / "work/repo")
    own(home, "trusted = ['~/work']\nallow-project-directory = true\n")
    env = make_environment({}, str(home), str(repo))
    assert (env.trusted, env.allow_project_directory) == (True, True)
    env = make_environment({}, str(home), str(repo), trusted=False)
    assert (env.trusted, env.allow_project_directory) == (False, True)
    assert not make_environment({}, str(home), str(home)).trusted


def test_a_project_can_not_trust_itself(repo: Path, home: Path) -> None:
    (repo / "memdir.toml").write_text(
        "trusted = ['/']\nallow-project-directory = true\n[team]\nurl = 'https://x.example'\n"
    )
    found = load_configuration(str(repo), {}, str(home))
    assert (found.trusted, found.settings.allow_project_directory, found.settings.team.url) == (
        False,
        False,
        "",
    )
    assert len(found.problems) == 2


def test_open_buffers_win(repo: Path, home: Path) -> None:
    (repo / "memdir.toml").write_text("stale-days = 4\n")
    buffers = {str(repo / "memdir.toml"): "stale-days = 8\n"}
    assert load_configuration(str(repo), {}, str(home), overlay=buffers.get).settings.stale_days == 8
