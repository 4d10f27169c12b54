"""Extraction, the inbox and session notes through the server, with a scripted model and without one."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from memdir.agent.inbox import Inbox
from tests.agent.sessions import FEEDBACK, agent, append, memory_text, person, write_call
from tests.loopback.fixture import loopback
from tests.loopback.script import Reply, failure
from tests.loopback.server import Loopback
from tests.lsp.client import Client, ServerError
from tests.lsp.conftest import Place, Start
from tests.lsp.edits import to_path
from tests.lsp.profiles import VSCODE
from tests.lsp.test_jobs_recall import key

__all__ = ["key", "loopback"]

WANTED = "Please never use mocks in these tests, we got burned by that"
PROPOSED = Reply(
    tools=(write_call("feedback_real_db.md", FEEDBACK, ("m3", "never use mocks in these tests")),)
)
DONE = Reply("Done.")


def inbox_of(place: Place) -> Inbox:
    return Inbox(os.path.join(os.environ["XDG_STATE_HOME"], "memdir"), str(place.memory))


@pytest.fixture
def session(place: Place) -> Path:
    """A session of the repository in which the person corrected the agent."""
    place.topic(
        "project_freeze.md", name="Freeze", description="Merge freeze for the release", type="project"
    )
    place.index("project_freeze.md")
    where = {"cwd": str(place.repo)}
    return append(
        place.memory.parent / "s1.jsonl",
        person("Add a test for the import", **where),
        agent("I add one with a mock."),
        person(WANTED),
        agent("Understood."),
    )


async def extracted(client: Client, key: Loopback, *steps: Reply) -> None:
    key.script.then(*(steps or (PROPOSED, DONE)))
    answer = await client.run("extract")
    assert (answer["status"], answer["byModel"], answer["items"]) == ("done", True, 1), answer


async def test_a_proposal_is_accepted(place: Place, session: Path, key: Loopback, start: Start) -> None:
    client = await start(VSCODE)
    await extracted(client, key)
    [item] = await client.run("inbox")
    assert (item["kind"], item["title"], item["memoryType"], item["before"]) == (
        "memory",
        "New: Real database",
        "feedback",
        None,
    )
    assert item["folder"] == place.repo.as_uri()
    assert "Tests hit a real database." in item["text"]
    [evidence] = item["evidence"]
    assert (evidence["quote"], evidence["who"], evidence["uri"], evidence["line"]) == (
        "never use mocks in these tests",
        "person",
        session.as_uri(),
        2,
    )
    await client.until(lambda: any(m == "memdir/didChangeJobs" and p["inbox"] == 1 for m, p in client.told))
    assert not (place.memory / "feedback_real_database.md").exists()
    answer = await client.run("inboxAccept", id=item["id"])
    assert answer["questions"] == []
    assert to_path(answer["uri"]) == place.memory / "feedback_real_database.md"
    assert "(feedback_real_database.md)" in (place.memory / "MEMORY.md").read_text()
    assert await client.run("inbox") == []
    await client.until(lambda: [p["inbox"] for m, p in client.told if m == "memdir/didChangeJobs"][-1] == 0)
    [change] = await client.run("changes")
    assert change["origin"] == "extract"
    await client.run("undo", id=answer["done"]["id"])
    assert not to_path(answer["uri"]).exists()


async def test_a_proposal_is_edited_first(place: Place, session: Path, key: Loopback, start: Start) -> None:
    client = await start(VSCODE)
    await extracted(client, key)
    [item] = await client.run("inbox")
    text = (
        item["text"].replace("name: Real database", "name: No mocks").replace("In all tests", "In most tests")
    )
    changed = await client.run("inboxEdit", id=item["id"], text=text)
    assert (changed["title"], changed["text"]) == ("New: No mocks", text)
    with pytest.raises(ServerError, match="header"):
        await client.run("inboxEdit", id=item["id"], text="no header at all")
    answer = await client.run("inboxAccept", id=item["id"])
    assert "In most tests" in to_path(answer["uri"]).read_text()
    assert to_path(answer["uri"]).name == "feedback_no_mocks.md"


async def test_what_is_refused_does_not_come_back(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    client = await start(VSCODE)
    await extracted(client, key)
    [item] = await client.run("inbox")
    await client.run("inboxRefuse", id=item["id"])
    assert await client.run("inbox") == []
    append(session, person("And again: never use mocks in these tests"), agent("Yes."))
    key.script.then(
        Reply(tools=(write_call("feedback_db.md", FEEDBACK, ("m6", "never use mocks in these tests")),)), DONE
    )
    answer = await client.run("extract")
    assert answer["items"] == 0, answer
    assert await client.run("inbox") == []
    with pytest.raises(ServerError, match="no longer there"):
        await client.run("inboxAccept", id=item["id"])


async def test_a_known_subject_is_asked_about(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    known = place.topic(
        "feedback_db.md", name="Real database", description="Tests must hit a real database, never mocks"
    )
    client = await start(VSCODE)
    await extracted(client, key)
    [item] = await client.run("inbox")
    answer = await client.run("inboxAccept", id=item["id"])
    assert answer["done"] is None
    [question] = answer["questions"]
    assert question["candidates"][0]["uri"] == known.as_uri()
    assert len(await client.run("inbox")) == 1
    updated = await client.run("inboxAccept", id=item["id"], update=known.as_uri())
    assert updated["done"]["changed"][0] == known.as_uri()
    assert "A migration broke." in known.read_text()
    assert await client.run("inbox") == []


async def test_without_a_key_hints_are_listed_and_saved_by_hand(
    place: Place, session: Path, start: Start
) -> None:
    client = await start(VSCODE)
    answer = await client.run("extract")
    assert (answer["status"], answer["byModel"]) == ("done", False)
    assert answer["items"] >= 1
    assert "ANTHROPIC_API_KEY" in answer["notes"][0]
    item = (await client.run("inbox"))[0]
    assert (item["kind"], item["text"], item["memoryType"]) == ("signal", None, "feedback")
    assert WANTED.startswith(item["evidence"][0]["quote"][:20])
    with pytest.raises(ServerError, match="only a hint"):
        await client.run("inboxAccept", id=item["id"])
    saved = await client.run(
        "inboxAccept",
        id=item["id"],
        type="feedback",
        name="No mocks",
        description="Mocks are not wanted in import tests, they hid a broken migration",
        body="Never mock.\n\n**Why:** burned by that.\n\n**How to apply:** in import tests.",
    )
    assert to_path(saved["uri"]).name == "feedback_no_mocks.md"
    assert item["id"] not in [i["id"] for i in await client.run("inbox")]
    assert (await client.run("extract"))["status"] == "nothing"


async def test_a_failing_model_leaves_everything_as_it_was(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    key.script.then(failure(401))
    client = await start(VSCODE)
    answer = await client.run("extract")
    assert answer["status"] == "failed"
    assert answer["message"]
    assert await client.run("inbox") == []
    key.script.then(PROPOSED, DONE)
    assert (await client.run("extract"))["items"] == 1


async def test_without_sessions_it_says_so(place: Place, start: Start) -> None:
    client = await start(VSCODE)
    with pytest.raises(ServerError, match="No session"):
        await client.run("extract")
    with pytest.raises(ServerError, match="No session"):
        await client.run("continueSession")
    assert await client.run("notes") == []


async def test_what_another_process_proposes_reaches_the_badge(
    place: Place, session: Path, start: Start
) -> None:
    client = await start(VSCODE)
    await client.run("extract")
    items = inbox_of(place).items()
    await client.until(
        lambda: any(m == "memdir/didChangeJobs" and p["inbox"] == len(items) for m, p in client.told)
    )
    inbox_of(place).remove([i.id for i in items])  # as `memdir inbox` would
    await client.until(
        lambda: [p["inbox"] for m, p in client.told if m == "memdir/didChangeJobs"][-1] == 0, "a new count"
    )


async def test_a_finished_turn_is_extracted_by_itself(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    key.script.then(PROPOSED, DONE)
    client = await start(VSCODE, settings={"consolidate": {"auto": "off"}, "notes": {"enabled": False}})
    await client.until(lambda: any(m == "memdir/didChangeStatus" for m, _ in client.told))
    await asyncio.sleep(0)  # the session was there before the server: it is no news
    append(session, person("One more thing about it"))
    append(session, agent("Noted."))
    await client.until(
        lambda: any(m == "memdir/didChangeJobs" and p["inbox"] == 1 for m, p in client.told), timeout=60
    )
    [item] = await client.run("inbox")
    assert item["title"] == "New: Real database"


async def test_switched_off_memory_runs_no_job(
    place: Place, session: Path, key: Loopback, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    client = await start(VSCODE)
    for job in ("extract", "consolidate", "continueSession"):
        with pytest.raises(ServerError, match="CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
            await client.run(job)
    states = await client.run("jobs")
    assert {s["job"]: s["state"] for s in states} == dict.fromkeys(
        ("recall", "extract", "consolidate", "notes", "team"), "off"
    )
    assert all("CLAUDE_CODE_DISABLE_AUTO_MEMORY" in s["message"] for s in states)
    assert key.requests == []


async def test_states_of_the_jobs(place: Place, start: Start) -> None:
    client = await start(VSCODE, settings={"extract": {"auto": "off"}}, locale="zh-cn")
    states = {s["job"]: s for s in await client.run("jobs")}
    assert (states["recall"]["state"], states["recall"]["setting"]) == ("limited", "recall.enabled")
    assert "ANTHROPIC_API_KEY" in states["recall"]["message"]
    assert states["extract"]["state"] == "off"
    assert states["notes"]["state"] == "off"
    assert states["recall"]["label"] == "回忆"


async def test_states_with_a_key(place: Place, key: Loopback, start: Start) -> None:
    client = await start(VSCODE)
    states = {s["job"]: s["state"] for s in await client.run("jobs")}
    assert states == {"recall": "on", "extract": "on", "consolidate": "on", "notes": "on", "team": "off"}
    assert key.requests == []


async def test_session_notes_are_shown_and_go_on(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    from memdir.agent.notes_store import NotesFile, Reached
    from memdir.agent.notes_text import template
    from memdir.store.transcripts import Reader

    state = os.path.join(os.environ["XDG_STATE_HOME"], "memdir")
    text = template().replace(
        "_What this session is about, in at most ten words._\n",
        "_What this session is about, in at most ten words._\nImport tests\n",
    )
    last = list(Reader(str(session)).read())[-1]
    NotesFile(str(session), state).write(text, Reached(last.end, last.start, last.uuid, 12_000))
    append(session, person("And the export?"), agent("Next."))
    client = await start(VSCODE)
    [found] = await client.run("notes")
    assert (found["session"], found["title"], found["running"]) == ("s1", "Import tests", True)
    assert to_path(found["uri"]).read_text() == found["text"] == text
    answer = await client.run("continueSession")
    assert answer["source"] == "notes"
    assert "Import tests" in answer["text"]
    assert "And the export?" in answer["text"]
    assert key.requests == []


async def test_a_changed_memory_is_proposed_as_a_change(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    place.write(
        "project_freeze.md", memory_text("Freeze", "Frozen until 2026-03-20.", description="Merge freeze")
    )
    append(session, person("The freeze now ends on 2026-03-27"), agent("OK"))
    edit = {"path": "project_freeze.md", "old": "2026-03-20", "new": "2026-03-27", "reason": "the date moved", "evidence": [{"message": "m5", "quote": "ends on 2026-03-27"}]}  # fmt: skip
    client = await start(VSCODE)
    await extracted(client, key, Reply(tools=(("edit", edit),)), DONE)
    [item] = await client.run("inbox")
    assert (item["title"], item["notes"]) == ("Change: Freeze", ["the date moved"])
    assert "2026-03-20" in item["before"] and "2026-03-27" in item["text"]
    assert item["uri"] == place.uri("project_freeze.md")
    # the file changed meanwhile: nothing is overwritten, all three texts come along
    path = place.memory / "project_freeze.md"
    path.write_text(path.read_text() + "More.\n")
    with pytest.raises(ServerError, match="changed meanwhile") as clash:
        await client.run("inboxAccept", id=item["id"])
    [texts] = clash.value.data["clashes"]
    assert texts["base"] == item["before"]
    assert texts["mine"] == item["text"]
    assert texts["theirs"].endswith("More.\n")
    assert len(await client.run("inbox")) == 1
    assert "2026-03-27" not in json.dumps(path.read_text())
