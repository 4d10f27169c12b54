"""The world moves while an editor looks on: files, directories, settings, instructions, agents."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tests.lsp.client import Client
from tests.lsp.conftest import Place, Start, codes
from tests.lsp.profiles import NEOVIM, PLAIN, VSCODE


async def watching(client: Client) -> None:
    """Wait until the server has read and watches its directories."""
    await client.until(lambda: any(m == "memdir/didChangeStatus" for m, _ in client.told))
    await client.request("memdir/status")


def memories(client: Client) -> int:
    told = [p for m, p in client.told if m == "memdir/didChangeStatus"]
    return int(told[-1]["folders"][0]["memories"]) if told else -1


async def test_files_come_change_and_go(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    place.index("feedback_a.md")
    client = await start(PLAIN)
    await client.until(lambda: memories(client) == 1)
    place.topic("feedback_b.md", type="feedbak")
    b = place.uri("feedback_b.md")
    await client.until(lambda: codes(client.diagnostics.get(b)) == ["index-orphan", "type-unknown"])
    assert memories(client) in (1, 2)
    place.index("feedback_a.md", "feedback_b.md")
    await client.until(lambda: codes(client.diagnostics[b]) == ["type-unknown"])
    place.topic("feedback_b.md")
    await client.until(lambda: client.diagnostics[b] == [])
    (place.memory / "feedback_b.md").unlink()
    await client.until(lambda: codes(client.diagnostics.get(place.uri("MEMORY.md"))) == ["index-broken-link"])
    await client.until(lambda: memories(client) == 1)


async def test_the_directory_appears_later_is_deleted_and_made_again(place: Place, start: Start) -> None:
    client = await start(PLAIN)
    await client.until(lambda: memories(client) == 0)
    status = await client.request("memdir/status")
    assert (status["folders"][0]["exists"], status["folders"][0]["health"]) == (False, "none")
    uri = place.uri("feedback_a.md")
    for _ in range(2):
        place.topic("feedback_a.md", type="feedbak")
        await client.until(lambda: "type-unknown" in codes(client.diagnostics.get(uri)))
        await client.until(lambda: memories(client) == 1)
        assert (await client.request("memdir/status"))["folders"][0]["exists"] is True
        shutil.rmtree(place.memory.parent)
        await client.until(lambda: client.diagnostics[uri] == [])
        await client.until(lambda: memories(client) == 0)


async def test_folders_inside_are_followed(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    client = await start(PLAIN)
    await client.until(lambda: memories(client) == 1)
    place.topic("team/project_b.md", type="project")
    place.write("team/MEMORY.md", "- [B](project_b.md) — b\n- [Gone](gone.md) — gone\n")
    index = place.uri("team/MEMORY.md")
    await client.until(lambda: codes(client.diagnostics.get(index)) == ["index-broken-link"])
    tree = await client.request("memdir/tree")
    assert [r["label"] for r in tree["roots"]] == ["Private", "Team"]
    (place.memory / "team").rename(place.memory / "old.team")
    await client.until(lambda: client.diagnostics[index] == [])


async def test_an_open_buffer_wins_over_the_disk(place: Place, start: Start) -> None:
    path = place.topic("feedback_a.md")
    place.index("feedback_a.md")
    client = await start(PLAIN)
    uri = client.open(path)
    await client.until(lambda: client.diagnostics.get(uri) == [])
    client.change(uri, client.texts[uri].replace("type: feedback", "type: feedbak"))
    await client.until(lambda: codes(client.diagnostics[uri]) == ["type-unknown"])
    place.topic("feedback_a.md", body="Other words on disk.\n\n**Why:** So.\n\n**How to apply:** So.")
    place.topic("feedback_c.md", type="wrong")  # a sign that the watcher has looked
    await client.until(lambda: "type-unknown" in codes(client.diagnostics.get(place.uri("feedback_c.md"))))
    assert codes(client.diagnostics[uri]) == ["type-unknown"]
    client.close(uri)
    await client.until(lambda: client.diagnostics[uri] == [])


async def test_views_are_asked_to_refresh(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    client = await start(VSCODE)
    await client.until(lambda: memories(client) == 1)
    asked = len(client.asked)
    place.topic("feedback_b.md")
    wanted = {"workspace/codeLens/refresh", "workspace/inlayHint/refresh"}
    await client.until(lambda: wanted <= {m for m, _ in client.asked[asked:]})
    await client.until(lambda: memories(client) == 2)


async def test_settings_from_the_editor_count_at_once(place: Place, start: Start) -> None:
    place.topic("feedback_a.md", type="feedbak")
    place.index("feedback_a.md")
    uri = place.uri("feedback_a.md")
    client = await start(NEOVIM, settings={"severity": {"type-unknown": "error"}})
    await client.until(lambda: [d["severity"] for d in client.diagnostics.get(uri, [])] == [1])
    client.settings = {"ignore": ["type-unknown"]}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    await client.until(lambda: client.diagnostics[uri] == [])
    client.settings = {}
    client.notify("workspace/didChangeConfiguration", {"settings": {}})
    await client.until(lambda: [d["severity"] for d in client.diagnostics[uri]] == [2])


async def test_settings_that_are_only_pushed(place: Place, start: Start) -> None:
    place.topic("feedback_a.md", type="feedbak")
    place.index("feedback_a.md")
    uri = place.uri("feedback_a.md")
    client = await start(
        PLAIN, options={"settings": {"severity": {"typeUnknown": "hint", "type-unknown": "hint"}}}
    )
    await client.until(lambda: [d["severity"] for d in client.diagnostics.get(uri, [])] == [4])
    client.notify("workspace/didChangeConfiguration", {"settings": {"memdir": {"ignore": ["type-unknown"]}}})
    await client.until(lambda: client.diagnostics[uri] == [])


async def test_configuration_files_are_watched(place: Place, start: Start) -> None:
    place.topic("feedback_a.md", type="decision")
    place.index("feedback_a.md")
    uri = place.uri("feedback_a.md")
    client = await start(PLAIN)
    await client.until(lambda: codes(client.diagnostics.get(uri)) == ["type-unknown"])
    config = place.repo / "memdir.toml"
    config.write_text('extend-types = ["decision"]\n')
    await client.until(lambda: client.diagnostics[uri] == [])
    config.write_text("extend-types = 5\n")
    await client.until(lambda: codes(client.diagnostics.get(config.as_uri())) == ["config-invalid"])
    await client.until(lambda: codes(client.diagnostics[uri]) == ["type-unknown"])
    config.unlink()
    await client.until(lambda: client.diagnostics[config.as_uri()] == [])


async def test_an_unsaved_configuration_file_counts(place: Place, start: Start) -> None:
    place.topic("feedback_a.md", type="decision")
    place.index("feedback_a.md")
    config = place.repo / "memdir.toml"
    config.write_text("")
    client = await start(PLAIN)
    uri = place.uri("feedback_a.md")
    await client.until(lambda: codes(client.diagnostics.get(uri)) == ["type-unknown"])
    text = client.open(config, 'extend-types = ["decision"]\n', "toml")
    await client.until(lambda: client.diagnostics[uri] == [])
    client.close(text)
    await client.until(lambda: codes(client.diagnostics[uri]) == ["type-unknown"])


async def test_memory_can_be_moved_and_switched_off_while_it_is_shown(
    place: Place, start: Start, home: Path
) -> None:
    place.topic("feedback_a.md", type="feedbak")
    elsewhere = Place(place.repo, home / "notes" / "memory")
    elsewhere.topic("feedback_z.md", type="feedbak")
    a, z = place.uri("feedback_a.md"), elsewhere.uri("feedback_z.md")
    client = await start(PLAIN)
    await client.until(lambda: "type-unknown" in codes(client.diagnostics.get(a)))
    settings = home / ".claude" / "settings.json"
    settings.write_text('{"autoMemoryDirectory": "~/notes/memory"}')
    await client.until(lambda: "type-unknown" in codes(client.diagnostics.get(z)))
    await client.until(lambda: client.diagnostics[a] == [])
    status = (await client.request("memdir/status"))["folders"][0]
    assert (status["memoryDir"], status["source"]) == (str(elsewhere.memory), "user-settings")
    settings.write_text('{"autoMemoryEnabled": false}')
    await client.until(
        lambda: any(
            p["folders"][0]["health"] == "off" for m, p in client.told if m == "memdir/didChangeStatus"
        )
    )


async def test_a_repository_that_wants_to_move_memory(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    settings = place.repo / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "autoMemoryDirectory": "~/.ssh/keys"\n}\n')
    client = await start(PLAIN)
    uri = settings.as_uri()
    await client.until(lambda: codes(client.diagnostics.get(uri)) == ["settings-project-directory"])
    assert client.diagnostics[uri][0]["range"]["start"]["line"] == 1
    settings.write_text("{}")
    await client.until(lambda: client.diagnostics[uri] == [])


async def test_agents_have_rows_of_their_own(place: Place, start: Start) -> None:
    place.topic("feedback_a.md")
    folder = place.repo / ".claude" / "agent-memory" / "reviewer"
    folder.mkdir(parents=True)
    (folder / "naming.md").write_text(
        "---\nname: Naming\ndescription: Berths have their full names\ntype: feedbak\n---\nSo.\n"
    )
    client = await start(PLAIN)
    uri = (folder / "naming.md").as_uri()
    await client.until(lambda: "type-unknown" in codes(client.diagnostics.get(uri)))
    await client.until(lambda: memories(client) == 1)  # agents count for themselves
    roots = (await client.request("memdir/tree"))["roots"]
    assert [r["label"] for r in roots] == ["Private", "Agents"]
    [agent] = roots[1]["children"]
    assert (agent["kind"], agent["label"], agent["children"][0]["uri"]) == ("agent", "reviewer", uri)


async def test_instructions_that_say_the_same(place: Place, start: Start) -> None:
    sentence = "Integration tests run against a real database in a container and never against mocks"
    place.topic("feedback_a.md", body=f"{sentence}.\n\n**Why:** Mocks lied.\n\n**How to apply:** Always.")
    place.index("feedback_a.md")
    client = await start(PLAIN)
    await client.until(lambda: memories(client) == 1)
    (place.repo / "CLAUDE.md").write_text(f"# Rules\n\n- {sentence}.\n")
    uri = place.uri("feedback_a.md")
    await client.until(lambda: codes(client.diagnostics.get(uri)) == ["duplicates-instructions"])


async def test_git_history_arrives_behind_the_first_answer(place: Place, start: Start) -> None:
    import subprocess

    def git(*args: str, **env: str) -> None:
        subprocess.run(
            ["git", "-C", str(place.repo), *args],
            check=True,
            capture_output=True,
            env={"PATH": "/usr/bin:/bin", **_ME, **env},
        )

    shutil.rmtree(place.repo / ".git")
    git("init", "-q", "-b", "main")
    (place.repo / "app.py").write_text("x = 1\n")
    git("add", ".")
    git(
        "commit",
        "-q",
        "-m",
        "one",
        GIT_AUTHOR_DATE="2020-01-01T00:00:00Z",
        GIT_COMMITTER_DATE="2020-01-01T00:00:00Z",
    )
    path = place.topic("feedback_a.md", body="See `app.py:1`.\n\n**Why:** So.\n\n**How to apply:** So.")
    text = path.read_text().replace("type: feedback\n", "type: feedback\nmodified: 2024-05-01\n")
    place.write("feedback_a.md", text)
    place.index("feedback_a.md")
    uri = place.uri("feedback_a.md")
    client = await start(PLAIN)
    await client.until(lambda: "memory-stale" in codes(client.diagnostics.get(uri)))
    assert "citation-drifted" not in codes(client.diagnostics[uri])
    (place.repo / "app.py").write_text("x = 2\n")
    git("commit", "-q", "-a", "-m", "two")
    await client.until(lambda: "citation-drifted" in codes(client.diagnostics[uri]))


_ME: dict[str, Any] = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}
