"""The doctor and reviews; what begins by itself: recovery, identities, misplaced agent memory."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir.core.i18n import msg
from memdir.core.model import ChangeSet, CreateFile, DeleteFile, content_hash
from memdir.core.slug import slug
from memdir.store.apply import apply, list_entries
from memdir.store.files import MAX_BYTES
from tests.lsp.client import Client, ServerError
from tests.lsp.conftest import Place, Start, codes
from tests.lsp.profiles import NEOVIM, VSCODE
from tests.lsp.test_jobs_actions import at, named
from tests.store.layouts import repository


def state_dir() -> str:
    return os.path.join(os.environ["XDG_STATE_HOME"], "memdir")


async def test_a_moved_repository_gets_its_memories_back(home: Path, start: Start) -> None:
    old = repository(home / "work" / "old")
    memory = home / ".claude" / "projects" / slug(os.path.realpath(old)) / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- [Role](user_role.md) — who\n")
    (memory / "user_role.md").write_text("---\nname: Role\ndescription: Who\ntype: user\n---\nKnows Go.\n")
    records = Path(state_dir()) / "repositories.json"
    client = await start(VSCODE, old)
    # the server remembers what it opens, by itself
    await client.until(lambda: records.is_file() and client.told, "the identity of the repository")
    assert slug(os.path.realpath(old)) in json.loads(records.read_text())["repositories"]
    assert (await client.run("doctor"))["cases"] == []
    new = home / "work" / "new"
    old.rename(new)

    client = await start(VSCODE, new)
    [case] = (await client.run("doctor"))["cases"]
    assert (case["kind"], case["certain"], case["owner"]) == ("moved", True, os.path.realpath(new))
    assert case["directory"] == str(memory)
    assert case["headline"] == "Repository moved"
    assert case["why"] == "it has the same first commit"
    size = sum(p.stat().st_size for p in memory.iterdir())
    assert (case["memories"], case["size"], case["targetMemories"], case["targetSize"]) == (2, size, None, 0)
    [info] = await client.run("reviews")
    assert (info["id"], info["kind"], info["files"]) == (case["review"], "doctor", 2)
    review = await client.run("review", id=case["review"])
    target = home / ".claude" / "projects" / slug(os.path.realpath(new)) / "memory"
    assert {(f["kind"], f["uri"]) for f in review["files"]} == {
        ("rename", (target / "MEMORY.md").as_uri()),
        ("rename", (target / "user_role.md").as_uri()),
    }
    assert {f["oldUri"] for f in review["files"]} == {
        (memory / n).as_uri() for n in ("MEMORY.md", "user_role.md")
    }
    assert not target.exists()
    answer = await client.run("accept", id=case["review"])
    assert answer["left"] == 0
    assert (target / "user_role.md").read_text().endswith("Knows Go.\n")
    assert not (memory / "user_role.md").exists()
    assert await client.run("reviews") == []
    with pytest.raises(ServerError, match="no longer there"):
        await client.run("review", id=case["review"])
    await client.run("undo", id=answer["done"]["id"])
    assert (memory / "user_role.md").is_file()


async def orphan(home: Path, place: Place, start: Start) -> tuple[Client, str, Path]:
    """A client and a proposal that moves two files of a scattered agent."""
    scattered = place.repo / "app" / ".claude" / "agent-memory" / "reviewer"
    scattered.mkdir(parents=True)
    (scattered / "MEMORY.md").write_text("- [Style](style.md) — how\n")
    (scattered / "style.md").write_text("---\nname: Style\ndescription: How\ntype: feedback\n---\nShort.\n")
    client = await start(VSCODE)
    cases = (await client.run("doctor"))["cases"]
    [case] = [c for c in cases if c["kind"] == "scattered"]
    return client, case["review"], scattered


async def test_every_look_replaces_the_proposals_of_the_last(home: Path, place: Place, start: Start) -> None:
    client, ident, scattered = await orphan(home, place, start)
    [case] = (await client.run("doctor"))["cases"]
    assert case["review"] != ident
    assert [r["id"] for r in await client.run("reviews")] == [case["review"]]
    for file in list(scattered.iterdir()):
        file.unlink()  # mended by hand
    assert await client.run("doctor") == {"cases": []}
    assert await client.run("reviews") == []


async def test_one_directory_that_can_not_be_moved_does_not_hide_the_others(
    home: Path, place: Place, start: Start
) -> None:
    other = place.repo / "lib" / ".claude" / "agent-memory" / "tester"
    other.mkdir(parents=True)
    (other / "huge.md").write_bytes(b"x" * (MAX_BYTES + 1))
    scattered = place.repo / "app" / ".claude" / "agent-memory" / "reviewer"
    scattered.mkdir(parents=True)
    (scattered / "style.md").write_text("Short.\n")
    client = await start(VSCODE)
    cases = {c["directory"]: c for c in (await client.run("doctor"))["cases"]}
    assert cases[str(scattered)]["review"] is not None
    assert cases[str(other)]["review"] is None
    assert "huge.md is too large to be moved" in cases[str(other)]["message"]


async def test_taken_in_part_and_refused(home: Path, place: Place, start: Start) -> None:
    client, ident, scattered = await orphan(home, place, start)
    review = await client.run("review", id=ident)
    style = next(f for f in review["files"] if f["label"].endswith("style.md"))
    answer = await client.run("accept", id=ident, files=[style["uri"]])
    assert answer["left"] == 1
    assert not (scattered / "style.md").exists()
    assert (scattered / "MEMORY.md").exists()
    assert [f["label"].endswith("MEMORY.md") for f in (await client.run("review", id=ident))["files"]] == [
        True
    ]
    assert await client.run("refuse", id=ident) == 0
    assert await client.run("reviews") == []
    assert (scattered / "MEMORY.md").exists()
    await client.until(
        lambda: [p["reviews"] for m, p in client.told if m == "memdir/didChangeJobs"][-1:] == [0]
    )


async def test_a_file_that_changed_meanwhile_is_kept(home: Path, place: Place, start: Start) -> None:
    client, ident, scattered = await orphan(home, place, start)
    (scattered / "style.md").write_text("Changed by the agent.\n")
    review = await client.run("review", id=ident)
    assert [f["label"].rsplit("/", 1)[1] for f in review["files"]] == ["MEMORY.md"]
    assert any("style.md" in note for note in review["notes"])
    assert (scattered / "style.md").read_text() == "Changed by the agent.\n"


async def test_scattered_agent_memory_is_a_problem_with_a_fix(place: Place, start: Start) -> None:
    scattered = place.repo / "app" / ".claude" / "agent-memory" / "reviewer"
    scattered.mkdir(parents=True)
    (place.repo / "app" / "main.py").write_text("pass\n")
    index = scattered / "MEMORY.md"
    index.write_text("- [Style](style.md) — how\n")
    (scattered / "style.md").write_text(
        "---\nname: Style\ndescription: How code is written here, agreed in the review\ntype: reference\n---\nShort functions.\n"
    )
    client = await start(NEOVIM)
    uri = index.as_uri()
    await client.until(lambda: "agent-memory-misplaced" in codes(client.diagnostics.get(uri)))
    # opening the file keeps the finding beside those of its own: its directory is looked at as a memory from now on
    client.open(index, text="- [Style](style.md) — how\n- [Gone](gone.md) — x\n")
    await client.until(
        lambda: {"agent-memory-misplaced", "index-broken-link"} <= set(codes(client.diagnostics.get(uri)))
    )
    client.change(uri, index.read_text())
    await client.until(lambda: codes(client.diagnostics.get(uri)) == ["agent-memory-misplaced"])
    [finding] = [d for d in client.diagnostics[uri] if d["code"] == "agent-memory-misplaced"]
    action = named(await client.actions(uri, at(0), [finding], only=["quickfix"]), "Merge it into")
    assert "edit" in action
    client.apply(action["edit"])
    assert (place.repo / ".claude" / "agent-memory" / "reviewer" / "style.md").is_file()


async def test_an_interrupted_change_is_sorted_out_at_the_start(place: Place, start: Start) -> None:
    kept = place.topic("project_a.md", name="Alpha", type="project")
    before = kept.read_bytes()

    def die(step: str) -> None:
        if step == "swap 1":  # the first file is gone already, the second is not there yet
            os._exit(9)

    pid = os.fork()
    if pid == 0:  # a process that dies in the middle of a change
        change = ChangeSet(
            msg("Forget “{name}”", name="Alpha"),
            (
                DeleteFile(str(kept), content_hash(before)),
                CreateFile(str(place.memory / "project_b.md"), b"new\n"),
            ),
            "delete",
        )
        try:
            apply(
                change,
                roots=[str(place.memory)],
                state_dir=state_dir(),
                now=datetime(2026, 3, 11, tzinfo=UTC),
                step=die,
            )
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    client = await start(VSCODE)
    await client.until(
        lambda: [
            p for m, p in client.told if m == "window/logMessage" and "interrupted change" in p["message"]
        ],
        "what became of the interrupted change",
    )
    assert kept.read_bytes() == before
    assert not (place.memory / "project_b.md").exists()
    assert [e.outcome for e in list_entries(state_dir())] == ["rolled-back"]
