"""Consolidation by a scripted model: four phases, one proposal, reviewed by a person."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir.agent.consolidate_job import (
    decide_logs,
    logs_decided,
    to_inbox,
)
from memdir.agent.inbox import Inbox
from memdir.agent.inbox_accept import plan_accept
from memdir.store.apply import apply
from memdir.store.consolidate_lock import NAME
from memdir.store.errors import ConflictError
from tests.agent.dream_world import DB, MERGE, MERGED, World, call, clock, world
from tests.agent.sessions import memory_text, said_messages
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback

__all__ = ["world"]


def test_four_phases_one_proposal(world: World, loopback: Loopback) -> None:
    before = world.files()
    loopback.script.then(*MERGE)
    found = world.run(loopback)
    assert world.files() == before, "nothing is written"
    assert [(s.phase, s.turn) for s in world.steps] == [
        (phase, turn) for phase in ("orient", "gather", "consolidate", "prune") for turn in (0, 1, 2)
    ]
    assert (found.by_model, found.turns, found.denied, found.summary) == (
        True,
        8,
        0,
        "Two memories on tests became one.",
    )
    changes = {os.path.basename(o.path): o for o in found.consolidation.outcomes}
    assert changes["feedback_mocks.md"].after is None and changes["feedback_db.md"].after == MERGED.encode()
    assert [str(r) for r in changes["feedback_db.md"].reasons] == ["because of write"]
    assert list(found.consolidation.consent) == [str(world.memory / "feedback_mocks.md")]
    lost = found.consolidation.lost
    assert {x.text for x in lost.gone} == {"no mocks", "Mocks of the tide client are not wanted"}
    assert not lost.dates and not lost.links
    shown = json.dumps([r["messages"][-1]["content"] for r in loopback.requests])
    assert (
        "@sessions/s1 position 0 person: The freeze ends on 2026-03-20" in shown
        and "Mara owns the release" in shown
    )
    assert "feedback_db.md" in said_messages(loopback.requests[0])
    assert found.usage.calls == 8 and found.usage.cache_read > found.usage.input
    assert (world.memory / NAME).read_text() == "" and abs(
        os.stat(world.memory / NAME).st_mtime - time.time()
    ) < 60
    assert os.listdir(Path(world.state) / "staging") == []


def test_the_proposal_is_reviewed_applied_and_undone(world: World, loopback: Loopback) -> None:
    from memdir.store.apply import undo

    before = world.files()
    loopback.script.then(*MERGE)
    inbox = Inbox(world.state, str(world.memory))
    (item,) = to_inbox(world.run(loopback), inbox, clock()).items
    workspace = world.workspace()
    workspace.refresh()
    context = workspace.context(workspace.stores[0], clock())
    plan = plan_accept(inbox.get(item.id), context, team=False, agreed=())
    done = apply(
        plan.change_set, roots=[str(world.memory)], state_dir=world.state, now=clock(), bases=plan.bases
    )
    assert (world.memory / "feedback_mocks.md").exists() and "(feedback_mocks.md)" in (
        world.memory / "MEMORY.md"
    ).read_text()
    assert done.id
    undo(done.id, state_dir=world.state, now=clock())
    assert world.files() == before
    plan = plan_accept(inbox.get(item.id), context, team=False, agreed=None)
    apply(plan.change_set, roots=[str(world.memory)], state_dir=world.state, now=clock(), bases=plan.bases)
    assert not (world.memory / "feedback_mocks.md").exists()
    assert (world.memory / "MEMORY.md").read_text() == "- [Real database](feedback_db.md) — real PostgreSQL\n"


def test_a_file_changed_meanwhile_is_kept_and_the_clash_shown(world: World, loopback: Loopback) -> None:
    loopback.script.then(*MERGE)
    found = world.run(loopback)
    mine = DB.replace("Use the fixture.", "Use the new fixture.")
    (world.memory / "feedback_db.md").write_text(mine)
    with pytest.raises(ConflictError) as caught:
        apply(
            found.consolidation.change_set,
            roots=[str(world.memory)],
            state_dir=world.state,
            now=clock(),
            bases=found.bases,
        )
    (clash,) = caught.value.conflicts
    assert (clash.base, clash.mine, clash.theirs) == (DB.encode(), MERGED.encode(), mine.encode())
    assert (world.memory / "feedback_db.md").read_text() == mine and (
        world.memory / "feedback_mocks.md"
    ).exists()


def test_what_the_model_leaves_undone_is_put_right(world: World, loopback: Loopback) -> None:
    text = memory_text(
        "Release", "Mara owns it. Frozen until Thursday.\n\n**Why:** x\n\n**How to apply:** y"
    ).replace("type: project", "type: project\nmodified: 2026-03-04")
    loopback.script.then(
        Say("a"),
        Say("b"),
        Say(tools=(call("write", path="project_release.md", content=text),)),
        Say("c"),
        Say("d"),
    )
    found = world.run(loopback)
    changes = {os.path.basename(o.path): (o.after or b"").decode() for o in found.consolidation.outcomes}
    assert "Frozen until 2026-03-05." in changes["project_release.md"]
    assert "(project_release.md)" in changes["MEMORY.md"]
    reasons = [str(r) for o in found.consolidation.outcomes for r in o.reasons]
    assert "because of write" in reasons and any(
        r.startswith("a relative date is written out") for r in reasons
    )


def test_emptying_a_memory_needs_consent_and_is_listed_as_lost(world: World, loopback: Loopback) -> None:
    long = memory_text(
        "Long",
        "".join(f"Fact number {n} about https://example.com/{n} of 2026-02-{n + 1:02}.\n" for n in range(20)),
    )
    (world.memory / "project_long.md").write_text(long)
    short = memory_text("Long", "Fact number 0 about https://example.com/0 of 2026-02-01.")
    loopback.script.then(
        Say("a"),
        Say("b"),
        Say(tools=(call("write", path="project_long.md", content=short),)),
        Say("c"),
        Say("d"),
    )
    found = world.run(loopback).consolidation
    assert "shrinks from" in str(found.consent[str(world.memory / "project_long.md")])
    assert len(found.lost.gone) == 19 and len(found.lost.links) == 19 and len(found.lost.dates) == 19


def test_without_a_model_the_mechanical_part(world: World) -> None:
    found = world.run(None)
    assert not found.by_model
    changed = {os.path.basename(o.path) for o in found.consolidation.outcomes}
    assert changed == {"MEMORY.md", "project_log_2026_03.md"}


def test_the_running_session_is_left_alone(world: World, loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(call("list", path="@sessions"),)), Say("a"), Say("b"), Say("c"), Say("d"))
    world.run(loopback, session="s1")
    assert "no transcripts" in json.dumps(loopback.requests[1]["messages"][-1])


def test_a_refused_proposal_is_not_kept_again(world: World) -> None:
    inbox = Inbox(world.state, str(world.memory))
    (item,) = to_inbox(world.run(None), inbox, clock()).items
    inbox.refuse(item.id, clock())
    assert to_inbox(world.run(None), inbox, clock()).known == 1 and inbox.items() == []


def test_logs_are_gathered_until_a_person_decided(world: World) -> None:
    root = str(world.memory)
    assert any("project_log" in o.path for o in world.run(None).consolidation.outcomes)
    assert any("project_log" in o.path for o in world.run(None).consolidation.outcomes), "nobody decided yet"
    decide_logs(root, world.state, clock())
    assert not any("project_log" in o.path for o in world.run(None).consolidation.outcomes)
    decide_logs(root, world.state, datetime(2020, 1, 1, tzinfo=UTC))
    assert logs_decided(root, world.state) == clock().date(), "an older decision takes nothing back"
