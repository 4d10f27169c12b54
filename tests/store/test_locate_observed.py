"""What the real client was observed to do, as tests: layouts built with real git, overrides, switches."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memdir.core.slug import slug
from memdir.store.locate import Environment, locate
from tests.conftest import DATA
from tests.store.layouts import bare_repository, environment, write_json

RESOLVE = json.loads((DATA / "resolve.json").read_text("utf-8"))["cases"]
OVERRIDES = json.loads((DATA / "overrides.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", RESOLVE, ids=[c["name"] for c in RESOLVE])
def test_resolve(case: dict[str, Any], tmp_path: Path, home: Path) -> None:
    base = Path(os.path.realpath(tmp_path))
    script = "\n".join(["set -e", *case["setup"], 'echo "GIT_DIR=$GIT_DIR"'])
    env = os.environ | {"B": str(base)}
    done = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True, env=env)
    where = environment(home)
    git_dir = done.stdout.rpartition("GIT_DIR=")[2].strip()
    if git_dir:
        where = environment(home, GIT_DIR=git_dir)
    found = locate(str(base / case["cwd"]), where)
    assert found.owner == str(base / case["slug_of"])
    assert found.memory_dir == str(home / ".claude/projects" / slug(str(base / case["slug_of"])) / "memory")
    assert (found.source, found.enabled, found.enabled_by) == ("default", True, "default")


@pytest.mark.parametrize("case", OVERRIDES, ids=[c["name"] for c in OVERRIDES])
def test_overrides(case: dict[str, Any], tmp_path: Path, home: Path) -> None:
    repo = bare_repository(Path(os.path.realpath(tmp_path)) / "repo")
    name = slug(str(repo))

    def fill(value: Any) -> Any:
        return json.loads(json.dumps(value).replace("@HOME", str(home)).replace("@SLUG", name))

    config = home / "cfg" if "CLAUDE_CONFIG_DIR" in case.get("env", {}) else home / ".claude"
    for level, path in {
        "user_settings": config / "settings.json",
        "project_settings": repo / ".claude/settings.json",
        "local_settings": repo / ".claude/settings.local.json",
    }.items():
        if level in case:
            write_json(path, fill(case[level]))
    env = Environment(
        fill(case.get("env", {})),
        str(home),
        str(home / "no-system"),
        "linux",
        fill(case.get("flag_settings")),
    )
    found = locate(str(repo), env)
    if case["expect"] is None:
        assert not found.enabled
    else:
        assert found.enabled
        assert found.memory_dir == fill(case["expect"])
    assert sum(c.used for c in found.considered) == 1
