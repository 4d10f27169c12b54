"""Saving, forgetting, logging and undoing over real stdio."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.lsp.client import Client, ServerError
from tests.lsp.conftest import Place, Start, make_place
from tests.lsp.edits import to_path
from tests.lsp.profiles import PLAIN, VSCODE

FACT = {
    "type": "project",
    "name": "Release train",
    "description": "Releases leave every second Tuesday because the store review takes a week",
    "body": "Releases leave every second Tuesday.\n\n**Why:** the store review takes a week.\n\n**How to apply:** plan backwards from it.",
}


async def test_save_writes_file_and_line_and_can_be_undone(place: Place, start: Start) -> None:
    place.topic("user_role.md", name="Role", type="user")
    index = place.index("user_role.md")
    before = index.read_bytes()
    client = await start(VSCODE)
    answer = await client.run("save", **FACT)
    assert (answer["saved"], answer["scope"], answer["questions"]) == (True, "private", [])
    saved = to_path(answer["uri"])
    assert saved == place.memory / "project_release_train.md"
    assert "name: Release train\n" in saved.read_text()
    assert "](project_release_train.md)" in index.read_text()
    assert answer["done"]["created"] == [answer["uri"]]
    assert answer["done"]["changed"] == [place.uri("MEMORY.md")]
    [change] = await client.run("changes")
    assert (change["id"], change["origin"], change["inForce"], change["undoneBy"]) == (
        answer["done"]["id"],
        "save",
        True,
        None,
    )
    assert {f["uri"]: f["change"] for f in change["files"]} == {
        answer["uri"]: "created",
        place.uri("MEMORY.md"): "changed",
    }
    undone = await client.run("undo")
    assert undone["deleted"] == [answer["uri"]]
    assert not saved.exists()
    assert index.read_bytes() == before
    [again, first] = await client.run("changes")
    assert (again["undoes"], first["undoneBy"], first["inForce"]) == (first["id"], again["id"], False)


async def test_a_duplicate_is_asked_about_first(place: Place, start: Start) -> None:
    known = place.topic(
        "project_train.md", name="Release train", description=FACT["description"], type="project"
    )
    place.index("project_train.md")
    client = await start(VSCODE)
    answer = await client.run("save", **FACT)
    assert answer["saved"] is False
    assert answer["done"] is None
    [question] = answer["questions"]
    assert question["kind"] == "duplicate"
    assert question["candidates"][0]["uri"] == known.as_uri()
    assert sorted(p.name for p in place.memory.iterdir()) == ["MEMORY.md", "project_train.md"]
    updated = await client.run("save", **{**FACT, "update": known.as_uri()})
    assert updated["saved"] is True
    assert "store review takes a week" in known.read_text()
    forced = await client.run("save", **{**FACT, "force": True})
    assert to_path(forced["uri"]).name == "project_release_train.md"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({**FACT, "type": "novel"}, "Unknown type"),
        ({**FACT, "description": " "}, "needs a description"),
        ({**FACT, "scope": "public"}, "private or team"),
        ({**FACT, "scope": "team"}, "no team directory"),
        ({**FACT, "update": "file:///elsewhere/x.md"}, "no memory of this directory"),
        ({**FACT, "folder": "file:///nowhere"}, "no folder of this window"),
        ({}, "Unknown type"),
    ],
)
async def test_what_cannot_be_saved_is_explained(
    place: Place, start: Start, given: dict[str, str], words: str
) -> None:
    client = await start(VSCODE)
    with pytest.raises(ServerError, match=words) as failure:
        await client.run("save", **given)
    assert failure.value.code == -32803
    assert not place.memory.exists()


async def test_explanations_are_in_the_editors_language(place: Place, start: Start) -> None:
    client = await start(VSCODE, locale="zh-cn")
    with pytest.raises(ServerError, match="团队"):
        await client.run("save", **{**FACT, "scope": "team"})


async def test_an_unsaved_index_is_changed_by_the_editor(place: Place, start: Start) -> None:
    place.topic("user_role.md", name="Role", type="user")
    index = place.index("user_role.md")
    client = await start(VSCODE)
    uri = client.open(index)
    client.change(uri, client.texts[uri] + "\nUnsaved words.\n")
    answer = await client.run("save", **FACT)
    assert answer["saved"] is True
    assert answer["done"]["id"] is None
    assert "Unsaved words." in client.texts[uri]
    assert "](project_release_train.md)" in client.texts[uri]
    assert "Unsaved words." not in index.read_text()


async def test_forget_takes_the_pointers_along(place: Place, start: Start) -> None:
    gone = place.topic("project_a.md", name="Alpha", type="project")
    place.topic("feedback_b.md", name="Beta")
    index = place.index("project_a.md", "feedback_b.md")
    client = await start(VSCODE)
    answer = await client.run("forget", what="Alpha")
    assert answer["done"]["deleted"] == [gone.as_uri()]
    assert not gone.exists()
    assert "project_a.md" not in index.read_text()
    await client.run("undo", id=answer["done"]["id"])
    assert gone.exists()
    near = await client.run("forget", what="what we agreed about b")
    assert near["done"] is None
    assert near["matches"][0]["name"] == "Beta"
    by_file = await client.run("forget", uri=gone.as_uri())
    assert by_file["done"]["deleted"] == [gone.as_uri()]
    with pytest.raises(ServerError, match="which memory to forget"):
        await client.run("forget")


async def test_log(place: Place, start: Start) -> None:
    client = await start(VSCODE)
    first = await client.run("log", text="Rotated the staging keys")
    second = await client.run("log", text="and the  production\nones")
    path = to_path(first["uri"])
    assert path.relative_to(place.memory).parts[0] == "logs"
    assert path.read_text() == f"{first['entry']}\n{second['entry']}\n"
    assert first["entry"].endswith("Rotated the staging keys")
    with pytest.raises(ServerError, match="nothing to log"):
        await client.run("log", text="  ")


async def test_undo_meets_a_later_change(place: Place, start: Start) -> None:
    client = await start(VSCODE)
    answer = await client.run("save", **FACT)
    saved = to_path(answer["uri"])
    saved.write_text(saved.read_text() + "Written by somebody else.\n")
    _, future = client.start_request("workspace/executeCommand", client.call("undo"))
    with pytest.raises(ServerError, match="changed meanwhile") as failure:
        await future
    assert failure.value.code == -32803
    [clash] = failure.value.data["clashes"]
    assert clash["uri"] == answer["uri"]
    assert clash["theirs"].endswith("Written by somebody else.\n")
    assert saved.read_text().endswith("Written by somebody else.\n")
    with pytest.raises(ServerError, match="no number of a change"):
        await client.run("undo", id="x")


async def test_nothing_to_undo(place: Place, start: Start) -> None:
    client = await start(PLAIN)
    assert await client.run("changes") == []
    with pytest.raises(ServerError, match="no change to undo"):
        await client.run("undo")


async def test_several_folders_must_be_told_apart(home: Path, place: Place, start: Start) -> None:
    other = make_place(home, "other")
    client = await start(VSCODE, place.repo, other.repo)
    with pytest.raises(ServerError, match="which folder"):
        await client.run("save", **FACT)
    answer = await client.run("save", **FACT, folder=other.repo.as_uri())
    assert to_path(answer["uri"]).parent == other.memory
    by_file = await client.run("save", **FACT, uri=(place.repo / "src" / "x.py").as_uri())
    assert to_path(by_file["uri"]).parent == place.memory


async def test_without_a_folder_it_says_so(start: Start) -> None:
    async with await Client.start(VSCODE) as client:
        await client.initialize()
        with pytest.raises(ServerError, match="Open a folder first"):
            await client.run("save", **FACT)


async def test_cancelling_the_request_ends_a_command(place: Place, start: Start) -> None:
    """A question to the person is open; the editor cancels the command that asked it."""
    client = await start(VSCODE)
    client.silent.add("window/showMessageRequest")
    ident, future = client.start_request(
        "workspace/executeCommand", client.call("saveSelection", text="Deploys are frozen in August.")
    )
    await client.until(lambda: any(m == "window/showMessageRequest" for m, _ in client.asked))
    client.notify("$/cancelRequest", {"id": ident})
    with pytest.raises(ServerError) as failure:
        await asyncio.wait_for(future, 10)
    assert failure.value.code == -32800
    assert (await client.run("changes")) == []
    assert not os.path.exists(place.memory)


async def test_an_unknown_command_is_an_error(place: Place, start: Start) -> None:
    client = await start(VSCODE)
    with pytest.raises(ServerError) as failure:
        await client.run("doesNotExist")
    assert failure.value.code == -32602
