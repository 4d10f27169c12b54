"""The messages of our own: their page, their hash, what they say."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from memdir.lsp import ext
from tests.lsp.conftest import Place, Start
from tests.lsp.profiles import PLAIN, VSCODE

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "protocol.md"


def test_the_page_was_read_again_when_the_messages_changed() -> None:
    """A new hash goes into the page together with the words that explain the change."""
    digest = hashlib.sha256(Path(ext.__file__).read_bytes()).hexdigest()[:16]
    assert f"<!-- ext.py: {digest} -->" in PAGE.read_text(), (
        f"look at docs/protocol.md, then write {digest} into it"
    )


def test_every_message_and_command_is_on_the_page() -> None:
    page = PAGE.read_text()
    source = Path(ext.__file__).read_text()
    names = re.findall(r'"(memdir/\w+)"', source) + [
        ext.COMMAND_PREFIX + name for name in re.findall(r'COMMAND_PREFIX \+ "(\w+)"', source)
    ]
    assert len(names) >= 6
    assert [n for n in names if f"`{n}`" not in page] == []


async def test_tree(place: Place, start: Start) -> None:
    place.topic("user_role.md", name="Role", type="user", body="Knows Go.")
    place.topic("feedback_a.md", name="Alpha", description="What was agreed about *stars* and so on, in full")
    place.topic("project_x.md", name="Odd", type="decision")
    place.write("loose.md", "No header at all.\n")
    place.topic("team/reference_t.md", name="Tracker", type="reference")
    place.write("logs/2026/03/2026-03-10.md", "- 10:00 x\n")
    place.index("user_role.md", "feedback_a.md", "project_x.md", "loose.md")
    place.index("reference_t.md", name="team/MEMORY.md")
    client = await start(VSCODE)
    await client.until(
        lambda: [
            p
            for m, p in client.told
            if m == "memdir/didChangeStatus" and p["folders"][0]["problems"]["warning"]
        ]
    )
    roots = (await client.request("memdir/tree", {}))["roots"]
    private, team = roots
    assert [private["label"], private["kind"], private["contextValue"]] == [
        "Private",
        "scope",
        "scope private",
    ]
    assert private["description"] == "4 memories"
    assert [c["label"] for c in private["children"]] == [
        "MEMORY.md",
        "User",
        "Feedback",
        "decision",
        "Without a type",
        "Daily logs",
    ]
    index, _, feedback, odd, _, logs = private["children"]
    assert index["uri"] == place.uri("MEMORY.md")
    assert index["description"].startswith("4/200 lines, 0.2/25 KB")
    [alpha] = feedback["children"]
    assert (alpha["label"], alpha["uri"], alpha["age"]) == ("Alpha", place.uri("feedback_a.md"), 0)
    assert (alpha["memoryType"], alpha["scope"], alpha["contextValue"]) == (
        "feedback",
        "private",
        "memory private",
    )
    assert r"\*stars\*" in alpha["tooltip"]
    assert "problems" not in alpha
    assert odd["children"][0]["problems"] == {"error": 0, "warning": 1, "information": 0, "hint": 0}
    assert odd["problems"] == odd["children"][0]["problems"]
    assert [c["label"] for c in logs["children"]] == ["2026-03-10"]
    assert [c["label"] for c in team["children"]] == ["MEMORY.md", "Reference"]
    ids = [n["id"] for n in walk(roots)]
    assert len(ids) == len(set(ids))


def walk(nodes: list[dict]) -> list[dict]:  # type: ignore[type-arg]
    return [x for n in nodes for x in (n, *walk(n.get("children", [])))]


async def test_status_says_what_decided(place: Place, start: Start) -> None:
    place.topic("feedback_a.md", type="feedbak")
    place.write("MEMORY.md", "- [A](feedback_a.md) — a\n" + "".join(f"- line {i}\n" for i in range(230)))
    client = await start(PLAIN)
    await client.until(
        lambda: [p for m, p in client.told if m == "memdir/didChangeStatus" and p["folders"][0]["index"]]
    )
    await client.until(lambda: place.uri("MEMORY.md") in client.diagnostics)
    result = await client.request("memdir/status", {"folder": place.repo.as_uri()})
    [folder] = result["folders"]
    assert folder["owner"] == str(place.repo)
    assert folder["memoryDir"] == str(place.memory)
    assert (folder["exists"], folder["enabled"], folder["enabledBy"], folder["source"]) == (
        True,
        True,
        "default",
        "default",
    )
    assert folder["index"]["lines"] == 231
    assert (folder["index"]["maxLines"], folder["index"]["maxSize"], folder["index"]["truncated"]) == (
        200,
        25000,
        "lines",
    )
    assert folder["health"] == "error"
    assert folder["message"] == "MEMORY.md is longer than what the agent loads; its end is lost."


async def test_the_language_is_the_editors(place: Place, start: Start) -> None:
    place.topic("feedback_a.md", type="feedbak")
    client = await start(PLAIN, locale="zh-cn")
    status = await client.request("memdir/status")
    assert status["folders"][0]["message"] in ("没有问题。", "2 个警告。", "1 个警告。")
    await client.until(lambda: client.diagnostics.get(place.uri("feedback_a.md")))
    tree = await client.request("memdir/tree")
    assert tree["roots"][0]["label"] == "私有"
    types = await client.request("memdir/types")
    assert [t["name"] for t in types["types"]] == ["user", "feedback", "project", "reference"]
