"""`memdir prompt`."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from memdir.agent.memory_prompt import memory_section
from tests.cli.memory_cli import Cli, make_cli


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    return make_cli(tmp_path, home)


def test_it_prints_and_makes_what_it_names(cli: Cli) -> None:
    assert cli("prompt") == 0
    assert cli.out == memory_section(str(cli.memory)) and cli.err == ""
    assert cli.memory.is_dir() and not (cli.memory / "team").exists()
    assert cli("prompt", "--team", "--log-mode") == 0
    assert cli.out == memory_section(str(cli.memory), team_dir=str(cli.memory / "team"), log_mode=True)
    assert (cli.memory / "team").is_dir()


def test_the_same_bytes_tomorrow_and_in_every_language(cli: Cli) -> None:
    cli("prompt", "--log-mode")
    first = cli.out
    cli.now += timedelta(days=1)
    assert cli("prompt", "--log-mode", MEMDIR_LANG="zh_CN") == 0
    assert cli.out == first


def test_its_size(cli: Cli) -> None:
    assert cli("prompt", "--size") == 0
    text = memory_section(str(cli.memory))
    assert cli.out.startswith(f"{len(text)} characters, about 1") and "tokens (estimated)" in cli.out
    assert not cli.memory.exists()


@pytest.mark.parametrize(
    ("environ", "argv", "settings", "source"),
    [
        ({"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}, (), {}, "CLAUDE_CODE_DISABLE_AUTO_MEMORY"),
        ({"CLAUDE_CODE_SIMPLE": "1"}, (), {}, "CLAUDE_CODE_SIMPLE"),
        ({"CLAUDE_CODE_REMOTE": "1"}, (), {}, "CLAUDE_CODE_REMOTE"),
        ({}, ("--bare",), {}, "--bare"),
        ({}, ("--safe-mode",), {}, "--safe-mode"),
        ({}, (), {"autoMemoryEnabled": False}, "user-settings"),
    ],
)
def test_nothing_when_memory_is_off(
    cli: Cli, environ: dict[str, str], argv: tuple[str, ...], settings: dict[str, bool], source: str
) -> None:
    (cli.home / ".claude/settings.json").write_text(json.dumps(settings))
    assert cli("prompt", *argv, **environ) == 1
    assert cli.out == "" and cli.err.startswith(
        f"Memory is off, so there is no prompt. Decided by {source}: "
    )
    assert not cli.memory.exists()


def test_a_directory_that_cannot_be_made(cli: Cli) -> None:
    (cli.home / ".claude/projects").write_text("in the way")
    assert cli("prompt") == 2 and cli.out == "" and "could not be written" in cli.err
