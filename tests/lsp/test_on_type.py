"""A session about help while typing."""

from __future__ import annotations

from typing import Any

from tests.lsp.asking import ask, known, place_of
from tests.lsp.client import Client
from tests.lsp.conftest import Place, Start
from tests.lsp.profiles import VSCODE

OPTIONS = {"tabSize": 2, "insertSpaces": True}


async def typed(client: Client, uri: str, text: str, words: str) -> str:
    """The text after the last letter of `words` was typed and what the server added."""
    client.change(uri, text)
    position = place_of(text, words, len(words))
    edits: Any = await ask(client, "onTypeFormatting", uri, position=position, ch=words[-1], options=OPTIONS)
    if edits:
        client.apply({"changes": {uri: edits}})
    return client.texts[uri]


async def test_headers_and_wikilinks(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    client = await start(VSCODE)
    assert client.server["capabilities"]["documentOnTypeFormattingProvider"] == {
        "firstTriggerCharacter": "-",
        "moreTriggerCharacter": ["["],
    }
    await known(client, 1)
    uri = client.open(place.memory / "project_tide-tables.md", "")
    assert await typed(client, uri, "-", "-") == "-"
    assert await typed(client, uri, "--", "--") == "--"
    header = await typed(client, uri, "---", "---")
    assert header == "---\nname: Tide tables\ndescription: \ntype: project\n---\n"
    assert await typed(client, uri, header + "船🚢 [", "🚢 [") == header + "船🚢 ["
    assert await typed(client, uri, header + "船🚢 [[", "🚢 [[") == header + "船🚢 [[]]"
    assert await typed(client, uri, header + "See [[]] now", "See [[") == header + "See [[]] now"


async def test_a_file_opened_at_once_and_one_elsewhere(place: Place, start: Start) -> None:
    client = await start(VSCODE)
    uri = client.open(place.memory / "user_x.md", "")  # before the folders are known
    assert (await typed(client, uri, "---", "---")).startswith("---\nname: X\n")
    other = client.open(place.repo / "README.md", "")
    assert await typed(client, other, "---", "---") == "---"
