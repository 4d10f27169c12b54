"""A memory that was changed while a proposal for it waited: three texts, brought together by a person, nothing overwritten."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from tests.agent.dream_world import MERGED
from tests.agent.sessions import agent, append, memory_text, person
from tests.loopback.fixture import loopback
from tests.loopback.script import Reply
from tests.loopback.server import Loopback
from tests.lsp.client import Client, ServerError
from tests.lsp.conftest import Place, Start
from tests.lsp.profiles import VSCODE
from tests.lsp.test_jobs_consolidate import memories, proposed
from tests.lsp.test_jobs_inbox import extracted, session
from tests.lsp.test_jobs_recall import key

__all__ = ["key", "loopback", "memories", "session"]

BASE = memory_text("Freeze", "Frozen until 2026-03-20.", description="Merge freeze")


async def clashing(place: Place, session: Path, key: Loopback, client: Client) -> tuple[Any, Any, Path]:
    """(the item, its three texts, the file): a change is proposed, and the file is changed by somebody else."""
    path = place.write("project_freeze.md", BASE)
    append(session, person("The freeze now ends on 2026-03-27"), agent("OK"))
    edit = {"path": "project_freeze.md", "old": "2026-03-20", "new": "2026-03-27", "reason": "the date moved", "evidence": [{"message": "m5", "quote": "ends on 2026-03-27"}]}  # fmt: skip
    await extracted(client, key, Reply(tools=(("edit", edit),)), Reply("Done."))
    [item] = await client.run("inbox")
    path.write_text(BASE + "Hotfixes may pass.\n")
    with pytest.raises(ServerError, match="changed meanwhile") as error:
        await client.run("inboxAccept", id=item["id"])
    [clash] = error.value.data["clashes"]
    return item, clash, path


async def test_both_texts_brought_together_are_taken(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    client = await start(VSCODE)
    item, clash, path = await clashing(place, session, key, client)
    present = path.read_text()
    assert (clash["base"], clash["theirs"], clash["mine"]) == (item["before"], present, item["text"])
    result = present.replace("2026-03-20", "2026-03-27")
    merged = {"id": item["id"], "uri": clash["uri"], "theirs": present}
    with pytest.raises(ServerError, match="header"):
        await client.run("inboxMerge", text="no memory any more\n", **merged)
    assert await client.run("inboxMerge", text=result, **merged) == {"waiting": True}
    assert path.read_text() == present, "nothing is written before the proposal is taken"
    [again] = await client.run("inbox")
    assert (again["before"], again["text"]) == (present, result)
    taken = await client.run("inboxAccept", id=item["id"])
    assert path.read_text() == result
    assert await client.run("inbox") == []
    await client.run("undo", id=taken["done"]["id"])
    assert path.read_text() == present


async def test_changed_once_more_while_it_was_looked_at(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    client = await start(VSCODE)
    item, clash, path = await clashing(place, session, key, client)
    newest = path.read_text() + "One more line.\n"
    path.write_text(newest)
    merged = clash["theirs"].replace("2026-03-20", "2026-03-27")
    with pytest.raises(ServerError, match="changed meanwhile") as error:
        await client.run("inboxMerge", id=item["id"], uri=clash["uri"], text=merged, theirs=clash["theirs"])
    [texts] = error.value.data["clashes"]
    assert (texts["base"], texts["mine"], texts["theirs"]) == (clash["theirs"], merged, newest)
    assert path.read_text() == newest
    path.unlink()
    with pytest.raises(ServerError, match="gone"):
        await client.run("inboxMerge", id=item["id"], uri=clash["uri"], text=merged, theirs=newest)
    with pytest.raises(ServerError, match="no longer there"):
        await client.run("inboxMerge", id="99", uri=clash["uri"], text=merged, theirs=newest)


async def test_keeping_the_present_text_settles_the_proposal(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    client = await start(VSCODE)
    item, clash, path = await clashing(place, session, key, client)
    present = path.read_text()
    answer = await client.run(
        "inboxMerge", id=item["id"], uri=clash["uri"], text=present, theirs=clash["theirs"]
    )
    assert answer == {"waiting": False}
    assert await client.run("inbox") == []
    assert path.read_text() == present


async def test_a_byte_order_mark_stays(place: Place, session: Path, key: Loopback, start: Start) -> None:
    client = await start(VSCODE)
    item, clash, path = await clashing(place, session, key, client)
    path.write_bytes(b"\xef\xbb\xbf" + clash["theirs"].encode())
    merged = clash["theirs"].replace("2026-03-20", "2026-03-27")
    await client.run("inboxMerge", id=item["id"], uri=clash["uri"], text=merged, theirs=clash["theirs"])
    await client.run("inboxAccept", id=item["id"])
    assert path.read_bytes() == b"\xef\xbb\xbf" + merged.encode()


async def test_bytes_that_are_no_text_are_not_lost(
    place: Place, session: Path, key: Loopback, start: Start
) -> None:
    client = await start(VSCODE)
    item, clash, path = await clashing(place, session, key, client)
    odd = clash["theirs"].encode() + b"caf\xe9\n"
    path.write_bytes(odd)
    with pytest.raises(ServerError, match="changed meanwhile") as error:
        await client.run("inboxAccept", id=item["id"])
    [texts] = error.value.data["clashes"]
    with pytest.raises(ServerError, match="not UTF-8"):
        await client.run(
            "inboxMerge", id=item["id"], uri=clash["uri"], text=texts["theirs"], theirs=texts["theirs"]
        )
    assert path.read_bytes() == odd
    [same] = await client.run("inbox")
    assert same["text"] == item["text"]


async def test_a_file_of_a_consolidation(memories: Place, key: Loopback, start: Start) -> None:
    client = await start(VSCODE)
    review = await proposed(client, key)
    assert review["clashes"] == []
    path = memories.memory / "feedback_db.md"
    present = path.read_text() + "\nSpring tides too.\n"
    path.write_text(present)
    # the agent lists a memory of its own meanwhile: that is no clash, the index follows
    index = memories.memory / "MEMORY.md"
    memories.topic("project_new.md", name="New", description="Something new", type="project")
    index.write_text(index.read_text() + "- [New](project_new.md) — something new\n")

    review = await client.run("review", id=review["id"])
    [clash] = review["clashes"]
    assert (clash["uri"], clash["mine"], clash["theirs"]) == (path.as_uri(), MERGED, present)
    assert path.as_uri() not in [f["uri"] for f in review["files"]]
    # what fits is taken; what clashes goes on waiting
    mocks = next((f["uri"] for f in review["files"] if f["kind"] == "delete"), None)
    if mocks is not None:
        await client.run("accept", id=review["id"], files=[mocks], consent=[mocks])
    review = await client.run("review", id=review["id"])
    assert [c["uri"] for c in review["clashes"]] == [path.as_uri()]
    assert path.read_text() == present

    result = MERGED + "\nSpring tides too.\n"
    answer = await client.run("inboxMerge", id=review["id"], uri=path.as_uri(), text=result, theirs=present)
    assert answer == {"waiting": True}
    review = await client.run("review", id=review["id"])
    assert review["clashes"] == []
    consent = [f["uri"] for f in review["files"]]
    taken = await client.run("accept", id=review["id"], consent=consent)
    assert taken["left"] == 0
    assert path.read_text() == result
    assert not (memories.memory / "feedback_mocks.md").exists()
    assert "(feedback_mocks.md)" not in index.read_text()
    assert "- [New](project_new.md) — something new" in index.read_text()
    assert await client.run("inbox") == []


async def test_a_clash_can_be_refused(memories: Place, key: Loopback, start: Start) -> None:
    client = await start(VSCODE)
    review = await proposed(client, key)
    path = memories.memory / "feedback_db.md"
    path.write_text(path.read_text() + "\nSpring tides too.\n")
    present = path.read_text()
    await client.run("refuse", id=review["id"], files=[path.as_uri()])
    items = await client.run("inbox")
    for item in items:
        left = await client.run("review", id=item["review"])
        assert path.as_uri() not in [c["uri"] for c in left["clashes"]]
    assert path.read_text() == present


async def test_what_was_to_be_deleted_and_was_changed_stays(
    memories: Place, key: Loopback, start: Start
) -> None:
    client = await start(VSCODE)
    review = await proposed(client, key)
    path = memories.memory / "feedback_mocks.md"
    present = path.read_text() + "\nNot even for the spring tide.\n"
    path.write_text(present)
    review = await client.run("review", id=review["id"])
    [clash] = review["clashes"]
    assert (clash["uri"], clash["mine"], clash["theirs"]) == (path.as_uri(), None, present)
    consent = [path.as_uri(), *(f["uri"] for f in review["files"])]
    with contextlib.suppress(ServerError):  # what goes together with it may be all there was
        await client.run("accept", id=review["id"], consent=consent)
    assert path.read_text() == present
    assert "(feedback_mocks.md)" in (memories.memory / "MEMORY.md").read_text()
