"""Code actions beyond fixes: refactorings with lazy edits, order in the index, saving a selection in any editor."""

from __future__ import annotations

from typing import Any

from tests.lsp.client import Client
from tests.lsp.conftest import Place, Start
from tests.lsp.edits import to_path
from tests.lsp.profiles import NEOVIM, PLAIN, VSCODE, Json

SECTIONS = (
    "Deploys go out on Tuesdays.\n\n## Staging\n\nThe staging host is rebuilt nightly.\n\n"
    "## Hotfixes\n\nThey skip the freeze after a second review.\n"
)


def at(line: int, character: int = 0) -> Json:
    return {"start": {"line": line, "character": character}, "end": {"line": line, "character": character}}


def select(text: str, wanted: str) -> Json:
    """The range of the first `wanted` in `text` (ASCII)."""
    start = text.index(wanted)

    def position(offset: int) -> Json:
        before = text[:offset]
        return {"line": before.count("\n"), "character": offset - (before.rfind("\n") + 1)}

    return {"start": position(start), "end": position(start + len(wanted))}


def named(actions: list[Json], title: str) -> Json:
    found = [a for a in actions if title in a["title"]]
    assert found, [a["title"] for a in actions]
    return found[0]


async def resolved(client: Client, action: Json) -> Json:
    result: Json = await client.request("codeAction/resolve", action)
    return result


async def ready(client: Client, place: Place, *rels: str) -> None:
    """The memory has been read."""
    await client.until(
        lambda: any(
            m == "memdir/didChangeStatus" and p["folders"] and p["folders"][0]["memories"] >= len(rels)
            for m, p in client.told
        )
    )


async def test_a_section_becomes_a_memory(place: Place, start: Start) -> None:
    path = place.topic("project_deploys.md", name="Deploys", type="project", body=SECTIONS)
    place.index("project_deploys.md")
    client = await start(VSCODE)
    await ready(client, place, "project_deploys.md")
    uri = client.open(path)
    text = client.texts[uri]
    action = named(await client.actions(uri, select(text, "## Staging")), "Extract “Staging”")
    assert action["kind"] == "refactor.extract"
    assert "edit" not in action
    client.apply((await resolved(client, action))["edit"])
    assert "[[project_staging]]" in client.texts[uri]
    assert "rebuilt nightly" not in client.texts[uri]
    created = (place.memory / "project_staging.md").read_text()
    assert "type: project" in created and "The staging host is rebuilt nightly." in created
    assert "](project_staging.md)" in (place.memory / "MEMORY.md").read_text()


async def test_what_reaches_further_asks_to_be_looked_at(place: Place, start: Start) -> None:
    path = place.topic("project_deploys.md", name="Deploys", type="project", body=SECTIONS)
    place.index("project_deploys.md")
    client = await start(VSCODE)
    await ready(client, place, "project_deploys.md")
    uri = client.open(path)
    action = named(await client.actions(uri, at(1)), "Move to team memory")
    edit = (await resolved(client, action))["edit"]
    [annotation] = edit["changeAnnotations"].values()
    assert annotation["needsConfirmation"] is True
    assert annotation["label"] == "Move to team memory"
    client.apply(edit)
    assert (place.memory / "team" / "project_deploys.md").is_file()
    assert "project_deploys.md" not in (place.memory / "MEMORY.md").read_text()
    assert "](project_deploys.md)" in (place.memory / "team" / "MEMORY.md").read_text()


async def test_without_annotations_the_edit_comes_plain(place: Place, start: Start) -> None:
    path = place.topic("project_deploys.md", name="Deploys", type="project", body=SECTIONS)
    client = await start(NEOVIM)
    await ready(client, place, "project_deploys.md")
    uri = client.open(path)
    edit = (await resolved(client, named(await client.actions(uri, at(1)), "Split into 2 memories")))["edit"]
    assert "changeAnnotations" not in edit
    client.apply(edit)
    assert (place.memory / "project_staging.md").is_file()
    assert (place.memory / "project_hotfixes.md").is_file()


async def test_a_plain_client_gets_commands(place: Place, start: Start) -> None:
    path = place.topic("project_deploys.md", name="Deploys", type="project", body=SECTIONS)
    client = await start(PLAIN)
    await ready(client, place, "project_deploys.md")
    uri = client.open(path)
    actions = await client.actions(uri, at(1))
    command = named(actions, "Split into 2 memories")
    assert command["command"] == "memdir.server.refactor"
    done = await client.request(
        "workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]}
    )
    assert done is True
    assert (place.memory / "project_hotfixes.md").is_file()
    # written on disk with an entry in the journal, so it can be undone
    past = await client.run("changes")
    assert [p["origin"] for p in past] == ["action"]
    await client.run("undo")
    assert not (place.memory / "project_hotfixes.md").exists()
    assert path.read_text().endswith("second review.\n\n")


async def test_an_action_that_applies_no_more_gets_no_edit(place: Place, start: Start) -> None:
    path = place.topic("project_deploys.md", name="Deploys", type="project", body=SECTIONS)
    client = await start(VSCODE)
    await ready(client, place, "project_deploys.md")
    uri = client.open(path)
    action = named(await client.actions(uri, at(1)), "Split into 2 memories")
    client.change(uri, client.texts[uri].replace("## ", ""))
    assert "edit" not in await resolved(client, action)


async def test_the_index_is_organised(place: Place, start: Start) -> None:
    place.topic("user_role.md", name="Role", type="user")
    place.topic("project_deploys.md", name="Deploys", type="project")
    index = place.write(
        "MEMORY.md",
        "# Memory\n\n- [Deploys](project_deploys.md) — when\n- [Role](user_role.md) — who\n- [Gone](gone.md) — x\n- [Role](user_role.md) — who\n\nFree text stays.\n",
    )
    client = await start(VSCODE)
    await ready(client, place, "a", "b")
    uri = client.open(index)
    [action] = await client.actions(uri, at(0), only=["source.organizeIndex"])
    assert (action["kind"], action["title"]) == ("source.organizeIndex", "Organise the index")
    client.apply((await resolved(client, action))["edit"])
    assert client.texts[uri] == (
        "# Memory\n\n- [Role](user_role.md) — who\n- [Deploys](project_deploys.md) — when\n\nFree text stays.\n"
    )
    assert await client.actions(uri, at(0), only=["source.organizeIndex"]) == []


async def test_a_selection_of_any_file_is_saved(place: Place, start: Start) -> None:
    source = place.repo / "notes.txt"
    text = "Intro.\nThe billing database is read only on Mondays because of the audit.\nMore.\n"
    source.write_text(text)
    client = await start(VSCODE)
    uri = client.open(source, language="plaintext")
    where = select(text, "The billing database is read only on Mondays because of the audit.")
    action = named(await client.actions(uri, where), "Save the selection as a memory")
    client.choices = ["Project"]
    answer = await client.request(
        "workspace/executeCommand",
        {"command": action["command"]["command"], "arguments": action["command"]["arguments"]},
    )
    assert answer["saved"] is True
    saved = to_path(answer["uri"])
    assert saved.parent == place.memory
    content = saved.read_text()
    assert "type: project" in content
    assert "Source: `notes.txt:2`" in content
    assert saved.name in (place.memory / "MEMORY.md").read_text()
    assert ("window/showDocument", {"uri": answer["uri"], "takeFocus": True}) in [
        (m, {k: p[k] for k in ("uri", "takeFocus")}) for m, p in client.asked if m == "window/showDocument"
    ]
    # going away saves nothing
    client.choices = []
    assert (
        await client.request(
            "workspace/executeCommand",
            {"command": action["command"]["command"], "arguments": action["command"]["arguments"]},
        )
        is None
    )


async def test_a_selection_on_a_known_subject_updates_it(place: Place, start: Start) -> None:
    known = place.topic(
        "project_billing.md",
        name="Billing database",
        description="The billing database is read only on Mondays because of the audit",
        type="project",
        body="Read only on Mondays.",
    )
    place.index("project_billing.md")
    client = await start(VSCODE)
    await ready(client, place, "project_billing.md")
    client.choices = ["Project", "Update project_billing.md"]
    answer = await client.run(
        "saveSelection",
        text="The billing database is read only on Mondays because of the audit, and slow on Fridays.",
    )
    assert answer["saved"] is True
    assert to_path(answer["uri"]) == known
    assert "slow on Fridays" in known.read_text()
    questions: list[Any] = [p for m, p in client.asked if m == "window/showMessageRequest"]
    assert [a["title"] for a in questions[1]["actions"]] == ["Update project_billing.md", "Save all the same"]


async def test_outside_of_every_folder_nothing_is_offered(place: Place, start: Start) -> None:
    other = place.repo.parent / "elsewhere.txt"
    other.write_text("some words\n")
    client = await start(VSCODE)
    uri = client.open(other, language="plaintext")
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 4}}
    assert await client.actions(uri, where) == []


async def test_what_costs_more_is_made_when_it_is_asked_for(place: Place, start: Start) -> None:
    """Converting every header of a directory is offered by its title; its edits come with the answer."""
    paths = [place.topic(f"project_{n}.md", name=f"Fact {n}", type="project") for n in range(3)]
    client = await start(VSCODE)
    await ready(client, place, *(p.name for p in paths))
    uri = client.open(paths[0])
    action = named(await client.actions(uri, at(1)), "in every memory of this directory")
    edit = (await resolved(client, action))["edit"]
    assert len(edit["documentChanges"]) == 3
    client.apply(edit)
    assert "metadata:\n  type: project" in client.texts[uri]
    assert all("metadata:\n  type: project" in p.read_text() for p in paths[1:])
