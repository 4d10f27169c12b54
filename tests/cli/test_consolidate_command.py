"""`memdir consolidate`: gates, preview, inbox, applying with and without consent."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir.store.consolidate_lock import NAME, take_lock
from tests.agent.sessions import append, memory_text, person
from tests.cli.jobs_world import files, jobs_cli, session_of
from tests.cli.memory_cli import Cli
from tests.loopback.fixture import loopback
from tests.loopback.script import Reply as Say
from tests.loopback.script import failure
from tests.loopback.server import Loopback

__all__ = ["loopback"]


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    found = jobs_cli(tmp_path, home)
    found.now = datetime.now(UTC)
    return found


def test_not_due(cli: Cli) -> None:
    before = files(cli)
    assert cli("consolidate") == 0
    assert cli.out == "Sessions since the last time: 1; due from 5. --force does it all the same.\n"
    assert files(cli) == before
    assert cli("consolidate") == 0 and "time: 1;" in cli.out, "a person is not throttled"


def test_due_proposes_into_the_inbox(cli: Cli) -> None:
    for n in range(5):
        append(session_of(cli, f"x{n}"), person("x", cwd=str(cli.repo)))
    before = files(cli)
    assert cli("consolidate") == 0
    assert "Without a model, only what needs no judgement: No key" in cli.err
    assert "~ MEMORY.md\n    entries for files that are gone are removed (project_gone.md)" in cli.out
    assert "~ project_freeze.md\n    a relative date is written out" in cli.out
    assert "No longer said anywhere:\n    MEMORY.md: gone since the spring" in cli.out
    assert "`memdir inbox show 1`" in cli.out
    assert files(cli) == before
    assert (cli.memory / NAME).read_text() == ""
    assert cli("consolidate") == 0 and cli.out.startswith("Consolidated 0.0 hours ago")
    assert cli("inbox") == 0 and cli.out == "   1  Consolidate memories (files: 3)\n"
    assert cli("inbox", "show", "1") == 0
    assert "+Frozen until 2026-03-05." in cli.out and "No longer said anywhere:" in cli.out
    assert cli("inbox", "accept", "1") == 0
    assert (
        "Frozen until 2026-03-05." in files(cli)["project_freeze.md"]
        and "project_gone" not in files(cli)["MEMORY.md"]
    )
    assert "Mara owns the release" in files(cli)["project_log_2026_03.md"]
    assert cli("inbox") == 0 and cli.out == "The inbox is empty.\n"
    assert cli("undo") == 0 and files(cli) == before


def test_dry_run_writes_nothing_at_all(cli: Cli) -> None:
    before = files(cli)
    assert cli("consolidate", "--dry-run", "--no-model") == 0
    assert "-Frozen until Thursday." in cli.out and "+Frozen until 2026-03-05." in cli.out and cli.err == ""
    assert files(cli) == before and not (cli.memory / NAME).exists()
    assert cli("inbox", "--json") == 0 and json.loads(cli.out) == []


def test_apply(cli: Cli) -> None:
    assert cli("consolidate", "--force", "--apply", "--no-model") == 0
    assert "changed project_freeze.md" in cli.out and "`memdir undo 1`" in cli.out
    assert "Frozen until 2026-03-05." in files(cli)["project_freeze.md"]
    assert cli("consolidate", "--force", "--apply", "--no-model") == 0
    assert cli.out.startswith("There is nothing to change.\nThe memories are in order")


def double(cli: Cli) -> None:
    body = "Jobs are rows in PostgreSQL, because nobody on call knows a broker.\n\n**Why:** x\n\n**How to apply:** y"
    for name in ("queue", "queue_again"):
        (cli.memory / f"project_{name}.md").write_text(
            memory_text(name, body, description="PostgreSQL is the queue")
        )


def test_deletions_need_consent(cli: Cli) -> None:
    double(cli)
    assert cli("consolidate", "--force", "--apply", "--no-model") == 0
    assert "Needs your consent: the file is deleted." in cli.out
    assert {"project_queue.md", "project_queue_again.md"} <= set(files(cli))
    assert cli("consolidate", "--force", "--no-model", "--json") == 0
    found = json.loads(cli.out)
    (dropped,) = [f["path"] for f in found["files"] if f["consent"]]
    assert cli("consolidate", "--force", "--apply", "--no-model", "--consent", dropped) == 0
    assert dropped not in files(cli) and f"deleted {dropped}" in cli.out


def test_consent_to_all(cli: Cli) -> None:
    double(cli)
    assert cli("consolidate", "--force", "--apply", "--no-model", "--consent", "all") == 0
    assert len({"project_queue.md", "project_queue_again.md"} & set(files(cli))) == 1


def test_accepting_a_part_leaves_the_rest_waiting(cli: Cli) -> None:
    double(cli)
    cli("consolidate", "--force", "--no-model")
    assert cli("inbox", "accept", "1") == 0
    assert "still wait" in cli.out
    assert {"project_queue.md", "project_queue_again.md"} <= set(files(cli))
    assert cli("inbox", "accept", "1", "--consent", "all") == 0
    left = {"project_queue.md", "project_queue_again.md"} & set(files(cli))
    assert len(left) == 1 and files(cli)["MEMORY.md"].count("(project_queue") == 1
    assert cli("inbox") == 0 and cli.out == "The inbox is empty.\n"


def test_one_file_of_a_proposal(cli: Cli) -> None:
    cli("consolidate", "--force", "--no-model")
    assert cli("inbox", "accept", "1", "--accept", "nonsense") == 2
    assert cli("inbox", "accept", "1", "--accept", str(cli.memory / "project_freeze.md")) == 0
    assert (
        "Frozen until 2026-03-05." in files(cli)["project_freeze.md"]
        and "project_gone" in files(cli)["MEMORY.md"]
    )
    assert "Files of the proposal that still wait: 2." in cli.out


def test_refusing(cli: Cli) -> None:
    cli("consolidate", "--force", "--no-model")
    assert cli("inbox", "refuse", "1") == 0 and cli.out == "Refused: Consolidate memories\n"
    assert cli("consolidate", "--force", "--no-model") == 0
    assert cli("inbox") == 0 and "Consolidate memories (files: 2)" in cli.out, (
        "the logs were decided on; the rest is another proposal"
    )
    cli("inbox", "refuse", "2")
    assert cli("consolidate", "--force", "--no-model") == 0
    assert "refused this proposal before" in cli.err


def test_a_file_that_changed_meanwhile(cli: Cli) -> None:
    cli("consolidate", "--force", "--no-model")
    path = cli.memory / "project_freeze.md"
    path.write_text(path.read_text() + "By hand.\n")
    before = files(cli)
    assert cli("inbox", "accept", "1") == 2
    assert "was changed meanwhile" in cli.err and "+By hand." in cli.err
    assert files(cli) == before


def test_somebody_else_is_at_it(cli: Cli) -> None:
    lock = take_lock(str(cli.memory), str(cli.state), time.time())
    assert cli("consolidate", "--force") == 2
    assert f"Process {os.getpid()} is consolidating" in cli.err
    lock.roll_back()


def test_off_and_empty(cli: Cli, tmp_path: Path) -> None:
    assert cli("consolidate", "--force", CLAUDE_CODE_DISABLE_AUTO_MEMORY="1") == 1
    assert "Memory is off here: CLAUDE_CODE_DISABLE_AUTO_MEMORY" in cli.err
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    assert cli("consolidate", cwd=other) == 0 and cli.out == "There are no memories yet.\n"


def test_in_chinese(cli: Cli) -> None:
    assert cli("consolidate", "--force", "--dry-run", "--no-model", MEMDIR_LANG="zh_CN") == 0
    assert "不再出现" in cli.out


def test_by_a_model(cli: Cli, loopback: Loopback) -> None:
    cli.environ |= loopback.environ
    call = (
        "edit",
        {"path": "project_freeze.md", "old": "Frozen", "new": "Merging is frozen", "reason": "clearer"},
    )
    loopback.script.then(
        Say("a"), Say("b"), Say(tools=(call,)), Say("c"), Say("Said the freeze more clearly.")
    )
    assert cli("consolidate", "--force") == 0
    assert "~ project_freeze.md\n    clearer\n    a relative date" in cli.out
    assert "To look at:\n    Said the freeze more clearly." in cli.out
    assert "cached" in cli.out and "$" in cli.out
    loopback.script.then(failure(500), failure(500), failure(500))
    stamp = os.stat(cli.memory / NAME).st_mtime
    assert cli("consolidate", "--force") == 2
    assert "HTTP 500" in cli.err and "--no-model" in cli.err
    assert os.stat(cli.memory / NAME).st_mtime == pytest.approx(stamp, abs=0.01)
