"""Code actions over real stdio: fixes, suppression, everything safe at once; for clients that can much or little."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.client import Client
from tests.lsp.conftest import Place, Start, codes
from tests.lsp.edits import to_path
from tests.lsp.profiles import NEOVIM, PLAIN, VSCODE

WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


def titled(actions: list[dict[str, Any]], start: str) -> dict[str, Any]:
    found = [a for a in actions if a["title"].startswith(start)]
    assert len(found) == 1, [a["title"] for a in actions]
    return found[0]


async def findings(client: Client, uri: str) -> list[dict[str, Any]]:
    return list((await client.pull(uri))["items"])


async def loaded(client: Client) -> None:
    """Wait until the directory has been read, so that rules about other files have spoken."""
    await client.until(
        lambda: any(m == "memdir/didChangeStatus" and p["folders"][0]["memories"] for m, p in client.told)
    )


async def test_a_safe_fix_is_preferred_and_mends(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md", type="Feedback")
    place.index("feedback_a.md")
    client = await start(VSCODE)
    uri = client.open(path)
    [found] = await findings(client, uri)
    actions = await client.actions(uri, found["range"], [found])
    action = titled(actions, "Change the type to feedback")
    assert action["kind"] == "quickfix"
    assert action["isPreferred"] is True
    assert action["diagnostics"] == [found]
    assert "changeAnnotations" not in action["edit"]
    client.apply(action["edit"])
    assert "type: feedback\n" in client.texts[uri]
    assert await findings(client, uri) == []


async def test_an_unsafe_fix_is_marked(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md", type="feedbak")
    place.index("feedback_a.md")
    client = await start(VSCODE)
    uri = client.open(path)
    [found] = await findings(client, uri)
    action = titled(await client.actions(uri, found["range"], [found]), "Change the type to feedback")
    assert action["title"].endswith("(please check)")
    assert "isPreferred" not in action
    [annotation] = action["edit"]["changeAnnotations"].values()
    assert annotation["needsConfirmation"] is False  # it stays in the file at hand
    client.apply(action["edit"])
    assert "type: feedback\n" in client.texts[uri]


async def test_annotations_only_for_clients_that_know_them(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md", type="feedbak")
    client = await start(NEOVIM)
    uri = client.open(path)
    await client.until(lambda: "type-unknown" in codes(client.diagnostics.get(uri)))
    action = titled(await client.actions(uri, WHOLE), "Change the type to feedback")
    assert "changeAnnotations" not in action["edit"]
    client.apply(action["edit"])
    assert "type: feedback\n" in client.texts[uri]


async def test_a_fix_in_another_file(place: Place, start: Start) -> None:
    place.index("feedback_b.md")
    place.topic("feedback_b.md")
    path = place.topic("feedback_a.md")
    client = await start(VSCODE)
    uri = client.open(path)
    await loaded(client)
    await client.until(lambda: client.asked)
    found = [d for d in await findings(client, uri) if d["code"] == "index-orphan"]
    action = titled(await client.actions(uri, WHOLE, found), "Add it to MEMORY.md")
    client.apply(action["edit"])
    assert "(feedback_a.md)" in (place.memory / "MEMORY.md").read_text()
    await client.until(
        lambda: not [d for d in client.diagnostics.get(uri, []) if d["code"] == "index-orphan"]
    )


async def test_an_unsaved_index_gets_the_entry_not_the_file_on_disk(place: Place, start: Start) -> None:
    index, path = place.index("feedback_b.md"), place.topic("feedback_a.md")
    place.topic("feedback_b.md")
    client = await start(VSCODE)
    listing, uri = client.open(index), client.open(path)
    client.change(listing, client.texts[listing] + "\n<!-- not saved yet -->\n")
    await loaded(client)
    action = titled(await client.actions(uri, WHOLE), "Add it to MEMORY.md")
    client.apply(action["edit"])
    assert "(feedback_a.md)" in client.texts[listing]
    assert "not saved yet" in client.texts[listing]
    assert "(feedback_a.md)" not in index.read_text()


@pytest.mark.parametrize("lazy", [True, False])
async def test_everything_safe_at_once(place: Place, start: Start, lazy: bool) -> None:
    text = "---\nname: Names\ndescription: Names of berths are written out in full everywhere\ntype: Feedback\n---\nNo short names.\n\n**Why:** \u200bThe port refused them.\n\n**How to apply:** In reviews.\n"
    path = place.write("feedback_a.md", text)
    place.index("feedback_a.md")
    client = await start(
        VSCODE
        if lazy
        else NEOVIM
        | {
            "textDocument": {
                **NEOVIM["textDocument"],
                "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
            }
        }
    )
    uri = client.open(path)
    await loaded(client)
    [action] = await client.actions(uri, WHOLE, only=["source.fixAll"])
    assert action["kind"] == "source.fixAll.memdir"
    assert ("edit" in action) is not lazy
    if lazy:
        action = await client.request("codeAction/resolve", action)
    client.apply(action["edit"])
    assert "type: feedback\n" in client.texts[uri]
    assert await client.actions(uri, WHOLE, only=["source.fixAll.memdir"]) == []


async def test_only_the_kinds_that_were_asked_for(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md", type="Feedback")
    client = await start(VSCODE)
    uri = client.open(path)
    await client.pull(uri)
    assert {a["kind"] for a in await client.actions(uri, WHOLE, only=["quickfix"])} == {"quickfix"}
    assert await client.actions(uri, WHOLE, only=["source.organizeImports"]) == []
    assert {a["kind"] for a in await client.actions(uri, WHOLE, only=["source"])} >= {"source.fixAll.memdir"}


async def test_ignoring_a_rule_here(place: Place, start: Start) -> None:
    place.topic("feedback_b.md")
    body = "See [gone](gone.md) for more.\n\n**Why:** Yes.\n\n**How to apply:** Always."
    path = place.topic("feedback_a.md", body=body)
    index = place.write(
        "MEMORY.md", "- [A](feedback_a.md) — a\n- [B](feedback_b.md) — b\n- [Gone](feedback_gone.md) — gone\n"
    )
    client = await start(VSCODE)
    uri, listing = client.open(path), client.open(index)
    await loaded(client)
    assert codes(await findings(client, uri)) == ["broken-link"]
    client.apply(titled(await client.actions(uri, WHOLE), "Ignore broken-link here")["edit"])
    assert "for more. <!-- memdir: ignore broken-link -->\n" in client.texts[uri]
    assert await findings(client, uri) == []
    assert codes(await findings(client, listing)) == ["index-broken-link"]
    client.apply(titled(await client.actions(listing, WHOLE), "Ignore index-broken-link here")["edit"])
    assert "<!-- memdir: ignore index-broken-link -->\n- [Gone]" in client.texts[listing]
    assert await findings(client, listing) == []


async def test_a_plain_client_gets_commands(place: Place, start: Start) -> None:
    place.topic("feedback_b.md")
    place.index("feedback_b.md")
    path = place.topic("feedback_a.md", type="Feedback")
    client = await start(PLAIN)
    uri = client.open(path)
    await client.until(lambda: codes(client.diagnostics.get(uri)) == ["index-orphan", "type-unknown"])
    actions = await client.actions(uri, WHOLE)
    assert all(isinstance(a["command"], str) for a in actions)
    command = titled(actions, "Change the type to feedback")
    assert await client.request(
        "workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]}
    )
    assert "type: feedback\n" in client.texts[uri]
    assert "changes" in client.edits[0]
    stale = await client.request(
        "workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]}
    )
    assert stale is False
    assert any(m == "window/showMessage" for m, _ in client.told)


async def test_what_a_client_can_not_create_the_server_does(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md")  # no index at all: nothing lists it
    place.topic("team/project_b.md", type="project")
    place.index("project_b.md", name="team/MEMORY.md")
    client = await start(PLAIN)
    uri = client.open(path)
    await client.until(lambda: "index-orphan" in codes(client.diagnostics.get(uri)))
    command = titled(await client.actions(uri, WHOLE), "Create MEMORY.md with an entry for it")
    assert await client.request(
        "workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]}
    )
    assert "(feedback_a.md)" in (place.memory / "MEMORY.md").read_text()
    assert client.edits == []
    await client.until(lambda: client.diagnostics[uri] == [])


async def test_configuration_files_are_mended_too(place: Place, start: Start) -> None:
    config = place.repo / "memdir.toml"
    config.write_text('[severity]\ntype-unknown = "eror"\n')
    place.topic("feedback_a.md", type="feedbak")
    client = await start(VSCODE)
    uri = config.as_uri()
    await client.until(lambda: codes(client.diagnostics.get(uri)) == ["config-invalid"])
    client.open(config, language="toml")
    action = (await client.actions(uri, client.diagnostics[uri][0]["range"], client.diagnostics[uri]))[0]
    client.apply(action["edit"])
    assert client.texts[uri] == '[severity]\ntype-unknown = "error"\n'
    await client.until(lambda: client.diagnostics[uri] == [])
    report = client.diagnostics
    await client.until(lambda: [d["severity"] for d in report[place.uri("feedback_a.md")]] == [1])


async def test_markdown_of_others_gives_no_actions(place: Place, start: Start) -> None:
    client = await start(VSCODE)
    uri = client.open(place.repo / "x.md", "text")
    assert await client.actions(uri, WHOLE, only=["quickfix"]) == []
    assert to_path(uri) == place.repo / "x.md"
