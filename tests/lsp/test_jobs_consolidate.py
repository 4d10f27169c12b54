"""Consolidation through the server: proposals with and without a model, reviewed by file and hunk, cancelled, undone."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from memdir.store.consolidate_lock import NAME
from tests.agent.dream_world import DB, MERGE, MERGED, MOCKS
from tests.agent.sessions import agent, append, person
from tests.loopback.fixture import loopback
from tests.loopback.script import Reply
from tests.loopback.server import Loopback
from tests.lsp.client import Client, ServerError
from tests.lsp.conftest import Place, Start, codes, own_words
from tests.lsp.profiles import NEOVIM, VSCODE
from tests.lsp.test_jobs_actions import named
from tests.lsp.test_jobs_recall import key

__all__ = ["key", "loopback"]


@pytest.fixture
def memories(place: Place) -> Place:
    place.write(
        "MEMORY.md",
        "- [Real database](feedback_db.md) — real PostgreSQL\n- [No mocks](feedback_mocks.md) — no mocks\n",
    )
    place.write("feedback_db.md", DB)
    place.write("feedback_mocks.md", MOCKS)
    place.write("logs/2026/03/2026-03-09.md", "- 09:00 Mara owns the release\n")
    append(
        place.memory.parent / "s1.jsonl",
        person("The freeze ends on 2026-03-20", cwd=str(place.repo)),
        agent("OK"),
    )
    return place


def texts(place: Place) -> dict[str, str]:
    return {p.name: p.read_text() for p in place.memory.glob("*.md")}


async def proposed(client: Client, key: Loopback) -> dict[str, Any]:
    key.script.then(*MERGE)
    answer = await client.run("consolidate", force=True)
    assert answer["byModel"] is True
    assert answer["review"], answer
    review: dict[str, Any] = await client.run("review", id=answer["review"])
    return review


async def test_by_a_model_reviewed_as_a_whole(memories: Place, key: Loopback, start: Start) -> None:
    client = await start(VSCODE)
    before = texts(memories)
    review = await proposed(client, key)
    assert texts(memories) == before
    files = {f["label"]: f for f in review["files"]}
    assert {name: f["kind"] for name, f in files.items()} == {
        "MEMORY.md": "edit",
        "feedback_db.md": "edit",
        "feedback_mocks.md": "delete",
    }
    assert files["feedback_db.md"]["after"] == MERGED
    assert files["feedback_db.md"]["reasons"] == ["because of write"]
    assert files["feedback_mocks.md"]["consent"] == "the file is deleted"
    assert any(
        "Mocks of the tide client are not wanted" in text for text in files["feedback_mocks.md"]["lost"]
    )
    assert "Two memories on tests became one." in review["notes"]
    # the phases were shown, and could have been cancelled
    begun = [p for m, p in client.told if m == "$/progress" and p["value"]["kind"] == "begin"]
    assert [b["value"]["title"] for b in begun] == ["Consolidation"]
    assert begun[0]["value"]["cancellable"] is True
    shown = [p["value"]["message"] for m, p in client.told if m == "$/progress" and "message" in p["value"]]
    assert list(dict.fromkeys(shown)) == [
        "Looking through the memories",
        "Gathering what is new",
        "Bringing memories together",
        "Putting the index in order",
    ]
    [item] = await client.run("inbox")
    assert (item["kind"], item["review"], item["files"]) == ("consolidation", review["id"], 3)
    with pytest.raises(ServerError, match="file by file"):
        await client.run("inboxAccept", id=item["id"])

    # the deletion stays behind: it was not agreed to
    answer = await client.run("accept", id=review["id"])
    assert answer["left"] == 2
    assert (memories.memory / "feedback_db.md").read_text() == MERGED
    assert (memories.memory / "feedback_mocks.md").exists()
    assert "(feedback_mocks.md)" in (memories.memory / "MEMORY.md").read_text()
    rest = await client.run("review", id=review["id"])
    mocks = next(f for f in rest["files"] if f["kind"] == "delete")
    with pytest.raises(ServerError, match="consent"):
        await client.run("accept", id=review["id"], files=[mocks["uri"]])
    last = await client.run("accept", id=review["id"], consent=[mocks["uri"]])
    assert last["left"] == 0
    assert not (memories.memory / "feedback_mocks.md").exists()
    assert (
        memories.memory / "MEMORY.md"
    ).read_text() == "- [Real database](feedback_db.md) — real PostgreSQL\n"
    assert await client.run("inbox") == []
    for change in [c for c in await client.run("changes") if c["inForce"]]:
        await client.run("undo", id=change["id"])
    assert texts(memories) == before


async def test_hunks_are_taken_and_refused_alone(memories: Place, key: Loopback, start: Start) -> None:
    lines = [f"Rule {n} stands by itself." for n in range(30)]
    old = DB + "\n".join(lines) + "\n"
    new = old.replace("Rule 3 stands", "Rule three stands").replace(
        "Rule 25 stands", "Rule twenty-five stands"
    )
    memories.write("feedback_db.md", old)
    write = ("write", {"path": "feedback_db.md", "content": new, "reason": "numbers in words"})
    read = ("read", {"path": "feedback_db.md"})
    key.script.then(
        Reply("Looked.", tools=(read,)), Reply("Done."), Reply("Nothing new."), Reply(tools=(write,)), Reply("Done."), Reply("Done.")
    )  # fmt: skip
    client = await start(VSCODE)
    answer = await client.run("consolidate", force=True)
    review = await client.run("review", id=answer["review"])
    file = next(f for f in review["files"] if f["label"] == "feedback_db.md")
    first, second = file["hunks"]
    assert first["header"].startswith("@@ ")
    assert [line for line in first["lines"] if line.startswith("+")] == ["+Rule three stands by itself."]
    taken = await client.run("accept", id=review["id"], hunks=[first["id"]])
    text = (memories.memory / "feedback_db.md").read_text()
    assert text == old.replace("Rule 3 stands", "Rule three stands")
    assert taken["left"] >= 1, "the other piece still waits"
    rest = await client.run("review", id=review["id"])
    [left] = [f for f in rest["files"] if f["label"] == "feedback_db.md"]
    assert [h["lines"] for h in left["hunks"]] == [second["lines"]]
    await client.run("refuse", id=review["id"], hunks=[left["hunks"][0]["id"]])
    assert (memories.memory / "feedback_db.md").read_text() == text
    items = await client.run("inbox")
    names = [f["label"] for i in items for f in (await client.run("review", id=i["review"]))["files"]]
    assert "feedback_db.md" not in names


async def test_refused_for_good(memories: Place, key: Loopback, start: Start) -> None:
    client = await start(VSCODE)
    review = await proposed(client, key)
    before = texts(memories)
    index = next(f["uri"] for f in review["files"] if f["label"] == "MEMORY.md")
    assert await client.run("refuse", id=review["id"], files=[index]) == 2
    assert await client.run("refuse", id=review["id"]) == 0
    assert await client.run("inbox") == []
    assert texts(memories) == before
    with pytest.raises(ServerError, match="no longer there"):
        await client.run("review", id=review["id"])


async def test_cancelled_in_the_middle(memories: Place, key: Loopback, start: Start) -> None:
    key.script.then(MERGE[0], Reply(fault="timeout"))
    client = await start(VSCODE)
    _, future = client.start_request("workspace/executeCommand", client.call("consolidate", force=True))
    await asyncio.to_thread(key.wait, 2)
    [begun] = [p for m, p in client.told if m == "$/progress" and p["value"]["kind"] == "begin"]
    client.notify("window/workDoneProgress/cancel", {"token": begun["token"]})
    with pytest.raises(ServerError) as cancelled:
        await asyncio.wait_for(future, 20)
    assert cancelled.value.code == -32800
    assert await client.run("inbox") == []
    assert not (memories.memory / NAME).exists()
    assert any(p["value"]["kind"] == "end" for m, p in client.told if m == "$/progress")
    # and it can be started again
    assert (await proposed(client, key))["files"]


async def test_not_due_is_said_first(memories: Place, start: Start) -> None:
    client = await start(VSCODE)
    answer = await client.run("consolidate")
    assert (answer["due"], answer["review"]) == (False, None)
    assert "Sessions since the last time" in answer["message"]


async def test_mechanically_without_a_key(memories: Place, start: Start) -> None:
    body = (
        "Deploys are frozen in August.\n\n**Why:** holidays.\n\n**How to apply:** plan around it. "
        + own_words("x")
    )
    memories.topic(
        "project_a.md", name="August", description="Deploys are frozen in August", type="project", body=body
    )
    memories.topic(
        "project_b.md",
        name="August again",
        description="Deploys are frozen in August",
        type="project",
        body=body,
    )
    client = await start(VSCODE)
    answer = await client.run("consolidate", force=True)
    assert answer["byModel"] is False
    assert "ANTHROPIC_API_KEY" in answer["notes"][0]
    review = await client.run("review", id=answer["review"])
    deleted = [f for f in review["files"] if f["kind"] == "delete"]
    assert [f["label"] in ("project_a.md", "project_b.md") for f in deleted] == [True]
    # what belongs together is taken together
    await client.run("accept", id=review["id"], files=[deleted[0]["uri"]], consent=[deleted[0]["uri"]])
    left = sorted(p.name for p in memories.memory.glob("project_*.md"))
    assert len(left) == 1
    assert "Deploys are frozen in August." in (memories.memory / left[0]).read_text()


async def test_a_near_duplicate_offers_to_bring_both_together(memories: Place, start: Start) -> None:
    body = (
        "Deploys are frozen in August.\n\n**Why:** holidays.\n\n**How to apply:** plan around it. "
        + own_words("x")
    )
    path = memories.topic(
        "project_a.md", name="August", description="Deploys are frozen in August", type="project", body=body
    )
    memories.topic(
        "project_b.md",
        name="August again",
        description="Deploys are frozen in August",
        type="project",
        body=body,
    )
    client = await start(NEOVIM)
    uri = client.open(path)
    await client.until(lambda: "near-duplicate" in codes(client.diagnostics.get(uri)))
    [finding] = [d for d in client.diagnostics[uri] if d["code"] == "near-duplicate"]
    action = named(await client.actions(uri, finding["range"], [finding]), "Consolidate these memories")
    done = await client.request(
        "workspace/executeCommand",
        {"command": action["command"]["command"], "arguments": action["command"]["arguments"]},
    )
    assert done is True
    assert sorted(p.name for p in memories.memory.glob("project_*.md")) != ["project_a.md", "project_b.md"]


async def test_a_missing_directory_is_explained(place: Place, start: Start) -> None:
    client = await start(VSCODE)
    assert not os.path.exists(place.memory)
    with pytest.raises(ServerError, match="no memories yet"):
        await client.run("consolidate")
