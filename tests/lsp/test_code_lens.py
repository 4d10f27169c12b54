"""A session about the lenses above memories: their words, their commands, and that they follow the disk."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.asking import ask, days_ago, eventually, known, refreshed
from tests.lsp.client import Client
from tests.lsp.conftest import Place, Start, codes
from tests.lsp.profiles import NEOVIM, PLAIN, VSCODE


@pytest.fixture
def linked(place: Place) -> Place:
    days_ago(
        place.topic(
            "feedback_a.md", name="Alpha", body="See `src/app.py:2`.\n\n**Why:** x.\n\n**How to apply:** y."
        ),
        47,
    )
    days_ago(place.topic("feedback_b.md", body="[[feedback_a]]\n\n**Why:** x.\n\n**How to apply:** y."), 2)
    place.index("feedback_b.md")
    return place


async def titles(client: Client, uri: str) -> list[str]:
    return [lens["command"]["title"] for lens in await ask(client, "codeLens", uri)]


async def test_lenses_and_that_they_follow_the_disk(linked: Place, start: Start) -> None:
    client = await start(VSCODE)
    assert client.server["capabilities"]["codeLensProvider"] == {"resolveProvider": False}
    uri = client.open(linked.memory / "feedback_a.md")
    await known(client, 2)
    assert await titles(client, uri) == [
        "last changed 47 days ago, never verified",
        "referenced by 1 memory",
        "not in the index: add it",
        "verify citations",
    ]
    lenses = await ask(client, "codeLens", uri)
    assert {lens["range"]["start"]["line"] for lens in lenses} == {0}
    assert all(lens["command"]["arguments"] == [{"uri": uri}] for lens in lenses)

    since = len(client.asked)
    linked.index("feedback_a.md", "feedback_b.md")  # another program lists the memory
    await refreshed(client, "codeLens", since)
    assert (await titles(client, uri))[2] == "listed in the index"

    since = len(client.asked)
    linked.topic("feedback_c.md", body="[a](feedback_a.md)\n\n**Why:** x.\n\n**How to apply:** y.")
    await refreshed(client, "codeLens", since)
    assert (await titles(client, uri))[1] == "referenced by 2 memories"

    client.close(uri)
    since = len(client.asked)
    text = (linked.memory / "feedback_a.md").read_text()
    linked.write("feedback_a.md", text.replace("type: feedback", "type: feedback\nmodified: 2020-01-01"))
    await refreshed(client, "codeLens", since)
    assert (await titles(client, uri))[0].startswith("last verified ")


async def test_lenses_follow_other_open_texts_and_saving(linked: Place, start: Start) -> None:
    client = await start(VSCODE)
    a = client.open(linked.memory / "feedback_a.md")
    b = client.open(linked.memory / "feedback_b.md")
    await known(client, 2)
    assert (await titles(client, a))[1] == "referenced by 1 memory"
    await client.until(lambda: any(m == "workspace/codeLens/refresh" for m, _ in client.asked))
    await client.request("memdir/status")

    since = len(client.asked)
    client.change(b, client.texts[b].replace("[[feedback_a]]", "nothing"))
    await refreshed(client, "codeLens", since)
    assert (await titles(client, a))[1] == "referenced by no memory"

    since = len(client.asked)
    (linked.memory / "feedback_b.md").write_text(client.texts[b])  # in place, as editors save
    client.notify("textDocument/didSave", {"textDocument": {"uri": b}})
    await refreshed(client, "codeLens", since)
    assert (await titles(client, b))[0] == "last changed today, never verified"


async def run(client: Client, lens: dict[str, Any]) -> Any:
    command = lens["command"]
    return await client.request(
        "workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]}
    )


async def test_every_lens_can_be_chosen_in_any_client(linked: Place, start: Start) -> None:
    (linked.repo / "src").mkdir()
    (linked.repo / "src" / "app.py").write_text("one\ntwo\n")
    client = await start(NEOVIM)
    offered = set(client.server["capabilities"]["executeCommandProvider"]["commands"])
    uri = client.open(linked.memory / "feedback_a.md")
    await known(client, 2)
    mark, references, index, verify = await ask(client, "codeLens", uri)
    assert {lens["command"]["command"] for lens in (mark, references, index, verify)} <= offered

    assert await run(client, references) == [linked.uri("feedback_b.md")]
    assert messages(client) == ["feedback_b.md, line 6"]  # this client says nothing of opening files
    assert await run(client, index) is True
    assert "(feedback_a.md)" in (linked.memory / "MEMORY.md").read_text()
    result = await run(client, verify)
    assert {k: v for k, v in result.items() if v} == {"unknown": ["src/app.py:2"]}
    assert await run(client, mark) is True
    assert "\nmodified: " in client.texts[uri]
    listed = ["last verified today", "referenced by 1 memory", "listed in the index", "verify citations"]
    await eventually(
        lambda: titles(client, uri), listed
    )  # the server has seen the file that the client wrote
    assert await run(client, (await ask(client, "codeLens", uri))[2]) is False
    assert messages(client)[-1] == "MEMORY.md, line 2"


def messages(client: Client) -> list[str]:
    return [p["message"] for m, p in client.told if m == "window/showMessage"]


def shown(client: Client) -> list[tuple[str, int]]:
    found = [p for m, p in client.asked if m == "window/showDocument"]
    return [(p["uri"].rsplit("/", 1)[1], p["selection"]["start"]["line"]) for p in found]


async def test_what_lenses_show_is_opened_where_the_client_can(linked: Place, start: Start) -> None:
    linked.index("feedback_b.md", "feedback_a.md")
    client = await start(VSCODE)
    uri = client.open(linked.memory / "feedback_a.md")
    await known(client, 2)
    _, references, index, _ = await ask(client, "codeLens", uri)
    assert await run(client, index) is True
    assert await run(client, references) == [linked.uri("feedback_b.md")]
    assert shown(client) == [("MEMORY.md", 1), ("feedback_b.md", 5)]

    linked.topic("feedback_c.md", body="[a](feedback_a.md)\n\n**Why:** x.\n\n**How to apply:** y.")
    await known(client, 3)
    client.choices = ["feedback_c.md"]
    await run(client, references)
    [question] = [p for m, p in client.asked if m == "window/showMessageRequest"]
    assert [action["title"] for action in question["actions"]] == ["feedback_b.md", "feedback_c.md"]
    assert shown(client)[-1] == ("feedback_c.md", 5)
    await run(client, references)  # nothing is chosen
    assert len(shown(client)) == 3


async def test_a_view_of_the_clients_own(linked: Place, start: Start) -> None:
    client = await start(VSCODE, options={"showReferences": True})
    uri = client.open(linked.memory / "feedback_a.md")
    await known(client, 2)
    references = (await ask(client, "codeLens", uri))[1]["command"]
    assert (references["command"], references["arguments"]) == (
        "memdir.showReferences",
        [uri, {"line": 0, "character": 0}],
    )


async def test_no_memory_no_lens(linked: Place, start: Start) -> None:
    client = await start(PLAIN, locale="zh-cn")
    await known(client, 2)
    assert await ask(client, "codeLens", linked.uri("MEMORY.md")) == []
    assert await ask(client, "codeLens", "file:///elsewhere.md") is None
    assert (await titles(client, linked.uri("feedback_a.md")))[0] == "上次修改：47 天前，从未核实"
    for command in ("listReferences", "showEntry"):
        await client.request(
            "workspace/executeCommand", {"command": f"memdir.server.{command}", "arguments": [{"uri": 5}]}
        )
    assert messages(client) == ["这不是记忆。"] * 2


async def test_verifying_brings_the_diagnostics_up_to_date(linked: Place, start: Start) -> None:
    (linked.repo / "src").mkdir()
    cited = linked.repo / "src" / "app.py"
    cited.write_text("one\ntwo\n")
    client = await start(PLAIN)
    uri = client.open(linked.memory / "feedback_a.md")
    await known(client, 2)
    await client.until(lambda: "citation-broken" not in codes(client.diagnostics.get(uri)))
    cited.write_text("one\n")  # nobody watches the sources
    verify = (await ask(client, "codeLens", uri))[3]
    assert (await run(client, verify))["broken"] == ["src/app.py:2"]
    assert messages(client) == ["Not there any more: src/app.py:2. Of 1 citations 0 hold."]
    await client.until(lambda: "citation-broken" in codes(client.diagnostics.get(uri)))
