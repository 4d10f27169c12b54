"""One switch: every link of the chain that says off stops every job, and each says which link decided."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from memdir.agent.after_turn import after_turn
from memdir.agent.extract_job import extract_session
from memdir.agent.gates import check_gates
from memdir.agent.notes_compact import CompactError, compact
from memdir.agent.notes_job import update_notes
from memdir.cli.env import CliEnv
from memdir.core.i18n import Message
from memdir.store.jobs import job_off
from memdir.store.locate import Location, locate
from memdir.store.workspace import Workspace, open_workspace
from memdir.team.setup import check as team_off
from tests.agent.sessions import agent, append, person
from tests.conftest import NOW
from tests.store.layouts import bare_repository, environment, write_json
from tests.store.test_switch import TABLE

OFF = [(world, by) for world, enabled, by in TABLE if not enabled]
ON = [world for world, enabled, _ in TABLE if enabled and "managed" not in world]


class NoModel:
    """A model that must not be asked."""

    async def complete(self, *args: Any, **options: Any) -> Any:
        raise AssertionError("a job that is off asked the model")


def build(world: dict[str, Any], tmp_path: Path, home: Path) -> tuple[Workspace, Location]:
    repo = Path(os.path.realpath(tmp_path)) / "repo"
    if not repo.exists():
        bare_repository(repo)
    places = {
        "managed": home / "sys/etc/claude-code/managed-settings.json",
        "local": repo / ".claude/settings.local.json",
        "project": repo / ".claude/settings.json",
        "user": home / ".claude/settings.json",
    }
    fields: dict[str, Any] = {"system": home / "sys", "trusted": True}
    if world.get("CLAUDE_CODE_REMOTE_MEMORY_DIR"):
        fields["CLAUDE_CODE_REMOTE_MEMORY_DIR"] = str(tmp_path / "remote")
    for key, value in world.items():
        if key in fields:
            continue
        if key in places:
            write_json(places[key], value)
        else:
            fields["flag_settings" if key == "flag" else key] = value
    outside = environment(home, **fields)
    settings = {"team": {"transport": "git"}}
    workspace = open_workspace(str(repo), outside, editor=settings, agents=False)
    return workspace, locate(str(repo), outside)


def prepare(workspace: Workspace) -> str:
    memory = Path(workspace.location.memory_dir)
    memory.mkdir(parents=True, exist_ok=True)
    (memory / "project_a.md").write_text("---\nname: A\ndescription: Something\ntype: project\n---\nFact.\n")
    for n in range(6):  # the client keeps sessions below its configuration, wherever memory is
        append(
            Path(workspace.location.projects_dir) / workspace.location.slug / f"s{n}.jsonl",
            person("Remember that Mara owns it", cwd=workspace.location.path),
            agent("OK", usage=50_000),
        )
    return str(Path(workspace.location.projects_dir) / workspace.location.slug / "s0.jsonl")


def statuses(
    workspace: Workspace, location: Location, session: str, state: str
) -> dict[str, tuple[bool, Message | None]]:
    """Job -> (whether it would run, why not)."""

    def run(work: Any) -> Any:
        return asyncio.run(work)

    options: dict[str, Any] = {"state_dir": state, "clock": lambda: NOW, "client": NoModel()}
    extraction = run(extract_session(workspace, session, **options))
    notes = run(update_notes(workspace, session, **options))
    gate = check_gates(location, workspace.settings.consolidate, now=NOW, state_dir=state)
    team = team_off(location, workspace.settings)
    prompt = job_off(location)
    return {
        "prompt": (prompt is None, prompt),
        "extract": (extraction.status != "off", extraction.why),
        "notes": (notes.status != "off", notes.why),
        "consolidate": (gate.due, gate.why),
        "team": (team is None, team.why if team else None),
    }


@pytest.mark.parametrize(("world", "by"), OFF, ids=[f"{n}-{by}" for n, (_, by) in enumerate(OFF)])
def test_off_is_off_for_every_job(world: dict[str, Any], by: str, tmp_path: Path, home: Path) -> None:
    workspace, location = build(world, tmp_path, home)
    session = prepare(workspace)
    state = str(tmp_path / "state")
    found = statuses(workspace, location, session, state)
    assert {job: runs for job, (runs, _) in found.items()} == dict.fromkeys(found, False)
    for job, (_, why) in found.items():
        assert why is not None and by in str(why), f"{job} does not say that {by} decided: {why}"
    done = asyncio.run(after_turn(workspace, session, state_dir=state, clock=lambda: NOW, client=NoModel()))
    assert (
        done.extraction.status == "off" and done.notes.status == "off" and by in str(done.consolidation.why)
    )
    with pytest.raises(CompactError, match="Memory is off here"):
        asyncio.run(compact(workspace, session, state_dir=state, client=NoModel()))
    assert not os.path.exists(state), "nothing was even prepared"


@pytest.mark.parametrize(("world", "by"), OFF, ids=[f"{n}-{by}" for n, (_, by) in enumerate(OFF)])
def test_the_command_line_says_so_too(world: dict[str, Any], by: str, tmp_path: Path, home: Path) -> None:
    import io

    from memdir.cli.main import run

    workspace, location = build(world, tmp_path, home)
    prepare(workspace)
    flags: list[str] = []
    if "flag" in world:
        import json

        flags += ["--settings", json.dumps(world["flag"])]
    flags += ["--bare"] if world.get("bare") else []
    flags += ["--safe-mode"] if world.get("safe_mode") else []
    variables = {k: str(v) for k, v in world.items() if k.isupper()}
    if variables.get("CLAUDE_CODE_REMOTE_MEMORY_DIR"):
        variables["CLAUDE_CODE_REMOTE_MEMORY_DIR"] = str(tmp_path / "remote")
    for command in (["prompt"], ["extract"], ["consolidate", "--force"], ["notes", "update"]):
        out, err = io.StringIO(), io.StringIO()
        environ = {
            **os.environ,
            **variables,
            "ANTHROPIC_API_KEY": "x",
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        }
        env = CliEnv(environ, location.path, io.StringIO(), out, err, lambda: NOW, str(home / "sys"))
        assert run([*command, *flags], env) == 1, command
        assert by in err.getvalue() and out.getvalue() == "", command


def _usable(world: dict[str, Any]) -> bool:
    """A setting of the wrong kind can't be used, so jobs that spend wait; that has a test of its own."""
    return all(isinstance(v.get("autoMemoryEnabled"), bool) for v in world.values() if isinstance(v, dict))


@pytest.mark.parametrize("world", [w for w in ON if _usable(w)], ids=str)
def test_on_lets_every_job_run(
    world: dict[str, Any], tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, location = build(world, tmp_path, home)
    assert job_off(location) is None
    prepare(workspace)
    gate = check_gates(location, workspace.settings.consolidate, now=NOW, state_dir=str(tmp_path / "state"))
    assert gate.sessions is not None and team_off(location, workspace.settings) is None


def test_settings_that_can_not_be_read_stop_what_spends(tmp_path: Path, home: Path) -> None:
    workspace, location = build({"user": "{ broken"}, tmp_path, home)
    session = prepare(workspace)
    found = statuses(workspace, location, session, str(tmp_path / "state"))
    assert not any(runs for runs, _ in found.values())
    assert "A settings file can't be used" in str(found["extract"][1])
