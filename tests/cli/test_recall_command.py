"""`memdir recall`: texts and JSON, with and without a model, records and their numbers."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.memory_cli import Cli, make_cli
from tests.conftest import NOW
from tests.loopback.fixture import loopback
from tests.loopback.script import Reply as Say
from tests.loopback.script import failure
from tests.loopback.server import Loopback

__all__ = ["loopback"]

MEMORIES = {
    "feedback_real_db.md": (
        "feedback",
        "Real database",
        "Integration tests must hit a real database, never mocks",
        47,
    ),
    "project_freeze.md": ("project", "Merge freeze", "Merge freeze for the mobile release cut", 1),
    "reference_kubectl.md": ("reference", "kubectl", "How to use kubectl to list pods", 3),
    "team/project_owner.md": ("project", "Billing", "Priya owns billing and approves schema changes", 9),
}


def write(
    cli: Cli, rel: str, kind: str, name: str, description: str, days: float, body: str = "Body."
) -> Path:
    path = cli.memory / rel
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\n\n{body}\n", encoding="utf-8"
    )
    at = NOW.timestamp() - days * 86_400
    os.utime(path, (at, at))
    return path


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    found = make_cli(tmp_path, home)
    for rel, facts in MEMORIES.items():
        write(found, rel, *facts)
    (found.memory / "MEMORY.md").write_text("# Index\n")
    (found.repo / "memdir.toml").write_text(
        "[recall]\ndeadline-ms = 60000\n"
    )  # a busy machine must not decide
    return found


def test_words_without_a_key(cli: Cli) -> None:
    assert cli("recall", "mock the database in integration tests") == 0
    assert cli.out.splitlines() == [
        "By words, without a model: No key for the model service: set ANTHROPIC_API_KEY; in VS Code also with “Memory: Set API Key”.",
        "1. Real database  (feedback, 47 days ago)",
        f"   {cli.memory}/feedback_real_db.md",
        "   description: Integration, tests, database, mocks",
        "   Written 47 days ago. Before recommending anything from it, check what it says about code and files against the project as it is now.",
    ]
    assert cli.err == ""


def test_no_model_is_no_fallback(cli: Cli) -> None:
    assert cli("recall", "merge freeze", "--no-model", "--json") == 0
    data = json.loads(cli.out)
    assert data["fallback"] is None
    assert data["method"] == "lexical"
    assert [s["name"] for s in data["selected"]] == ["Merge freeze"]
    assert data["selected"][0]["caveat"] is None
    assert data["candidates"] == 4


def test_the_model_decides(cli: Cli, loopback: Loopback) -> None:
    cli.environ.update(loopback.environ)
    loopback.script.then(
        Say(json={"selected": [{"file": "team/project_owner.md", "reason": "schema change"}]})
    )
    assert cli("recall", "change the invoice schema", "--json", "--explain") == 0
    data = json.loads(cli.out)
    assert (data["method"], data["fallback"], data["candidates"]) == ("model", None, 4)
    assert data["selected"] == [
        {
            "path": f"{cli.memory}/team/project_owner.md",
            "name": "Billing",
            "type": "project",
            "age": "9 days ago",
            "score": data["selected"][0]["score"],
            "reason": "the model: schema change",
            "caveat": data["selected"][0]["caveat"],
        }
    ]
    assert data["usage"]["output_tokens"] > 0
    assert loopback.requests[0]["model"] == "claude-haiku-5-5"


def test_a_failing_model_is_named(cli: Cli, loopback: Loopback) -> None:
    cli.environ.update(loopback.environ)
    loopback.script.always(failure(429, retry_after=60))
    assert cli("recall", "merge freeze") == 0
    assert cli.out.splitlines()[0] == "By words, without a model: The model service's rate limit is reached."


def test_explain_says_why_not_and_what_it_cost(cli: Cli, loopback: Loopback) -> None:
    cli.environ.update(loopback.environ)
    loopback.script.then(Say(json={"selected": []}))
    assert cli("recall", "merge freeze of the mobile release", "--explain") == 0
    lines = cli.out.splitlines()
    assert lines[0] == "No memory helps with this (4 considered)."
    assert "   Merge freeze  (project_freeze.md): the model left it out" in lines
    assert any(line.startswith("4 considered, by a model, ") for line in lines)
    assert any("output tokens, $0.000" in line for line in lines)


def test_tools_session_and_limit(cli: Cli) -> None:
    assert cli("recall", "list pods with kubectl", "--json", "--tool", "kubectl") == 0
    assert json.loads(cli.out)["selected"] == []
    for expected in (["kubectl"], []):
        assert cli("recall", "list pods with kubectl", "--json", "--session", "s1") == 0
        assert [s["name"] for s in json.loads(cli.out)["selected"]] == expected
    assert cli("recall", "list pods with kubectl", "--json", "--session", "s2") == 0
    assert len(json.loads(cli.out)["selected"]) == 1
    assert cli("recall", "x", "--limit", "0") == 2


def test_query_from_stdin_and_none_at_all(cli: Cli) -> None:
    assert cli("recall", "-", "--no-model", stdin="merge freeze\n") == 0
    assert cli.out.startswith("1. Merge freeze")
    assert cli("recall") == 2
    assert "give a query" in cli.err
    assert cli("recall", "x", "--cwd", "/nowhere/at/all") == 2


def test_broken_citations_are_named(cli: Cli) -> None:
    (cli.repo / "src").mkdir()
    (cli.repo / "src/app.py").write_text("x = 1\n")
    write(
        cli,
        "project_helper.md",
        "project",
        "Helper",
        "Retry helper of the importer",
        12,
        "See `src/app.py:40` and `src/gone.py:3`.",
    )
    assert cli("recall", "retry helper", "--no-model") == 0
    assert "No longer there: src/app.py:40, src/gone.py." in cli.out


def test_memory_that_is_off_is_said(cli: Cli) -> None:
    cli.environ["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "1"
    assert cli("recall", "merge freeze", "--no-model") == 0
    assert "Memory is switched off here" in cli.err
    assert "Merge freeze" in cli.out


def test_chinese(cli: Cli) -> None:
    cli.environ["LC_ALL"] = "zh_CN.UTF-8"
    assert cli("recall", "mock the database in integration tests", "--explain") == 0
    assert "没有用模型" in cli.out
    assert "写于 47 天前" in cli.out


def test_records_judgements_and_numbers(cli: Cli) -> None:
    assert cli("recall", "--stats") == 0
    assert cli.out == "No recall has been recorded here yet.\n"
    assert cli("recall", "merge freeze", "--json", "--explain") == 0
    number = json.loads(cli.out)["id"]
    assert cli("recall", "--right", number, "project_freeze.md") == 0
    assert cli("recall", "--wrong", number, "feedback_real_db.md") == 2
    assert "it gave: project_freeze.md" in cli.err
    assert cli("recall", "--wrong", "nonsense", "project_freeze.md") == 2
    for _ in range(19):
        cli("recall", "merge freeze")
    cli("recall", "quantum chromodynamics")
    assert cli("recall", "--stats") == 0
    lines = cli.out.splitlines()
    assert lines[0] == "21 recalls, 20 with a result (95% coverage), 0 by a model."
    assert "Judged: 1 right, 0 wrong (100% precision)." in lines
    assert (
        "Words instead of a model, 21 times: No key for the model service: set ANTHROPIC_API_KEY; in VS Code also with “Memory: Set API Key”."
        in lines
    )
    assert lines[lines.index("Never recalled:") + 1] == "   feedback_real_db.md  (0 of 21)"
    assert lines[lines.index("Nearly always recalled:") + 1] == "   project_freeze.md  (20 of 21)"
    assert cli("recall", "--stats", "--json") == 0
    data = json.loads(cli.out)
    assert (data["recalls"], data["precision"], data["always"]) == (21, 1.0, ["project_freeze.md"])
    assert data["memories"]["project_freeze.md"] == {"offered": 21, "chosen": 20, "right": 1, "wrong": 0}


def test_records_hold_no_content_and_can_be_switched_off(cli: Cli) -> None:
    cli("recall", "merge freeze of the mobile release", "--session", "s1")
    state = cli.state
    text = "".join(p.read_text() for p in state.rglob("*.jsonl"))
    assert "project_freeze.md" in text
    assert "mobile" not in text and "cut" not in text
    for path in state.rglob("*.jsonl"):
        path.unlink()
    (cli.repo / "memdir.toml").write_text("[recall]\nrecords = false\n")
    cli("recall", "merge freeze", "--session", "s1")
    assert list(state.rglob("*.jsonl")) == []
    assert cli("recall", "merge freeze", "--json", "--explain") == 0
    assert json.loads(cli.out)["id"] == ""


def test_names_cannot_drive_the_terminal(cli: Cli) -> None:
    write(cli, "project_evil.md", "project", '"Kangaroo \\x1b]0;owned\\x07"', "Kangaroo release signature", 3)
    assert cli("recall", "kangaroo release signature", "--no-model", "--explain") == 0
    assert "Kangaroo ·]0;owned·" in cli.out
    assert "\x1b" not in cli.out


def test_descriptions_in_other_words_than_the_text_are_listed(cli: Cli) -> None:
    write(
        cli,
        "project_kestrel.md",
        "project",
        "Kestrel",
        "Background on a codename",
        3,
        "Ledger exports leave the warehouse before midnight.",
    )
    assert cli("recall", "--stats") == 0
    lines = cli.out.splitlines()
    at = lines.index("Not found by their own text (the description uses other words):")
    assert lines[at + 1] == "   project_kestrel.md"
    assert cli("recall", "--stats", "--json") == 0
    assert json.loads(cli.out)["unfound_by_own_text"] == ["project_kestrel.md"]
