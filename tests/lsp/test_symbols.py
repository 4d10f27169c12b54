"""A session about symbols: the outline of a file in both forms, and finding memories."""

from __future__ import annotations

from typing import Any

from tests.lsp.asking import ask, known
from tests.lsp.conftest import Place, Start
from tests.lsp.profiles import PLAIN, VSCODE

BODY = "# Rules 🚢\n\n**Why:** Ships wait.\n\n## At night\nLights."
EVENT, FIELD, FILE, METHOD, OBJECT, PACKAGE, PROPERTY, STRING = 24, 8, 1, 6, 19, 4, 7, 15


def rows(symbols: list[Any], depth: int = 0) -> list[tuple[int, int, str, str | None]]:
    return [
        row
        for s in symbols
        for row in (
            (depth, s["kind"], s["name"], s.get("detail")),
            *rows(s.get("children") or [], depth + 1),
        )
    ]


async def test_the_outline_of_a_memory(place: Place, start: Start) -> None:
    path = place.topic(
        "project_a.md", name="Berths", description="Which ships go where", type="project", body=BODY
    )
    client = await start(VSCODE)
    assert client.server["capabilities"]["documentSymbolProvider"]
    uri = client.open(path)  # editors ask once, right after opening
    found = await ask(client, "documentSymbol", uri)
    assert rows(found) == [
        (0, OBJECT, "Berths", "project"),
        (1, FIELD, "name", "Berths"),
        (1, FIELD, "description", "Which ships go where"),
        (1, FIELD, "type", "project"),
        (0, STRING, "Rules 🚢", None),
        (1, PROPERTY, "Why", "Ships wait."),
        (1, STRING, "At night", None),
    ]
    assert found[1]["selectionRange"] == {
        "start": {"line": 5, "character": 0},
        "end": {"line": 5, "character": 10},
    }
    client.change(uri, "#\n")
    assert [s["name"] for s in await ask(client, "documentSymbol", uri)] == ["-"]  # no name may be empty


async def test_the_flat_form(place: Place, start: Start) -> None:
    place.topic("project_a.md", type="project", body=BODY)
    place.write("MEMORY.md", "# Memory\n- [A](project_a.md) — one\n")
    place.write("logs/2026/03/2026-03-10.md", "- 09:12 Started\n")
    client = await start(PLAIN)
    await known(client, 1)
    found = await ask(client, "documentSymbol", place.uri("MEMORY.md"))
    assert [(s["kind"], s["name"], s.get("containerName")) for s in found] == [
        (STRING, "Memory", None),
        (FILE, "A", "Memory"),
    ]
    assert found[1]["location"]["uri"] == place.uri("MEMORY.md")
    [event] = await ask(client, "documentSymbol", place.uri("logs/2026/03/2026-03-10.md"))
    assert (event["kind"], event["name"]) == (EVENT, "09:12")


async def test_memories_are_found_by_name_file_and_type(place: Place, start: Start) -> None:
    place.topic("feedback_real_db.md", name="Database in tests")
    place.topic("project_freeze.md", name="Merge freeze", type="project")
    place.topic("team/project_train.md", name="Release train", type="project")
    client = await start(VSCODE)
    assert client.server["capabilities"]["workspaceSymbolProvider"]
    await known(client, 3)

    async def find(query: str) -> list[tuple[int, str, str]]:
        found = await client.request("workspace/symbol", {"query": query})
        return [(s["kind"], s["name"], s["containerName"]) for s in found]

    assert await find("") == [
        (METHOD, "Database in tests", "feedback"),
        (PACKAGE, "Merge freeze", "project"),
        (PACKAGE, "Release train", "project · team"),
    ]
    assert await find("train") == [(PACKAGE, "Release train", "project · team")]
    assert await find("real_db") == [(METHOD, "Database in tests (feedback_real_db)", "feedback")]
    assert [name for _, name, _ in await find("project")] == [
        "Merge freeze (project_freeze)",
        "Release train (project_train)",
    ]
    [symbol] = await client.request("workspace/symbol", {"query": "freeze"})
    assert symbol["location"] == {
        "uri": place.uri("project_freeze.md"),
        "range": {"start": {"line": 1, "character": 6}, "end": {"line": 1, "character": 18}},
    }
