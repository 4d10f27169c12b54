"""One scripted session per question that an editor asks about a text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.client import Client, ServerError
from tests.lsp.conftest import Place, Start
from tests.lsp.edits import to_path
from tests.lsp.profiles import NEOVIM, PLAIN, VSCODE

Json = dict[str, Any]


def at(client: Client, uri: str, words: str, inside: int = 1) -> Json:
    """The position `inside` characters into `words` (ASCII lines only)."""
    text = client.texts[uri]
    offset = text.index(words) + inside
    line = text.count("\n", 0, offset)
    return {
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": offset - (text.rfind("\n", 0, offset) + 1)},
    }


async def ready(client: Client, count: int = 1) -> None:
    """Wait until the directory has been read."""
    await client.until(
        lambda: any(
            m == "memdir/didChangeStatus" and p["folders"][0]["memories"] >= count for m, p in client.told
        )
    )


@pytest.fixture
def linked(place: Place) -> Place:
    (place.repo / "src").mkdir()
    (place.repo / "src" / "app.py").write_text("one\ntwo\nthree\n")
    place.topic(
        "feedback_a.md",
        name="Alpha",
        body="See [[feedback_b]] and [[Beta thing]] and `src/app.py:2`.\n\n**Why:** So.\n\n**How to apply:** So.",
    )
    place.topic("feedback_b.md", name="Beta thing")
    place.index("feedback_a.md", "feedback_b.md")
    return place


async def test_completion_and_what_is_looked_up_later(linked: Place, start: Start) -> None:
    client = await start(VSCODE)
    await ready(client, 2)
    uri = client.open(linked.memory / "feedback_a.md")
    client.change(uri, client.texts[uri].replace("See ", "See [["))
    answer = await client.request("textDocument/completion", at(client, uri, "See [[", 6))
    [item] = answer["items"]
    assert (item["label"], item["textEdit"]["newText"]) == ("feedback_b", "feedback_b]]")
    assert "documentation" not in item
    resolved = await client.request("completionItem/resolve", item)
    assert resolved["documentation"]["value"].startswith("**Beta thing**")
    client.apply({"changes": {uri: [item["textEdit"]]}})
    assert "See [[feedback_b]][[feedback_b]]" in client.texts[uri]


async def test_completion_of_a_new_memory(linked: Place, start: Start) -> None:
    for capabilities, expected in ((VSCODE, "name: ${1:New}"), (PLAIN, "name: New\n")):
        client = await start(capabilities)
        await ready(client, 2)
        uri = client.open(linked.memory / "project_new.md", "")
        where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        items = (await client.request("textDocument/completion", where))["items"]
        first = min(items, key=lambda i: i["sortText"])
        assert first["label"] == "project"
        assert expected in first["textEdit"]["newText"]
        assert (first.get("insertTextFormat") == 2) is (capabilities is VSCODE)
        assert ("$" in first["textEdit"]["newText"]) is (capabilities is VSCODE)


async def test_completion_of_paths_stays_in_the_repository(linked: Place, start: Start) -> None:
    client = await start(VSCODE)
    await ready(client, 2)
    uri = client.open(linked.memory / "feedback_a.md")
    client.change(uri, client.texts[uri].replace("See ", "See `src/"))
    items = (await client.request("textDocument/completion", at(client, uri, "`src/", 5)))["items"]
    assert [i["label"] for i in items] == ["app.py"]
    client.change(uri, client.texts[uri].replace("`src/", "`../../", 1))
    answer = await client.request("textDocument/completion", at(client, uri, "`../../", 7))
    assert answer is None or answer["items"] == []


async def test_hover_in_markdown_and_in_plain_text(linked: Place, start: Start) -> None:
    client = await start(VSCODE)
    await ready(client, 2)
    uri = client.open(linked.memory / "feedback_a.md")
    found = await client.request("textDocument/hover", at(client, uri, "[[feedback_b", 4))
    assert found["contents"]["kind"] == "markdown"
    assert found["contents"]["value"].startswith(
        "**Beta thing**\n\n`feedback` · written today · referenced 2 times"
    )
    assert found["range"]["start"]["character"] == 6
    cited = await client.request("textDocument/hover", at(client, uri, "src/app.py"))
    assert "```py\ntwo\n```" in cited["contents"]["value"]
    plain = await start(PLAIN)
    await ready(plain, 2)
    uri = plain.open(linked.memory / "feedback_a.md")
    found = await plain.request("textDocument/hover", at(plain, uri, "[[feedback_b", 4))
    assert found["contents"]["kind"] == "plaintext"
    assert found["contents"]["value"].startswith("Beta thing\n")
    assert await plain.request("textDocument/hover", at(plain, uri, "See")) is None


async def test_definition_references_highlights_and_links(linked: Place, start: Start) -> None:
    client = await start(VSCODE)
    await ready(client, 2)
    uri = client.open(linked.memory / "feedback_a.md")
    [link] = await client.request("textDocument/definition", at(client, uri, "[[feedback_b", 4))
    assert link["targetUri"] == linked.uri("feedback_b.md")
    assert link["targetSelectionRange"] == {
        "start": {"line": 1, "character": 6},
        "end": {"line": 1, "character": 16},
    }
    [cited] = await client.request("textDocument/definition", at(client, uri, "src/app.py"))
    assert cited["targetUri"] == (linked.repo / "src" / "app.py").as_uri()
    assert cited["targetRange"]["start"] == {"line": 1, "character": 0}
    params = at(client, uri, "[[feedback_b", 4) | {"context": {"includeDeclaration": False}}
    found = await client.request("textDocument/references", params)
    assert sorted(f["uri"].rsplit("/", 1)[1] for f in found) == [
        "MEMORY.md",
        "feedback_a.md",
        "feedback_a.md",
    ]
    marks = await client.request("textDocument/documentHighlight", at(client, uri, "[[feedback_b", 4))
    assert len(marks) == 2
    links = await client.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
    assert [x["target"] for x in links] == [linked.uri("feedback_b.md") + "#L2"] * 2 + [
        (linked.repo / "src" / "app.py").as_uri() + "#L2"
    ]
    assert links[0]["tooltip"] == "Open “Beta thing”"
    plain = await start(PLAIN)
    await ready(plain, 2)
    uri = plain.open(linked.memory / "feedback_a.md")
    place = await plain.request("textDocument/definition", at(plain, uri, "[[feedback_b", 4))
    assert place["uri"] == linked.uri("feedback_b.md")


async def test_rename_of_a_file_from_a_link(linked: Place, start: Start) -> None:
    client = await start(VSCODE)
    await ready(client, 2)
    uri = client.open(linked.memory / "feedback_a.md")
    prepared = await client.request("textDocument/prepareRename", at(client, uri, "[[feedback_b", 4))
    assert prepared["placeholder"] == "feedback_b"
    edit = await client.request(
        "textDocument/rename", at(client, uri, "[[feedback_b", 4) | {"newName": "feedback_c"}
    )
    client.apply(edit)
    assert "See [[feedback_c]] and [[Beta thing]]" in client.texts[uri]
    assert (linked.memory / "feedback_c.md").exists() and not (linked.memory / "feedback_b.md").exists()
    assert "(feedback_c.md)" in (linked.memory / "MEMORY.md").read_text()
    await client.until(
        lambda: not [d for ds in client.diagnostics.values() for d in ds if d["code"].endswith("broken-link")]
    )


async def test_a_rename_that_is_refused_says_why(linked: Place, start: Start) -> None:
    client = await start(NEOVIM)
    await ready(client, 2)
    uri = client.open(linked.memory / "feedback_a.md")
    with pytest.raises(ServerError, match="exists already") as error:
        await client.request(
            "textDocument/rename", at(client, uri, "[[feedback_b", 4) | {"newName": "feedback_a"}
        )
    assert error.value.code == -32803
    assert await client.request("textDocument/prepareRename", at(client, uri, "See")) is None
    plain = await start(PLAIN)
    await ready(plain, 2)
    uri = plain.open(linked.memory / "feedback_a.md")
    with pytest.raises(ServerError, match="can't rename files"):
        await plain.request(
            "textDocument/rename", at(plain, uri, "[[feedback_b", 4) | {"newName": "feedback_z"}
        )
    edit = await plain.request("textDocument/rename", at(plain, uri, "Beta thing", 3) | {"newName": "Gamma"})
    plain.apply(edit)
    assert "[[Gamma]]" in plain.texts[uri]
    assert "name: Gamma\n" in (linked.memory / "feedback_b.md").read_text()


async def test_files_renamed_in_the_editors_explorer(linked: Place, start: Start) -> None:
    client = await start(VSCODE)
    await ready(client, 2)
    operations = client.server["capabilities"]["workspace"]["fileOperations"]
    assert set(operations) >= {"willRename", "didRename", "didDelete"}
    move = {"files": [{"oldUri": linked.uri("feedback_b.md"), "newUri": linked.uri("team/feedback_b.md")}]}
    edit = await client.request("workspace/willRenameFiles", move)
    client.apply(edit)
    (linked.memory / "team").mkdir()
    (linked.memory / "feedback_b.md").rename(linked.memory / "team" / "feedback_b.md")
    client.notify("workspace/didRenameFiles", move)
    assert "(team/feedback_b.md)" in (linked.memory / "MEMORY.md").read_text()
    elsewhere = {"files": [{"oldUri": "file:///x/a.md", "newUri": "file:///x/b.md"}]}
    assert await client.request("workspace/willRenameFiles", elsewhere) is None


@pytest.mark.parametrize("answer", ["Take out", "Leave", None])
async def test_after_a_deletion_pointers_are_offered_to_go(
    linked: Place, start: Start, answer: str | None
) -> None:
    client = await start(VSCODE)
    await ready(client, 2)
    client.choices = [answer] if answer else []
    uri = client.open(linked.memory / "feedback_a.md")
    gone = {"files": [{"uri": linked.uri("feedback_b.md")}]}
    assert await client.request("workspace/willDeleteFiles", gone) is None
    to_path(linked.uri("feedback_b.md")).unlink()
    client.notify("workspace/didDeleteFiles", gone)
    [question] = await client.until(lambda: [p for m, p in client.asked if m == "window/showMessageRequest"])
    assert question["message"] == "3 places still point to Beta thing. Take them out?"
    if answer != "Take out":
        await client.request("memdir/status")
        assert client.edits == []
        return
    await client.until(lambda: client.edits)
    assert "See feedback_b and Beta thing and" in client.texts[uri]
    assert "feedback_b" not in (linked.memory / "MEMORY.md").read_text()


async def test_verifying_citations_and_listing(linked: Place, start: Start) -> None:
    client = await start(VSCODE)
    linked.topic(
        "feedback_c.md",
        body="`src/app.py:2`, `src/app.py:9`, `src/gone.py`.\n\n**Why:** So.\n\n**How to apply:** So.",
    )
    await ready(client, 3)
    argument = {"uri": linked.uri("feedback_c.md")}
    result = await client.request(
        "workspace/executeCommand", {"command": "memdir.server.verifyCitations", "arguments": [argument]}
    )
    assert result == {
        "holds": [],
        "changed": [],
        "broken": ["src/app.py:9", "src/gone.py"],
        "unknown": ["src/app.py:2"],
    }
    assert [p["message"] for m, p in client.told if m == "window/showMessage"] == [
        "Not there any more: src/app.py:9, src/gone.py. Of 3 citations 0 hold."
    ]
    assert await client.request(
        "workspace/executeCommand", {"command": "memdir.server.listInIndex", "arguments": [argument]}
    )
    assert "(feedback_c.md)" in (linked.memory / "MEMORY.md").read_text()
    assert await client.request(
        "workspace/executeCommand", {"command": "memdir.server.markVerified", "arguments": [argument]}
    )
    assert "modified: " in (linked.memory / "feedback_c.md").read_text()
    assert (
        await client.request(
            "workspace/executeCommand", {"command": "memdir.server.markVerified", "arguments": [argument]}
        )
        is False
    )
    assert (
        await client.request(
            "workspace/executeCommand",
            {"command": "memdir.server.markVerified", "arguments": [{"uri": "file:///x"}]},
        )
        is False
    )
