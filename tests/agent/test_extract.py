"""Extraction by a scripted model: what becomes a proposal."""

from __future__ import annotations

import json
import os
from pathlib import Path

from memdir.agent.inbox_accept import plan_accept
from memdir.store.apply import apply
from tests.agent.extract_world import DONE, WANTED, World, world
from tests.agent.sessions import (
    FEEDBACK,
    agent,
    append,
    memory_text,
    person,
    said_messages,
    write_call,
)
from tests.conftest import NOW
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback

__all__ = ["world"]


def test_a_proposal_with_evidence_and_the_line_it_stands_on(world: World, loopback: Loopback) -> None:
    loopback.script.then(
        Say("Look first.", tools=(("read", {"path": "project_freeze.md"}),)),
        Say(tools=(write_call("feedback_real_db.md", FEEDBACK, ("m3", "never use mocks in these tests")),)),
        DONE,
    )
    report = world.run(loopback)
    assert (report.status, report.by_model, report.denied) == ("done", True, 0)
    (item,) = world.inbox.items()
    assert (str(item.title), item.type, item.id) == ("New: Real database", "feedback", "1")
    (evidence,) = item.evidence
    assert (evidence.quote, evidence.who, evidence.line, evidence.path) == (
        "never use mocks in these tests",
        "person",
        3,
        str(world.session),
    )
    assert (
        json.loads(world.session.read_bytes().splitlines()[evidence.line - 1])["message"]["content"] == WANTED
    )
    assert report.usage.calls == 3 and report.usage.cache_read > 0
    assert not (world.memory / "feedback_real_db.md").exists()
    told = said_messages(loopback.requests[0])
    assert "Merge freeze for the release" in told and WANTED in told and "2026-03-11 (Wednesday)" in told
    assert os.listdir(Path(world.state) / "staging") == []


def test_accepting_writes_file_and_index_line(world: World, loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(write_call("feedback_real_db.md", FEEDBACK, ("m3", WANTED)),)), DONE)
    world.run(loopback)
    workspace = world.workspace()
    workspace.refresh()
    plan = plan_accept(world.inbox.get("1"), workspace.context(workspace.stores[0], NOW), team=False)
    apply(plan.change_set, roots=[str(world.memory)], state_dir=world.state, now=NOW)
    assert "Tests hit a real database." in (world.memory / "feedback_real_database.md").read_text()
    assert "(feedback_real_database.md)" in (world.memory / "MEMORY.md").read_text()
    assert plan.change_set.origin == "extract"


def test_an_existing_memory_is_changed(world: World, loopback: Loopback) -> None:
    append(world.session, person("The freeze now ends on 2026-03-27"), agent("OK"))
    edit = {"path": "project_freeze.md", "old": "2026-03-20", "new": "2026-03-27", "reason": "the date moved", "evidence": [{"message": "m5", "quote": "ends on 2026-03-27"}]}  # fmt: skip
    loopback.script.then(Say(tools=(("edit", edit),)), DONE)
    world.run(loopback)
    (item,) = world.inbox.items()
    assert str(item.title) == "Change: Freeze" and [str(r) for r in item.files[0].reasons] == [
        "the date moved"
    ]
    workspace = world.workspace()
    workspace.refresh()
    plan = plan_accept(item, workspace.context(workspace.stores[0], NOW), team=False)
    apply(plan.change_set, roots=[str(world.memory)], state_dir=world.state, now=NOW)
    assert "2026-03-27" in (world.memory / "project_freeze.md").read_text()


def test_dates_count_from_the_day_on_which_they_were_said(world: World, loopback: Loopback) -> None:
    text = memory_text(
        "Release",
        "The release is tomorrow.\n\n**Why:** a\n\n**How to apply:** b",
        description="Release of the app",
    )
    append(
        world.session,
        person("The release is tomorrow, and the freeze ends tomorrow", timestamp="2026-03-02T10:00:00Z"),
        agent("OK", timestamp="2026-03-02T10:00:00Z"),
    )
    world.session.write_text(world.session.read_text().replace("2026-03-11T11", "2026-03-02T09"))
    edit = {"path": "project_freeze.md", "old": "2026-03-20", "new": "tomorrow", "reason": "x", "evidence": [{"message": "m5", "quote": "the freeze ends tomorrow"}]}  # fmt: skip
    loopback.script.then(
        Say(
            tools=(write_call("project_release.md", text, ("m5", "The release is tomorrow")), ("edit", edit))
        ),
        DONE,
    )
    assert world.run(loopback).denied == 1
    (item,) = world.inbox.items()
    assert b"The release is on 2026-03-03." in (item.files[0].after or b"")
    answers = loopback.requests[1]["messages"][2]["content"]
    assert "write 2026-03-03" in answers[1]["content"]
    assert "2026-03-02 (Monday)" in said_messages(loopback.requests[0])


def test_going_on_is_not_worth_a_model(world: World, loopback: Loopback) -> None:
    loopback.script.then(DONE, DONE)
    world.run(loopback)
    append(world.session, person("go on"), agent("Done."), person("ok"), agent("Done."))
    assert world.run(loopback).status == "nothing" and len(loopback.requests) == 1
    append(world.session, person("就这样做，对"), agent("好"))
    assert world.run(loopback).status == "done", "short, but an approval"


def test_a_refused_proposal_does_not_come_back(world: World, loopback: Loopback) -> None:
    call = write_call("feedback_real_db.md", FEEDBACK, ("m3", WANTED))
    loopback.script.then(Say(tools=(call,)), DONE)
    world.run(loopback)
    world.inbox.refuse("1", NOW)
    append(world.session, person("No mocks please, the real database is what we test with"), agent("Yes."))
    again = write_call(
        "feedback_db_real.md",
        FEEDBACK.replace("Real database", "A real one").replace("broke", "was broken"),
        ("m2", "the real database is what we test with"),
    )
    loopback.script.then(Say(tools=(again,)), DONE)
    report = world.run(loopback)
    assert report.denied == 1 and world.inbox.items() == []
    told = said_messages(loopback.requests[2])
    assert "do not propose these again" in told and "Tests must hit a real database" in told


def test_what_waits_is_not_proposed_twice(world: World, loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(write_call("feedback_real_db.md", FEEDBACK, ("m3", WANTED)),)), DONE)
    world.run(loopback)
    append(world.session, person("As I said, never any mocks in tests"), agent("Yes."))
    loopback.script.then(
        Say(tools=(write_call("feedback_other.md", FEEDBACK, ("m2", "never any mocks in tests")),)), DONE
    )
    assert world.run(loopback).denied == 1
    assert len(world.inbox.items()) == 1


def test_apply_writes_at_once_and_can_be_undone(world: World, loopback: Loopback) -> None:
    from memdir.store.apply import undo

    world.settings = {"extract": {"auto": "apply"}}
    loopback.script.then(Say(tools=(write_call("feedback_real_db.md", FEEDBACK, ("m3", WANTED)),)), DONE)
    report = world.run(loopback)
    assert len(report.applied) == 1 and world.inbox.items() == []
    assert (world.memory / "feedback_real_database.md").exists()
    undo(report.applied[0], state_dir=world.state, now=NOW)
    assert not (world.memory / "feedback_real_database.md").exists()


def test_apply_asks_all_the_same_where_saving_would_ask(world: World, loopback: Loopback) -> None:
    world.settings = {"extract": {"auto": "apply"}}
    text = memory_text(
        "Freeze again", "x.\n\n**Why:** a\n\n**How to apply:** b", "project", "Merge freeze for the release"
    )
    loopback.script.then(Say(tools=(write_call("project_x.md", text, ("m3", WANTED)),)), DONE)
    report = world.run(loopback)
    assert report.applied == () and len(world.inbox.items()) == 1
