"""`memdir save` and `memdir forget`."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.memory_cli import Cli, make_cli

BODY = "Use the container.\n\n**Why:** mocks hid a broken default.\n\n**How to apply:** every test that writes.\n"
DB = (
    "--type",
    "feedback",
    "--name",
    "Real database",
    "--description",
    "Integration tests must hit a real PostgreSQL",
)


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    return make_cli(tmp_path, home)


def read(cli: Cli) -> dict[str, str]:
    return {str(p.relative_to(cli.memory)): p.read_text() for p in sorted(cli.memory.rglob("*.md"))}


def test_the_first_memory_of_a_repository_and_undo(cli: Cli) -> None:
    assert cli("save", *DB, "--body", "-", stdin=BODY) == 0
    assert read(cli) == {
        "MEMORY.md": "- [Real database](feedback_real_database.md) — Integration tests must hit a real PostgreSQL\n",
        "feedback_real_database.md": "---\nname: Real database\ndescription: Integration tests must hit a real PostgreSQL\ntype: feedback\n---\n\n"
        + BODY,
    }
    assert cli.out.splitlines() == [
        "created feedback_real_database.md",
        "created MEMORY.md",
        "`memdir undo 1` takes this back.",
    ]
    assert cli.err == ""
    assert cli("check", str(cli.memory)) == 0, cli.out
    assert cli("undo") == 0
    assert not cli.memory.exists()


def test_a_dry_run_and_parts_of_it(cli: Cli) -> None:
    assert cli("save", *DB, "--body", BODY, "--dry-run") == 0
    assert "--- /dev/null\n+++ b/feedback_real_database.md\n@@ -0,0 +1," in cli.out
    assert not cli.memory.exists()
    hunk = cli.out.splitlines()[2].split()[-1]
    assert cli("save", *DB, "--body", BODY, "--accept", hunk) == 0
    assert list(read(cli)) == ["feedback_real_database.md"]
    assert cli("save", *DB, "--force", "--body", BODY, "--accept", "nonsense.md") == 2
    assert "“nonsense.md”" in cli.err


def test_questions_come_first(cli: Cli) -> None:
    cli("save", *DB, "--body", BODY)
    before = read(cli)
    again = (
        "--type",
        "feedback",
        "--name",
        "DB",
        "--description",
        "Integration tests hit the real PostgreSQL database",
    )
    assert cli("save", *again, "--body", BODY) == 1
    assert read(cli) == before and cli.out == ""
    assert cli.err.splitlines() == [
        "There is a memory on this already: feedback_real_database.md. Update it rather than adding one.",
        "  feedback_real_database.md: Integration tests must hit a real PostgreSQL",
        "Nothing was saved. --update feedback_real_database.md changes that memory, --force saves a new one.",
    ]
    assert cli("save", *again, "--body", BODY, "--json") == 1
    answer = json.loads(cli.out)
    assert answer["saved"] is False and answer["questions"][0]["candidates"][0]["path"] == str(
        cli.memory / "feedback_real_database.md"
    )
    path = str(cli.memory / "feedback_real_database.md")
    assert (
        cli("save", "--description", "Integration tests hit PostgreSQL 16", "--update", path, "--json") == 0
    )
    assert json.loads(cli.out) | {"advice": []} == {
        "path": path,
        "scope": "private",
        "saved": True,
        "id": "2",
        "questions": [],
        "advice": [],
    }
    assert read(cli)["MEMORY.md"].endswith("— Integration tests hit PostgreSQL 16\n")
    assert cli("save", *again, "--body", BODY, "--force") == 0
    assert "feedback_db.md" in read(cli)


def test_team_memories(cli: Cli) -> None:
    fact = (
        "--type",
        "project",
        "--name",
        "Freeze",
        "--description",
        "Export format 2 stays until 2026-04-30",
        "--body",
        BODY,
    )
    assert cli("save", *fact, "--team") == 2 and "no team directory" in cli.err
    (cli.memory / "team").mkdir(parents=True)
    assert cli("save", *fact) == 0
    assert set(read(cli)) == {"team/MEMORY.md", "team/project_freeze.md"}
    assert cli("save", "--type", "user", "--name", "R", "--description", "Role of the person", "--team") == 2
    assert "always private" in cli.err


def test_what_it_cannot_do(cli: Cli) -> None:
    assert cli("save", "--type", "idea", "--name", "x", "--description", "y z") == 2
    assert cli.err == "memdir: Unknown type “idea”: the types are user, feedback, project, reference.\n"
    assert cli("save", "--type", "idea", "--name", "x", "--description", "y z", MEMDIR_LANG="zh_CN") == 2
    assert cli.err.startswith("memdir: ")


def test_memory_that_is_off_is_told(cli: Cli) -> None:
    assert cli("save", *DB, "--body", BODY, CLAUDE_CODE_DISABLE_AUTO_MEMORY="1") == 0
    assert "memory is off (by CLAUDE_CODE_DISABLE_AUTO_MEMORY)" in cli.err


def test_a_change_meanwhile_is_kept(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("save", *DB, "--body", BODY)
    from memdir.store import apply as apply_module

    real = apply_module.plan

    def agent_writes(*args: object) -> object:
        (cli.memory / "MEMORY.md").write_text("- written by the agent\n")
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(apply_module, "plan", agent_writes)
    assert cli("save", "--type", "user", "--name", "Role", "--description", "Maintains the codec") == 2
    assert read(cli)["MEMORY.md"] == "- written by the agent\n" and "user_role.md" not in read(cli)
    assert "What was changed meanwhile:" in cli.err and "+- [Role](user_role.md)" in cli.err


def test_forget(cli: Cli) -> None:
    cli("save", *DB, "--body", BODY)
    cli(
        "save",
        "--type",
        "user",
        "--name",
        "Role",
        "--description",
        "Maintains the codec",
        "--body",
        "See [[Real database]].",
    )
    before = read(cli)
    assert cli("forget", "real-database", "--dry-run") == 0
    assert "+++ /dev/null" in cli.out and read(cli) == before
    assert cli("forget", "real-database") == 0
    assert set(read(cli)) == {"MEMORY.md", "user_role.md"}
    assert "Real" not in read(cli)["MEMORY.md"] and "See Real database." in read(cli)["user_role.md"]
    assert cli("undo") == 0 and read(cli) == before
    assert cli("forget", "PostgreSQL tests") == 1
    assert cli.out == "feedback_real_database.md: Integration tests must hit a real PostgreSQL\n"
    assert cli("forget", "weather") == 2 and "no memory “weather”" in cli.err


def test_forget_by_path(cli: Cli, tmp_path: Path) -> None:
    """As the shell completes it: absolute, through a link, or from the current directory; nothing outside is meant."""
    cli("save", *DB, "--body", BODY)
    before = read(cli)
    file = cli.memory / "feedback_real_database.md"
    link = tmp_path / "link"
    link.symlink_to(cli.memory)
    (cli.memory / "logs").mkdir()
    for path in (
        str(file),
        str(cli.memory / "logs" / ".." / file.name),
        str(link / file.name),
        os.path.relpath(file, cli.repo),
    ):
        assert cli("forget", path) == 0, cli.err
        assert set(read(cli)) == {"MEMORY.md"}
        assert cli("undo") == 0 and read(cli) == before
    outside = tmp_path / file.name
    outside.write_bytes(file.read_bytes())
    for path in (str(outside), str(cli.memory / "nothing.md"), str(cli.memory), f"{link}/../{file.name}"):
        assert cli("forget", path) != 0
    assert read(cli) == before and outside.exists()


def test_the_journal_keeps_what_the_settings_say(cli: Cli) -> None:
    config = cli.home / ".config/memdir/memdir.toml"
    config.parent.mkdir(parents=True)
    config.write_text("undo-days = 7\n")
    cli("save", *DB, "--body", BODY)
    journal = cli.state / "journal/00000001.jsonl"
    os.utime(journal, (cli.now.timestamp(),) * 2)
    cli.now += timedelta(days=8)
    cli("save", "--type", "user", "--name", "Role", "--description", "Maintains the codec")
    assert not journal.exists() and cli("undo", "--list") == 0 and "   2  " in cli.out
