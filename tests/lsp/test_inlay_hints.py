"""A session about inlay hints: ages in the index, days behind relative dates, and that they follow the disk."""

from __future__ import annotations

from typing import Any

from tests.lsp.asking import ask, days_ago, known, refreshed, whole
from tests.lsp.client import Client
from tests.lsp.conftest import Place, Start
from tests.lsp.profiles import NEOVIM, PLAIN, VSCODE


async def hints(client: Client, uri: str, where: Any = None) -> list[tuple[int, int, str]]:
    """(line, character, label)."""
    found = await ask(client, "inlayHint", uri, range=where or whole(client.texts[uri]))
    assert all(h["paddingLeft"] for h in found)
    return [(h["position"]["line"], h["position"]["character"], h["label"]) for h in found]


async def test_hints_of_an_index_follow_the_disk(place: Place, start: Start) -> None:
    days_ago(place.topic("feedback_a.md"), 47)
    days_ago(place.topic("feedback_b.md"), 1)
    place.write("MEMORY.md", "# 记忆\n- [船🚢](feedback_a.md) — 一\n- [B](feedback_b.md) — two\n")
    client = await start(VSCODE)
    assert client.server["capabilities"]["inlayHintProvider"] == {"resolveProvider": False}
    uri = client.open(place.memory / "MEMORY.md")
    await known(client, 2)
    assert await hints(client, uri) == [(1, 26, "47 days ago"), (2, 26, "yesterday")]
    second = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 5}}
    assert await hints(client, uri, second) == [(2, 26, "yesterday")]

    since = len(client.asked)
    text = (place.memory / "feedback_a.md").read_text()
    place.write("feedback_a.md", text)  # somebody writes it again
    await refreshed(client, "inlayHint", since)
    assert await hints(client, uri) == [(1, 26, "today"), (2, 26, "yesterday")]

    since = len(client.asked)
    (place.memory / "feedback_b.md").unlink()
    await refreshed(client, "inlayHint", since)
    assert await hints(client, uri) == [(1, 26, "today")]


async def test_saving_another_open_file_refreshes_the_index(place: Place, start: Start) -> None:
    path = days_ago(place.topic("feedback_a.md"), 47)
    place.index("feedback_a.md")
    client = await start(NEOVIM)
    index, a = client.open(place.memory / "MEMORY.md"), client.open(path)
    await known(client, 1)
    assert [h[2] for h in await hints(client, index)] == ["47 days ago"]
    client.change(a, client.texts[a] + "\nMore.\n")
    since = len(client.asked)
    path.write_text(client.texts[a])
    client.notify("textDocument/didSave", {"textDocument": {"uri": a}})
    await refreshed(client, "inlayHint", since)
    assert [h[2] for h in await hints(client, index)] == ["today"]


async def test_hints_of_a_memory(place: Place, start: Start) -> None:
    body = "Merging is frozen until Thursday; agreed yesterday.\n\n**Why:** x."
    text = place.topic("project_a.md", type="project", body=body).read_text()
    place.write("project_a.md", text.replace("type: project", "type: project\nmodified: 2026-03-04"))
    client = await start(PLAIN, locale="zh-cn")
    uri = client.open(place.memory / "project_a.md")
    await known(client, 1)
    assert [label for _, _, label in await hints(client, uri)] == ["2026-03-05", "2026-03-03"]
    [first, _] = await ask(client, "inlayHint", uri, range=whole(client.texts[uri]))
    assert "2026-03-04" in first["tooltip"] and "起算" in first["tooltip"]
    assert await ask(client, "inlayHint", "file:///elsewhere.md", range=whole("")) is None
