"""On or off: every link of the chain, alone, in pairs, and in the order that was observed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memdir.store.locate import locate
from tests.store.layouts import bare_repository, environment, write_json

OFF, ON = {"autoMemoryEnabled": False}, {"autoMemoryEnabled": True}
DISABLE, SIMPLE, REMOTE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY", "CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_REMOTE"
REMOTE_DIR = "CLAUDE_CODE_REMOTE_MEMORY_DIR"

TABLE: list[tuple[dict[str, Any], bool, str]] = [
    ({}, True, "default"),
    ({DISABLE: "1"}, False, DISABLE),
    ({DISABLE: "true"}, False, DISABLE),
    ({DISABLE: "TRUE"}, False, DISABLE),
    ({DISABLE: "0"}, True, DISABLE),
    ({DISABLE: "false"}, True, DISABLE),
    ({DISABLE: ""}, True, "default"),
    ({DISABLE: "maybe"}, True, "default"),
    ({DISABLE: "maybe", "user": OFF}, False, "user-settings"),
    ({DISABLE: "0", "user": OFF, "local": OFF, "managed": OFF}, True, DISABLE),
    ({DISABLE: "0", "bare": True, SIMPLE: "1", REMOTE: "1"}, True, DISABLE),
    ({DISABLE: "1", "user": ON, "managed": ON}, False, DISABLE),
    ({"bare": True}, False, "--bare"),
    ({"bare": True, "local": ON}, False, "--bare"),
    ({SIMPLE: "1"}, False, SIMPLE),
    ({SIMPLE: "0"}, True, "default"),
    ({SIMPLE: "1", "user": ON}, False, SIMPLE),
    ({REMOTE: "1"}, False, REMOTE),
    ({REMOTE: "true", "user": ON}, False, REMOTE),
    ({REMOTE: "0"}, True, "default"),
    ({REMOTE: "1", REMOTE_DIR: "/srv/rm"}, True, "default"),
    ({REMOTE: "1", REMOTE_DIR: "/srv/rm", "user": OFF}, False, "user-settings"),
    ({REMOTE: "1", REMOTE_DIR: ""}, False, REMOTE),
    ({"safe_mode": True}, False, "--safe-mode"),
    ({"safe_mode": True, DISABLE: "0"}, False, "--safe-mode"),
    ({"user": OFF}, False, "user-settings"),
    ({"project": OFF}, False, "project-settings"),
    ({"local": OFF}, False, "local-settings"),
    ({"flag": OFF}, False, "flag-settings"),
    ({"managed": OFF}, False, "managed-settings"),
    ({"project": OFF, "user": ON}, False, "project-settings"),
    ({"project": ON, "user": OFF}, True, "project-settings"),
    ({"local": ON, "project": OFF}, True, "local-settings"),
    ({"local": OFF, "project": ON}, False, "local-settings"),
    ({"flag": ON, "local": OFF}, True, "flag-settings"),
    ({"managed": ON, "flag": OFF}, True, "managed-settings"),
    ({"managed": OFF, "flag": ON, "local": ON, "project": ON, "user": ON}, False, "managed-settings"),
    ({"local": {"autoMemoryEnabled": "yes"}, "user": OFF}, False, "user-settings"),
    ({"local": {"autoMemoryEnabled": None}, "user": OFF}, False, "user-settings"),
    ({"local": {"autoMemoryEnabled": 0}}, True, "default"),
]


@pytest.mark.parametrize(("world", "enabled", "by"), TABLE)
def test_chain(world: dict[str, Any], enabled: bool, by: str, tmp_path: Path, home: Path) -> None:
    repo = bare_repository(Path(os.path.realpath(tmp_path)) / "repo")
    files = {
        "managed": home / "sys/etc/claude-code/managed-settings.json",
        "local": repo / ".claude/settings.local.json",
        "project": repo / ".claude/settings.json",
        "user": home / ".claude/settings.json",
    }
    fields: dict[str, Any] = {"system": home / "sys"}
    for key, value in world.items():
        if key in files:
            write_json(files[key], value)
        elif key == "flag":
            fields["flag_settings"] = value
        else:
            fields[key] = value
    found = locate(str(repo), environment(home, **fields))
    assert (found.enabled, found.enabled_by) == (enabled, by)
    assert sum(s.used for s in found.switches) == 1
    assert found.switches[-1].source == "default"
    assert str(found.switches[0].why)


def test_why_the_others_did_not_decide(tmp_path: Path, home: Path) -> None:
    write_json(home / ".claude/settings.json", OFF)
    found = locate(str(tmp_path), environment(home, CLAUDE_CODE_DISABLE_AUTO_MEMORY="0", bare=True))
    assert [(s.source, s.used, str(s.why)) for s in found.switches] == [
        (DISABLE, True, "it forces memory on"),
        ("--bare", False, f"{DISABLE} comes first"),
        ("user-settings", False, f"{DISABLE} comes first"),
        ("default", False, f"{DISABLE} comes first"),
    ]
