"""When an extraction runs, over which stretch of a session, and who follows whom."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from memdir.agent.client import AnthropicClient
from memdir.agent.extract_job import extract_session, wrote_memory
from memdir.agent.extract_state import ExtractState
from memdir.store.transcripts import Reader
from tests.agent.extract_world import DONE, WANTED, World, world
from tests.agent.sessions import (
    agent,
    append,
    person,
    result,
    said_messages,
)
from tests.conftest import NOW
from tests.loopback.script import Reply as Say
from tests.loopback.script import failure
from tests.loopback.server import Loopback

__all__ = ["world"]


def test_each_stretch_is_read_once(world: World, loopback: Loopback) -> None:
    loopback.script.then(DONE, DONE)
    assert world.run(loopback).status == "done"
    assert world.run(loopback).status == "nothing"
    append(world.session, person("Something new was said here"), agent("Yes."))
    assert world.run(loopback).status == "done"
    assert len(loopback.requests) == 2
    told = said_messages(loopback.requests[1])
    assert "Something new was said here" in told and WANTED not in told
    assert '"text": "Understood.", "earlier": true' in told, "what the agent said last gives the sense"


def test_skipped_when_the_agent_wrote_memory_itself(world: World, loopback: Loopback) -> None:
    append(
        world.session,
        person("Remember this"),
        agent("Saved.", ("Write", {"file_path": str(world.memory / "feedback_x.md"), "content": "x"})),
    )
    report = world.run(loopback)
    assert report.status == "own-memory" and "wrote memory itself" in str(report.why)
    assert loopback.requests == []
    append(world.session, person("And now something else entirely"), agent("Fine."))
    loopback.script.then(DONE)
    assert world.run(loopback).status == "done"
    assert "Remember this" not in said_messages(loopback.requests[0])


@pytest.mark.parametrize(
    ("tools", "wrote"),
    [
        ([("Write", {"file_path": "{m}/a.md"})], True), ([("Edit", {"file_path": "{m}/team/a.md"})], True), ([("Edit", {"file_path": "{m}-not/a.md"})], False),
        ([("Read", {"file_path": "{m}/a.md"})], False), ([("Bash", {"command": "cat {m}/MEMORY.md"})], False), ([("Bash", {"command": "echo x > {m}/a.md"})], True),
        ([("Bash", {"command": "sed -i s/a/b/ {m}/a.md"})], True), ([("Bash", {"command": "memdir save --type user"})], True), ([("Write", {"file_path": "src/a.py"})], False),
        ([("Write", {})], False), ([("Write", {"file_path": 3})], False),
    ],
)  # fmt: skip
def test_what_counts_as_writing_memory(
    tools: list[tuple[str, dict[str, Any]]], wrote: bool, tmp_path: Path
) -> None:
    filled = [(name, json.loads(json.dumps(given).replace("{m}", str(tmp_path)))) for name, given in tools]
    path = append(tmp_path / "s.jsonl", agent("x", *filled))
    assert wrote_memory(list(Reader(str(path)).read()), str(tmp_path)) is wrote


def test_a_failed_write_does_not_count(tmp_path: Path) -> None:
    path = append(
        tmp_path / "s.jsonl",
        agent("x", ("Write", {"file_path": str(tmp_path / "a.md")})),
        result("t0-Write", "denied", error=True),
    )
    assert not wrote_memory(list(Reader(str(path)).read()), str(tmp_path))


def test_off(world: World, loopback: Loopback) -> None:
    world.settings = {"extract": {"auto": "off"}}
    assert (world.run(loopback).status, loopback.requests) == ("off", [])
    world.settings = {}
    report = world.run(loopback, CLAUDE_CODE_DISABLE_AUTO_MEMORY="1")
    assert report.status == "off" and "CLAUDE_CODE_DISABLE_AUTO_MEMORY" in str(report.why)


def test_a_failing_service_leaves_the_stretch_for_the_next_run(world: World, loopback: Loopback) -> None:
    loopback.script.then(failure(500), DONE)
    report = world.run(loopback)
    assert report.status == "failed" and "HTTP 500" in str(report.why)
    assert world.run(loopback).status == "done"
    assert WANTED in said_messages(loopback.requests[1])


def test_nobody_spoke(world: World, loopback: Loopback) -> None:
    loopback.script.then(DONE)
    world.run(loopback)
    append(world.session, agent("I go on by myself."), result("x", "output"))
    assert world.run(loopback).status == "nothing" and len(loopback.requests) == 1


def test_long_sessions_are_read_in_stretches(world: World, loopback: Loopback) -> None:
    for n in range(60):
        append(world.session, person(f"Point {n}: " + "words " * 900), agent(f"Noted {n}."))
    loopback.script.always(DONE)
    assert world.run(loopback).status == "done"
    told = "\n".join(said_messages(r) for r in loopback.requests)
    assert len(loopback.requests) > 1
    first = min(n for n in range(60) if f"Point {n}: " in told)
    assert all(f"Point {n}: " in told for n in range(first, 60)), "a stretch was lost"


def test_without_a_model_signals_wait(world: World) -> None:
    append(
        world.session,
        person("Remember that Mara owns the release.\nThe board is https://grafana.example.com/d/x"),
        agent("OK"),
    )
    report = world.run(None)
    assert report.status == "done" and not report.by_model
    found = [(i.signal, i.type, i.evidence[0].line) for i in world.inbox.items()]
    assert found == [("correction", "feedback", 3), ("remember", "project", 5), ("place", "reference", 5)]
    assert world.run(None).status == "nothing"


def test_a_run_that_finds_another_one_leaves_a_note_and_the_newest_wins(
    world: World, loopback: Loopback
) -> None:
    state = ExtractState(world.state, str(world.memory))
    other = append(
        world.memory.parent / "s2.jsonl", person("Said in the second session, remember it"), agent("Yes.")
    )
    with state.alone(str(world.session)) as mine:
        assert mine
        assert world.run(loopback).status == "queued"
        with state.alone(str(other)) as second:
            assert not second
    assert state.waiting() == str(other)
    assert state.waiting() is None


def test_the_running_one_goes_on_with_the_note(world: World, loopback: Loopback) -> None:
    other = append(
        world.memory.parent / "s2.jsonl", person("Said in the second session, remember it"), agent("Yes.")
    )
    state = ExtractState(world.state, str(world.memory))

    def meanwhile(body: dict[str, Any]) -> Say:
        with state.alone(str(other)) as mine:
            assert not mine
        return DONE

    loopback.script.then(meanwhile, DONE)
    assert world.run(loopback).status == "done"
    assert "Said in the second session" in said_messages(loopback.requests[1])


def test_cancelling_leaves_nothing_behind(world: World, loopback: Loopback) -> None:
    loopback.script.then(Say(fault="timeout"), DONE)

    async def work() -> None:
        client = AnthropicClient(loopback.environ, attempts=1)
        task = asyncio.ensure_future(
            extract_session(
                world.workspace(), str(world.session), state_dir=world.state, clock=lambda: NOW, client=client
            )
        )
        await asyncio.to_thread(loopback.wait, 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await client.aclose()

    asyncio.run(work())
    assert os.listdir(Path(world.state) / "staging") == [] and world.inbox.items() == []
    assert world.run(loopback).status == "done", "the stretch is still unread, and the lock is free"


def test_a_session_that_was_replaced_is_begun_anew(world: World, loopback: Loopback) -> None:
    loopback.script.always(DONE)
    world.run(loopback)
    world.session.unlink()
    append(world.session, person("A shorter file, said anew"), agent("x"))
    assert world.run(loopback).status == "done"
