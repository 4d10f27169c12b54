"""Diagnostics over real stdio: pushed, pulled, for open and closed files, only when they changed."""

from __future__ import annotations

from typing import Any

from tests.lsp.conftest import Place, Start, codes, make_place
from tests.lsp.profiles import NEOVIM, PLAIN, VSCODE


def unknown_type(text: str) -> str:
    return text.replace("type: feedback", "type: feedbak")


async def test_push_follows_every_version_and_stays_silent_otherwise(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md")
    place.topic("feedback_b.md")
    place.index("feedback_a.md", "feedback_b.md")
    client = await start(PLAIN)
    uri = client.open(path)
    await client.until(lambda: uri in client.diagnostics)
    assert client.diagnostics[uri] == []
    good = client.texts[uri]
    client.change(uri, unknown_type(good))
    await client.until(lambda: codes(client.diagnostics[uri]) == ["type-unknown"])
    found = client.diagnostics[uri][0]
    assert found["range"] == {"start": {"line": 3, "character": 6}, "end": {"line": 3, "character": 13}}
    assert found["severity"] == 2
    assert found["source"] == "memdir"
    assert "codeDescription" not in found  # this client did not say that it shows them
    before = len(client.published)
    client.change(uri, unknown_type(good) + "\nOne more line.\n")
    client.change(uri, good)
    await client.until(lambda: client.diagnostics[uri] == [])
    assert [p[1] for p in client.published[before:] if p[0] == uri] == [4]


async def test_twenty_keystrokes_give_one_answer_for_the_last(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md")
    place.index("feedback_a.md")
    client = await start(PLAIN)
    uri = client.open(path)
    await client.until(lambda: uri in client.diagnostics)
    text = client.texts[uri]
    for i in range(20):
        client.change(uri, text.replace("type: feedback", "type: feedback" + "x" * (i + 1)))
    await client.until(lambda: client.published[-1][1] == 21)
    answers = [p for p in client.published if p[0] == uri and (p[1] or 0) > 1]
    assert len(answers) < 20
    assert "feedbackxxxxxxxxxxxxxxxxxxxx" in client.diagnostics[uri][0]["message"]


async def test_closed_files_are_pushed_and_open_ones_pulled(place: Place, start: Start) -> None:
    bad = place.topic("feedback_a.md", type="feedbak")
    place.topic("feedback_b.md", type="feedbak")
    place.index("feedback_a.md", "feedback_b.md")
    client = await start(VSCODE)
    a, b = place.uri("feedback_a.md"), place.uri("feedback_b.md")
    await client.until(
        lambda: codes(client.diagnostics.get(a)) == codes(client.diagnostics.get(b)) == ["type-unknown"]
    )
    client.open(bad)
    await client.until(lambda: client.diagnostics[a] == [])  # now the client asks for it
    report = await client.pull(a)
    assert codes(report["items"]) == ["type-unknown"]
    assert report["items"][0]["codeDescription"]["href"].endswith("/type-unknown")
    again = await client.pull(a, report["resultId"])
    assert again == {"kind": "unchanged", "resultId": report["resultId"]}
    client.change(a, client.texts[a].replace("feedbak", "feedback"))
    report = await client.pull(a, report["resultId"])
    assert (report["kind"], report["items"]) == ("full", [])
    client.close(a)  # unsaved: the disk counts again, and VS Code has forgotten what it pulled
    await client.until(lambda: codes(client.diagnostics[a]) == ["type-unknown"])


async def test_the_first_answer_to_a_pull_is_complete(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md", type="feedbak")
    client = await start(VSCODE)
    uri = client.open(path)
    report = await client.pull(uri)  # asked before anything was located
    assert codes(report["items"]) == ["type-unknown"]


async def test_a_client_that_can_not_be_refreshed_is_pushed_to(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md", type="feedbak")
    client = await start(NEOVIM)
    assert client.server["capabilities"].get("diagnosticProvider") is None
    assert client.encoding == "utf-8"
    uri = client.open(path)
    await client.until(lambda: "type-unknown" in codes(client.diagnostics.get(uri)))


async def test_other_open_files_follow_a_shared_fact(place: Place, start: Start) -> None:
    one, two = place.topic("feedback_a.md", name="Alpha"), place.topic("feedback_b.md", name="Beta")
    place.index("feedback_a.md", "feedback_b.md")
    client = await start(VSCODE)
    a, b = client.open(one), client.open(two)
    await client.pull(a)
    await client.until(lambda: any(m == "memdir/didChangeStatus" for m, _ in client.told))
    first = await client.pull(b)
    assert "name-duplicate" not in codes(first["items"])
    asked = len(client.asked)
    client.change(a, client.texts[a].replace("name: Alpha", "name: Beta"))
    await client.until(lambda: ("workspace/diagnostic/refresh", None) in client.asked[asked:])
    report = await client.pull(b, first["resultId"])
    assert "name-duplicate" in codes(report["items"])


async def test_positions_in_each_encoding(place: Place, start: Start) -> None:
    text = "---\nname: \U0001f600 é 名\ndescription: What we agreed about emoji, so that nobody asks\ntype: feedback\n---\nSee [\U0001f600名](gone.md) for more.\n\n**Why:** Yes.\n\n**How to apply:** Always.\n"
    path = place.write("feedback_a.md", text)
    place.index("feedback_a.md")
    expected = {"utf-8": 14, "utf-16": 10, "utf-32": 9}
    for encoding, column in expected.items():
        capabilities = {**PLAIN, "general": {"positionEncodings": [encoding]}}
        client = await start(capabilities)
        assert client.encoding == encoding
        uri = client.open(path)
        await client.until(lambda c=client, u=uri: "broken-link" in codes(c.diagnostics.get(u)))
        found = next(d for d in client.diagnostics[uri] if d["code"] == "broken-link")
        assert found["range"]["start"] == {"line": 5, "character": column}
        assert found["range"]["end"] == {"line": 5, "character": column + len("gone.md")}


async def test_two_folders_and_one_that_comes_and_goes(home: Any, place: Place, start: Start) -> None:
    other = make_place(home, "second")
    place.topic("feedback_a.md", type="feedbak")
    path = other.topic("feedback_b.md", type="feedbak")
    client = await start(VSCODE, place.repo, other.repo)
    a, b = place.uri("feedback_a.md"), other.uri("feedback_b.md")
    await client.until(lambda: "type-unknown" in codes(client.diagnostics.get(a)) and b in client.diagnostics)
    status = await client.request("memdir/status")
    assert [f["uri"] for f in status["folders"]] == [place.repo.as_uri(), other.repo.as_uri()]
    tree = await client.request("memdir/tree", {"folder": other.repo.as_uri()})
    assert tree["roots"][0]["kind"] == "scope"
    both = await client.request("memdir/tree")
    assert [r["label"] for r in both["roots"]] == ["repo", "second"]
    gone = {"uri": other.repo.as_uri(), "name": "second"}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [gone]}})
    await client.until(lambda: client.diagnostics[b] == [])
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [gone], "removed": []}})
    await client.until(lambda: "type-unknown" in codes(client.diagnostics[b]))
    assert path.exists()


async def test_a_memory_file_of_another_project_is_checked_too(home: Any, place: Place, start: Start) -> None:
    other = make_place(home, "elsewhere")
    path = other.topic("feedback_b.md", type="feedbak")
    client = await start(PLAIN)
    uri = client.open(path)
    await client.until(lambda: "type-unknown" in codes(client.diagnostics.get(uri)))
    status = await client.request("memdir/status")
    assert [f["owner"] for f in status["folders"]] == [str(place.repo)]


async def test_other_markdown_is_left_alone(place: Place, start: Start) -> None:
    readme = place.repo / "README.md"
    readme.write_text("# Readme\n\n[gone](gone.md)\n")
    place.topic("feedback_a.md")
    client = await start(VSCODE)
    uri = client.open(readme)
    assert await client.pull(uri) == {"kind": "full", "items": []}
    here = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    assert await client.actions(uri, here) == []
