"""Precedence of what names the memory directory, refusals with reasons, old names."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import pytest

from memdir.core.slug import legacy_slug, slug
from memdir.store.locate import Environment, locate
from tests.store.layouts import environment, write_json
from tests.store.sources import World


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


def test_a_repository_in_the_home_directory(home: Path) -> None:
    """The person's own settings are never taken for a project's."""
    home = Path(os.path.realpath(home))
    (home / ".git").mkdir()
    write_json(home / ".claude/settings.json", {"autoMemoryDirectory": "~/mine"})
    found = locate(str(home), environment(home))
    assert (found.source, found.memory_dir, found.problems) == ("user-settings", f"{home}/mine", ())


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
