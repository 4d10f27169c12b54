"""Going on from session notes, with and without a model."""

from __future__ import annotations

import threading

import pytest

from memdir.agent.notes_compact import CompactError, Compaction
from tests.agent.notes_world import DONE, STATE, World, edit, world
from tests.agent.sessions import agent, append, person, said_messages
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback

__all__ = ["world"]


def test_continuation_without_a_model(world: World, loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(edit(STATE + "Half of import.py is done.\n"),)), DONE)
    world.run(loopback)
    append(
        world.session,
        person("Now the tests, please"),
        agent("I write them.", ("Edit", {"file_path": "tests/test_import.py"})),
    )
    found = world.compact(None)
    assert (found.source, found.messages, found.usage.calls) == ("notes", 2, 0)
    assert "## State\n\nHalf of import.py is done." in found.text
    assert (
        "Person: Now the tests, please\n\nAgent: I write them. [used Edit: tests/test_import.py]"
        in found.text
    )
    assert (
        "Fix the import" not in found.text
        and "Learnings" not in found.text
        and str(world.session) in found.text
    )


def test_continuation_waits_for_a_running_update(world: World, loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(edit(STATE + "One.\n"),)), DONE)
    world.run(loopback)
    held, release = threading.Event(), threading.Event()

    def update() -> None:
        with world.notes.updating():
            held.set()
            release.wait(10)

    thread = threading.Thread(target=update)
    thread.start()
    held.wait(10)
    threading.Timer(0.2, release.set).start()
    assert world.compact(None, wait=10).source == "notes"
    thread.join()
    with world.notes.updating(), pytest.raises(CompactError, match="in the middle of an update"):
        world.compact(None, wait=0.05)


def fall_back(world: World, loopback: Loopback) -> Compaction:
    loopback.script.then(Say("The import is half done; next the tests."))
    found = world.compact(loopback)
    assert found.source == "model" and "The import is half done; next the tests." in found.text
    assert "A summary of it:" in found.text and found.usage.calls == 1
    return found


def test_a_model_writes_the_summary_when_there_are_no_notes(world: World, loopback: Loopback) -> None:
    found = fall_back(world, loopback)
    assert str(found.why) == "There are no notes of this session."
    assert "Fix the import of the tide tables" in said_messages(loopback.requests[0])


def test_empty_notes(world: World, loopback: Loopback) -> None:
    loopback.script.then(DONE)
    world.run(loopback)
    assert "empty" in str(fall_back(world, loopback).why)


def test_an_unknown_boundary(world: World, loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(edit(STATE + "One.\n"),)), DONE)
    world.run(loopback)
    world.session.unlink()
    append(
        world.session,
        person("Another beginning of this session, much longer than the first one was"),
        agent("x" * 200),
    )
    assert "not found" in str(fall_back(world, loopback).why)


def test_compacted_since(world: World, loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(edit(STATE + "One.\n"),)), DONE)
    world.run(loopback)
    append(
        world.session,
        {"type": "system", "subtype": "compact_boundary"},
        person("This is the summary", isCompactSummary=True),
        person("Go on then"),
        agent("Yes."),
    )
    assert "compacted after" in str(fall_back(world, loopback).why)
    told = said_messages(loopback.requests[2])
    assert "Go on then" in told and "Fix the import" not in told


def test_neither_notes_nor_model(world: World) -> None:
    with pytest.raises(
        CompactError,
        match=r"There are no notes of this session.*Session notes need a model",
    ):
        world.compact(None)


def test_a_summary_asks_for_no_tools(world: World, loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(("list", {}),)), Say("Summary then."))
    assert "Summary then." in world.compact(loopback).text
    (answer,) = loopback.requests[1]["messages"][2]["content"]
    assert answer["is_error"] and "No tool is needed" in answer["content"].replace("no tool", "No tool")
