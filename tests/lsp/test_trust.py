"""What a workspace may decide: nothing about places before it is trusted, and afterwards what the person opted in to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import VSCODE, Client
from tests.lsp.conftest import Place, Start, codes

ALLOWED = {"allowProjectDirectory": True}


async def memory_dir(client: Client) -> str:
    status: dict[str, Any] = await client.request("memdir/status", {})
    return str(status["folders"][0]["memoryDir"])


@pytest.mark.parametrize(
    ("trusted", "settings", "moved"),
    [
        (False, ALLOWED, False),
        (True, {}, False),
        (True, {"allowProjectDirectory": False}, False),
        (True, ALLOWED, True),
    ],
)
async def test_a_project_moves_memory_only_when_trusted_and_opted_in(
    home: Path, place: Place, start: Start, trusted: bool, settings: dict[str, Any], moved: bool
) -> None:
    elsewhere = home / "elsewhere"
    file = place.repo / ".claude" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"autoMemoryDirectory": str(elsewhere)}))
    options = {"trusted": trusted, "settings": settings}
    client = await start(VSCODE, settings={"memdir": settings}, options=options)
    await client.until(lambda: client.told)
    assert await memory_dir(client) == str(elsewhere if moved else place.memory)
    if moved:
        assert codes(client.diagnostics.get(file.as_uri())) == []
    else:
        await client.until(
            lambda: codes(client.diagnostics.get(file.as_uri())) == ["settings-project-directory"]
        )


async def test_directories_that_an_editor_lists_as_trusted(home: Path, place: Place, start: Start) -> None:
    """For clients that do not say what is trusted."""
    elsewhere = home / "elsewhere"
    file = place.repo / ".claude" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"autoMemoryDirectory": str(elsewhere)}))
    for listed, expected in ((str(place.repo.parent), elsewhere), (str(home / "other"), place.memory)):
        settings = {**ALLOWED, "trusted": [listed]}
        client = await start(VSCODE, settings={"memdir": settings}, options={"settings": settings})
        assert await memory_dir(client) == str(expected)
