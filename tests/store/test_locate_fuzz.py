"""Whatever settings and variables say, there is one answer, absolute, and never an exception."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir.store.client_settings import parse_client_settings
from memdir.store.locate import Environment, locate

VALUES = st.text(alphabet="/.~ab\\:C-_ 中\ud800", max_size=10) | st.sampled_from(
    ["1", "0", "true", "/srv/x", "~/x", "my-proj"]
)
NAMES = st.sampled_from(
    [
        "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
        "CLAUDE_CODE_REMOTE_MEMORY_DIR",
        "CLAUDE_CODE_PROJECT_DIR_NAME",
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
        "CLAUDE_CODE_SIMPLE",
        "CLAUDE_CODE_REMOTE",
    ]
)
ANY = (
    st.none()
    | st.booleans()
    | st.integers()
    | VALUES
    | st.text(max_size=5)
    | st.lists(st.integers(), max_size=2)
)
LAYER = st.fixed_dictionaries({}, optional={"autoMemoryDirectory": ANY, "autoMemoryEnabled": ANY})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    environ=st.dictionaries(NAMES, VALUES, max_size=5),
    flag=st.none() | LAYER | st.text(max_size=10),
    user=LAYER,
    project=LAYER,
    platform=st.sampled_from(["linux", "darwin", "win32"]),
    opted=st.booleans(),
    flags=st.booleans(),
)
def test_there_is_always_one_answer(
    environ: dict[str, str],
    flag: Any,
    user: Any,
    project: Any,
    platform: str,
    opted: bool,
    flags: bool,
    tmp_path: Path,
) -> None:
    base = os.path.realpath(tmp_path)
    for folder, data in (("repo/.claude", project), ("home/.claude", user)):
        os.makedirs(f"{base}/{folder}", exist_ok=True)
        Path(f"{base}/{folder}/settings.json").write_text(json.dumps(data), "utf-8")
    os.makedirs(f"{base}/repo/.git", exist_ok=True)
    env = Environment(environ, f"{base}/home", base, platform, flag, opted, opted, flags, False)
    found = locate(f"{base}/repo", env)
    assert sum(c.used for c in found.considered) == 1
    assert sum(c.used for c in found.switches) == 1
    assert found.owner == f"{base}/repo"
    if platform != "win32":
        assert os.path.isabs(found.memory_dir)
        assert found.memory_dir not in ("/", f"{base}/home")
    if not opted:
        assert found.source != "project-settings"
    for item in (*found.considered, *found.switches):
        assert str(item.why)
    for problem in found.problems:
        assert problem.rule in ("settings-unreadable", "settings-project-directory")


@given(st.text(max_size=60))
def test_any_settings_text_is_survived(text: str) -> None:
    found = parse_client_settings(text, "user-settings", "/x")
    for problem in found.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
    if found.problems:
        assert found.directory() is None or isinstance(found.directory(), str)


@pytest.mark.parametrize("cwd", ["/", "/nowhere/at/all", "/\ud800x", "/a\0b"])
def test_odd_directories(cwd: str, home: Path) -> None:
    found = locate(cwd, Environment({}, str(home), str(home)))
    assert found.memory_dir.startswith(f"{home}/.claude/projects/-")
    assert not found.exists
