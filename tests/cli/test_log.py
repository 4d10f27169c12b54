"""`memdir log`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.memory_cli import Cli, make_cli

REL = "logs/2026/03/2026-03-11.md"


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    return make_cli(tmp_path, home)


def test_append(cli: Cli) -> None:
    assert cli("log", "deployed", "to", "staging") == 0
    assert cli.out == f"{cli.memory / REL}\n- 12:00 deployed to staging\n"
    assert cli("log", "-", stdin="two\nlines\n") == 0
    assert (cli.memory / REL).read_text() == "- 12:00 deployed to staging\n- 12:00 two\n  lines\n"


def test_nothing_to_say(cli: Cli) -> None:
    assert cli("log") == 2 and "nothing to log" in cli.err
    assert cli("log", "-", stdin=" \n") == 2
    assert not cli.memory.exists()


def test_a_rewritten_log_is_reported_until_accepted(cli: Cli) -> None:
    cli("log", "one")
    cli("log", "two")
    assert cli("check", str(cli.memory)) == 0, cli.out
    path = cli.memory / REL
    path.write_text(path.read_text().replace("two", "three"))
    assert cli("check") == 1 and "log-rewritten" in cli.out and "after line 1:" in cli.out
    assert cli("log", "--accept", REL) == 0 and cli.out == f"{REL} is taken as it is now.\n"
    assert cli("check") == 0, cli.out
    assert cli("log", "--accept", "/etc/passwd") == 2
    assert cli("log", "--accept", "logs/none.md") == 2
