"""A session about formatting: the whole file, a part of it, and files that are left alone."""

from __future__ import annotations

from typing import Any

from tests.lsp.asking import ask, known
from tests.lsp.conftest import Place, Start
from tests.lsp.profiles import NEOVIM, PLAIN, VSCODE

OPTIONS = {"tabSize": 2, "insertSpaces": True}
INDEX = "# 记忆  \n\n\n*  [船🚢](feedback_a.md) - 一  \n*  [A](feedback_a.md) -- one\n\n\n"


async def test_an_index_and_a_header(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md")
    place.write(
        "feedback_a.md", path.read_text().replace("name: ", "name:   ").replace("---\n", "---  \n", 1)
    )
    place.write("MEMORY.md", INDEX)
    for capabilities in (VSCODE, NEOVIM, PLAIN):
        client = await start(capabilities)
        offered = client.server["capabilities"]
        assert offered["documentFormattingProvider"] and offered["documentRangeFormattingProvider"]
        await known(client, 1)
        index = client.open(place.memory / "MEMORY.md")
        line = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 9}}
        part = await ask(client, "rangeFormatting", index, range=line, options=OPTIONS)
        client.apply({"changes": {index: part}})
        assert client.texts[index] == INDEX.replace(
            "*  [船🚢](feedback_a.md) - 一  ", "- [船🚢](feedback_a.md) — 一"
        )
        edits = await ask(client, "formatting", index, options=OPTIONS)
        client.apply({"changes": {index: edits}})
        assert client.texts[index] == "# 记忆\n\n- [船🚢](feedback_a.md) — 一\n- [A](feedback_a.md) — one\n"
        assert await ask(client, "formatting", index, options=OPTIONS) == []

        memory = client.open(path)
        body = client.texts[memory].partition("\n---\n")[2]
        client.apply({"changes": {memory: await ask(client, "formatting", memory, options=OPTIONS)}})
        assert client.texts[memory].startswith("---\nname: Feedback a\n")
        assert client.texts[memory].partition("\n---\n")[2] == body


async def test_an_unsaved_text_and_one_with_a_mark(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    client = await start(VSCODE)
    await known(client, 1)
    uri = client.open(place.memory / "project_new.md", "\ufeff---\nname:  New\n---\nText\n")
    edits: list[Any] = await ask(client, "formatting", uri, options=OPTIONS)
    client.apply({"changes": {uri: edits}})
    assert client.texts[uri] == "\ufeff---\nname: New\n---\nText\n"


async def test_files_that_are_left_alone(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    log = place.write("logs/2026/03/2026-03-10.md", "*  10:00 x  \n\n\n\n")
    client = await start(VSCODE)
    await known(client, 1)
    assert await ask(client, "formatting", client.open(log), options=OPTIONS) == []
    assert await ask(client, "formatting", "file:///elsewhere.md", options=OPTIONS) is None
