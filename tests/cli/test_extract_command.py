"""`memdir extract`, `memdir inbox`, `memdir notes` and `memdir hook stop`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.agent.sessions import FEEDBACK, agent, append, person, write_call
from tests.cli.jobs_world import WANTED, files, jobs_cli, session_of
from tests.cli.memory_cli import Cli
from tests.loopback.fixture import loopback
from tests.loopback.script import Reply as Say
from tests.loopback.script import failure
from tests.loopback.server import Loopback

__all__ = ["loopback"]


@pytest.fixture
def cli(tmp_path: Path, home: Path, loopback: Loopback) -> Cli:
    return jobs_cli(tmp_path, home, loopback)


def propose(cli: Cli, loopback: Loopback) -> None:
    loopback.script.then(
        Say(tools=(write_call("feedback_real_db.md", FEEDBACK, ("m3", WANTED)),)), Say("Done.")
    )
    assert cli("extract") == 0


def test_extract_show_accept(cli: Cli, loopback: Loopback) -> None:
    propose(cli, loopback)
    assert cli.out.startswith("   1  New: Real database [feedback]\n") and "cached" in cli.out
    assert cli("inbox") == 0 and cli.out == "   1  New: Real database [feedback]\n"
    assert cli("inbox", "show", "1") == 0
    assert f"“{WANTED}”\n    the person, {session_of(cli)}:3" in cli.out
    assert (
        "+++ b/feedback_real_database.md" in cli.out
        and "+- [Real database](feedback_real_database.md)" in cli.out
    )
    assert cli("inbox", "accept", "1", "--dry-run") == 0 and "feedback_real_database.md" not in files(cli)
    assert cli("inbox", "accept", "1") == 0
    assert (
        "created feedback_real_database.md" in cli.out
        and "(feedback_real_database.md)" in files(cli)["MEMORY.md"]
    )
    assert cli("inbox") == 0 and cli.out == "The inbox is empty.\n"
    assert cli("extract") == 0 and cli.out == "Nothing new was said.\n"


def test_edit_before_accepting(cli: Cli, loopback: Loopback) -> None:
    propose(cli, loopback)
    assert cli("inbox", "edit", "1", "-", stdin="no header") == 2 and "needs a header" in cli.err
    assert cli("inbox", "edit", "1", "-", stdin=FEEDBACK.replace("Real database", "Database for tests")) == 0
    assert cli("inbox", "accept", "1") == 0 and "feedback_database_for_tests.md" in files(cli)


def test_refuse(cli: Cli, loopback: Loopback) -> None:
    propose(cli, loopback)
    assert cli("inbox", "refuse", "1") == 0 and cli.out == "Refused: New: Real database\n"
    assert cli("inbox", "refuse", "1") == 2 and "no proposal 1" in cli.err
    assert cli("inbox", "accept", "9") == 2


def test_questions_come_first(cli: Cli, loopback: Loopback) -> None:
    text = FEEDBACK.replace("Real database", "Freeze").replace(
        "Tests must hit a real database, never mocks", "Merge freeze for the release"
    )
    loopback.script.then(Say(tools=(write_call("feedback_x.md", text, ("m3", WANTED)),)), Say("Done."))
    cli("extract")
    assert cli("inbox", "accept", "1") == 1
    assert (
        "There is a memory on this already: project_freeze.md" in cli.err
        and "feedback_freeze.md" not in files(cli)
    )
    assert cli("inbox", "accept", "1", "--force") == 0 and "feedback_freeze.md" in files(cli)


def test_signals_are_saved_by_hand(cli: Cli) -> None:
    assert cli("extract", "--no-model") == 0
    assert cli.out.startswith("   1  A correction: Please never use mocks in these tests")
    assert cli("inbox", "accept", "1") == 2 and "with a name and a description" in cli.err
    assert (
        cli(
            "inbox",
            "accept",
            "1",
            "--name",
            "No mocks",
            "--description",
            "Tests use a real database, never mocks",
        )
        == 0
    )
    assert WANTED in files(cli)["feedback_no_mocks.md"]
    assert cli("inbox", "--json") == 0 and json.loads(cli.out) == []


def test_json(cli: Cli, loopback: Loopback) -> None:
    loopback.script.then(
        Say(tools=(write_call("feedback_real_db.md", FEEDBACK, ("m3", WANTED)),)), Say("Done.")
    )
    assert cli("extract", "--json", "--session", "s1") == 0
    found = json.loads(cli.out)
    assert (found["status"], found["session"], found["by_model"]) == ("done", "s1", True)
    (item,) = found["items"]
    assert item["evidence"][0]["line"] == 3 and item["files"][0]["path"] == "feedback_real_db.md"
    assert found["usage"]["calls"] == 2 and found["usage"]["cost"] > 0
    assert cli("inbox", "--json", "show", "1") == 0 and json.loads(cli.out)["id"] == "1"


def test_failures(cli: Cli, loopback: Loopback) -> None:
    assert cli("extract", "--session", "none") == 2 and "no such session" in cli.err
    loopback.script.always(failure(400))
    assert cli("extract") == 2 and "refused the request" in cli.err
    assert cli("extract", CLAUDE_CODE_DISABLE_AUTO_MEMORY="1") == 1 and "Memory is off here" in cli.err


def test_notes(cli: Cli, loopback: Loopback) -> None:
    assert cli("notes") == 1 and cli.err == "There are no notes of this session.\n"
    state = "_What is being worked on right now, what is finished, what comes next._\n"
    edit = ("edit", {"path": "summary.md", "old": state, "new": state + "A test was added.\n", "reason": ""})
    loopback.script.then(Say(tools=(edit,)), Say("Done."))
    assert cli("notes", "update") == 0 and cli.out.startswith("The notes are up to date.\n")
    assert cli("notes") == 0 and "A test was added." in cli.out
    append(session_of(cli), person("And the docs"), agent("Yes."))
    assert cli("notes", "compact") == 0
    assert "A test was added." in cli.out and "Person: And the docs" in cli.out
    assert cli("notes", "update", CLAUDE_CODE_SIMPLE="1") == 1 and "Memory is off" in cli.err


def test_compacting_without_anything(cli: Cli) -> None:
    cli.environ.pop("ANTHROPIC_API_KEY")
    assert cli("notes", "compact") == 2 and "need a model" in cli.err


# the hook


def event(cli: Cli, **fields: object) -> str:
    return json.dumps(
        {
            "hook_event_name": "Stop",
            "session_id": "s1",
            "transcript_path": str(session_of(cli)),
            "cwd": str(cli.repo),
            "stop_hook_active": False,
            **fields,
        }
    )


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def test_stop_works_in_the_background(cli: Cli, loopback: Loopback) -> None:
    cli.environ["PYTHONPATH"] = os.pathsep.join(p for p in (str(Path(__file__).parents[2] / "server"),))
    loopback.script.when(
        "Job: extraction",
        steps=[Say(tools=(write_call("feedback_real_db.md", FEEDBACK, ("m3", WANTED)),)), Say("Done.")],
    )
    loopback.script.when("Job: session notes", steps=[Say("Nothing to note.")])
    start = time.monotonic()
    assert cli("hook", "stop", stdin=event(cli), MEMDIR_DEBUG="1") == 0
    assert time.monotonic() - start < 5 and (cli.out, cli.err) == ("", "")

    def proposed() -> bool:
        cli("inbox", "--json")
        return [i["title"] for i in json.loads(cli.out)] == ["New: Real database"]

    wait_for(proposed)
    loopback.wait(3, 30)
    wait_for(lambda: (session_of(cli).with_suffix("") / "session-notes/summary.md").exists())


@pytest.mark.parametrize(
    ("stdin", "why"),
    [("not json", "no JSON"), ("[]", "another event's"), ('{"hook_event_name": "Other"}', "another event's"), ('{"transcript_path": "relative.jsonl"}', "no session file"), ('{"transcript_path": "/etc/passwd"}', "no session file"), ("{}", "no session file"), ('{"transcript_path": 3}', "no session file")],
)  # fmt: skip
def test_stop_never_fails(stdin: str, why: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.Popen", lambda *a, **k: pytest.fail("something was started"))
    assert cli("hook", "stop", stdin=stdin) == 0 and (cli.out, cli.err) == ("", "")
    assert cli("hook", "stop", stdin=stdin, MEMDIR_DEBUG="1") == 0 and why in cli.err


def test_stop_starts_nothing_when_memory_or_all_jobs_are_off(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("subprocess.Popen", lambda *a, **k: pytest.fail("something was started"))
    assert cli("hook", "stop", stdin=event(cli), CLAUDE_CODE_DISABLE_AUTO_MEMORY="1", MEMDIR_DEBUG="1") == 0
    assert "Memory is off here" in cli.err
    config = cli.home / ".config/memdir/memdir.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[extract]\nauto = "off"\n[consolidate]\nauto = "off"\n[notes]\nenabled = false\n')
    assert cli("hook", "stop", stdin=event(cli), MEMDIR_DEBUG="1") == 0 and "switched off" in cli.err


def test_after_a_turn_a_due_consolidation_is_proposed(cli: Cli, loopback: Loopback) -> None:
    cli.now = datetime.now(UTC)
    for n in range(5):
        append(session_of(cli, f"x{n}"), person("x", cwd=str(cli.repo)))
    loopback.script.when("Job: extraction", steps=[Say("Nothing.")])
    loopback.script.when("Job: session notes", steps=[Say("Nothing.")])
    loopback.script.when("Job: consolidation", steps=[Say("a"), Say("b"), Say("c"), Say("d")])
    before = files(cli)
    assert cli("extract", "--after-turn", "--session", "s1") == 0
    assert "Due; sessions since the last time: 5" in cli.err and files(cli) == before
    assert cli("inbox") == 0 and "Consolidate memories" in cli.out


def test_a_due_consolidation_is_applied_where_the_person_chose_so(cli: Cli, loopback: Loopback) -> None:
    cli.now = datetime.now(UTC)
    config = cli.home / ".config/memdir/memdir.toml"
    config.parent.mkdir(parents=True)
    config.write_text(
        '[extract]\nauto = "off"\n[consolidate]\nauto = "apply"\nsessions = 0\n[notes]\nenabled = false\n'
    )
    cli.environ.pop("ANTHROPIC_API_KEY")
    body = "Jobs are rows in PostgreSQL, because nobody on call knows a broker."
    for name in ("queue", "queue_again"):
        (cli.memory / f"project_{name}.md").write_text(
            f"---\nname: {name}\ndescription: PostgreSQL is the queue\ntype: project\n---\n{body}\n"
        )
    assert cli("extract", "--after-turn", "--session", "s1") == 1
    assert "Frozen until 2026-03-05." in files(cli)["project_freeze.md"]
    assert {"project_queue.md", "project_queue_again.md"} <= set(files(cli)), "a deletion waits for consent"
    assert cli("inbox") == 0 and "Consolidate memories" in cli.out
    assert cli("inbox", "accept", "1", "--consent", "all") == 0
    assert len({"project_queue.md", "project_queue_again.md"} & set(files(cli))) == 1
