"""Recall through the server: by words, by a model on the loopback server, its failures, judging, descriptions."""

from __future__ import annotations

import asyncio
import json
import os
import time
from datetime import datetime, timedelta

import pytest

from memdir.store.recalls import RecallLog
from tests.loopback.fixture import loopback
from tests.loopback.script import Reply, failure
from tests.loopback.server import Loopback
from tests.lsp.client import ServerError
from tests.lsp.conftest import Place, Start
from tests.lsp.profiles import VSCODE
from tests.lsp.test_jobs_actions import named, ready, select

__all__ = ["loopback"]


@pytest.fixture
def memories(place: Place) -> Place:
    place.topic("feedback_real_db.md", name="Real database", description="Integration tests must hit a real database, never mocks")  # fmt: skip
    place.topic("project_freeze.md", name="Freeze", description="Merge freeze for the mobile release cut", type="project")  # fmt: skip
    old = place.topic("reference_grafana.md", name="Grafana", description="Grafana board for on-call API latency", type="reference", body="See `src/gone.py`.")  # fmt: skip
    (place.repo / "src").mkdir()
    (place.repo / "src" / "here.py").write_text("pass\n")
    past = (datetime.now() - timedelta(days=47)).timestamp()
    os.utime(old, (past, past))
    place.index("feedback_real_db.md", "project_freeze.md", "reference_grafana.md")
    return place


PATIENT = {"recall": {"deadline-ms": 30_000}}  # the machine that runs the tests may be busy


@pytest.fixture
def key(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    """The server finds the loopback service and a key for it."""
    for name, value in loopback.environ.items():
        monkeypatch.setenv(name, value)
    return loopback


async def test_by_words_without_a_key(memories: Place, start: Start) -> None:
    client = await start(VSCODE)
    await client.run("prepareRecall")
    answer = await client.run("recall", query="which board shows API latency for on-call?")
    assert answer["method"] == "lexical"
    assert "ANTHROPIC_API_KEY" in answer["fallback"]
    assert [c["file"] for c in answer["selected"]] == ["reference_grafana.md"]
    [choice] = answer["selected"]
    assert (choice["uri"], choice["name"], choice["type"], choice["age"]) == (
        memories.uri("reference_grafana.md"),
        "Grafana",
        "reference",
        "47 days ago",
    )
    assert choice["reason"].startswith("description: ")
    assert "src/gone.py" in choice["caveat"]
    assert 0 < choice["score"] <= 1
    assert answer["candidates"] == 3
    assert answer["id"]


async def test_an_open_text_counts_before_it_is_saved(memories: Place, start: Start) -> None:
    client = await start(VSCODE)
    uri = client.open(memories.memory / "project_freeze.md")
    assert (await client.run("recall", query="kestrel migration"))["selected"] == []
    client.change(uri, client.texts[uri].replace("Merge freeze", "Kestrel migration: merge freeze"))
    answer = await client.run("recall", query="kestrel migration")
    assert [c["file"] for c in answer["selected"]] == ["project_freeze.md"]


async def test_a_model_chooses(memories: Place, key: Loopback, start: Start) -> None:
    chosen = [{"file": "feedback_real_db.md", "reason": "says how tests reach the database"}]
    key.script.then(Reply(json={"selected": chosen}))
    client = await start(VSCODE, settings=PATIENT)
    await client.run("prepareRecall")
    answer = await client.run("recall", query="may I mock the database in integration tests?", limit=3)
    assert (answer["method"], answer["fallback"]) == ("model", None)
    [choice] = answer["selected"]
    assert (choice["file"], choice["reason"]) == (
        "feedback_real_db.md",
        "the model: says how tests reach the database",
    )
    assert choice["caveat"] is None
    assert any("tokens" in note for note in answer["notes"])
    request = json.dumps(key.requests[0], ensure_ascii=False)
    assert "may I mock the database" in request
    assert "reference_grafana.md" in request


async def test_a_failing_model_is_named_and_words_decide(
    memories: Place, key: Loopback, start: Start
) -> None:
    key.script.then(failure(401, message="no such key"))
    client = await start(VSCODE, settings=PATIENT)
    answer = await client.run("recall", query="merge freeze for the release")
    assert answer["method"] == "lexical"
    assert answer["fallback"]
    assert [c["file"] for c in answer["selected"]] == ["project_freeze.md"]
    # and it can be left out from the start
    quiet = await client.run("recall", query="merge freeze for the release", noModel=True)
    assert (quiet["method"], quiet["fallback"]) == ("lexical", None)
    assert len(key.requests) == 1


async def test_the_reader_stays_free_and_a_recall_can_be_cancelled(
    memories: Place, key: Loopback, start: Start
) -> None:
    key.script.then(Reply(fault="timeout"))
    client = await start(VSCODE, settings=PATIENT)
    await client.run("prepareRecall")
    ident, future = client.start_request(
        "workspace/executeCommand", client.call("recall", query="merge freeze for the release")
    )
    await asyncio.to_thread(key.wait, 1)
    before = time.monotonic()
    await client.request("memdir/status", {})
    assert time.monotonic() - before < 2
    client.notify("$/cancelRequest", {"id": ident})
    with pytest.raises(ServerError) as cancelled:
        await asyncio.wait_for(future, 10)
    assert cancelled.value.code == -32800


async def test_a_result_is_judged(memories: Place, start: Start, home: object) -> None:
    client = await start(VSCODE)
    answer = await client.run("recall", query="board for API latency")
    uri = memories.uri("reference_grafana.md")
    assert await client.run("judgeRecall", recall=answer["id"], uri=uri, right=False) is True
    state = os.path.join(os.environ["XDG_STATE_HOME"], "memdir")
    records = list(RecallLog(state, str(memories.memory)).read())
    marks = [r for r in records if r["kind"] == "mark"]
    assert [(m["recall"], m["file"], m["right"]) for m in marks] == [
        (answer["id"], "reference_grafana.md", False)
    ]
    with pytest.raises(ServerError, match="no such result"):
        await client.run("judgeRecall", recall="", right=True)


async def test_no_records_when_they_are_switched_off(memories: Place, start: Start) -> None:
    client = await start(VSCODE, settings={"recall": {"records": False}})
    answer = await client.run("recall", query="board for API latency")
    assert answer["id"] == ""
    assert await client.run("judgeRecall", recall="x", file="reference_grafana.md", right=True) is False


async def test_an_empty_query_is_explained(memories: Place, start: Start) -> None:
    client = await start(VSCODE, locale="zh-cn")
    with pytest.raises(ServerError, match="查询"):
        await client.run("recall", query=" ")


async def test_switched_off_memory_is_mentioned(
    memories: Place, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    client = await start(VSCODE)
    answer = await client.run("recall", query="board for API latency")
    assert [c["file"] for c in answer["selected"]] == ["reference_grafana.md"]
    assert "CLAUDE_CODE_DISABLE_AUTO_MEMORY" in answer["notes"][0]


async def test_the_model_describes_a_memory_anew(memories: Place, key: Loopback, start: Start) -> None:
    path = memories.topic("project_k.md", name="Kestrel", description="stuff", type="project", body="Kestrel is the rewrite of invoicing.")  # fmt: skip
    key.script.then(Reply(json={"description": "Kestrel: the rewrite of invoicing, and why it was started"}))
    client = await start(VSCODE)
    await ready(client, memories, "a", "b", "c", "d")
    uri = client.open(path)
    where = select(client.texts[uri], "stuff")
    action = named(await client.actions(uri, where), "Ask the model for a better description")
    done = await client.request(
        "workspace/executeCommand",
        {"command": action["command"]["command"], "arguments": action["command"]["arguments"]},
    )
    assert done is True
    assert "description: " in client.texts[uri]
    assert "Kestrel: the rewrite of invoicing, and why it was started" in client.texts[uri]
    [annotation] = client.edits[0]["changeAnnotations"].values()
    assert annotation["needsConfirmation"] is True
    assert "Kestrel is the rewrite of invoicing." in json.dumps(key.requests[0])


async def test_without_a_key_no_description_is_offered(memories: Place, start: Start) -> None:
    path = memories.topic("project_k.md", name="Kestrel", description="stuff", type="project", body="Kestrel is the rewrite.")  # fmt: skip
    client = await start(VSCODE)
    await ready(client, memories, "a", "b", "c", "d")
    uri = client.open(path)
    titles = [a["title"] for a in await client.actions(uri, select(client.texts[uri], "stuff"))]
    assert not [t for t in titles if "model" in t]
    with pytest.raises(ServerError, match="ANTHROPIC_API_KEY"):
        await client.run("describe", uri=uri)


async def test_nothing_heavy_is_loaded_before_it_is_asked_for(
    memories: Place, key: Loopback, start: Start
) -> None:
    """Neither the model's SDK nor the team's client are in the server's memory after its start."""
    client = await start(VSCODE)
    await ready(client, memories, "a", "b", "c")
    maps = f"/proc/{client.process.pid}/maps"
    if not os.path.exists(maps):
        pytest.skip("needs /proc")
    with open(maps) as file:
        loaded = file.read()
    assert "pydantic_core" not in loaded  # the SDK's compiled part
    await client.run("prepareRecall")
    with open(maps) as file:
        assert "pydantic_core" in file.read()
