"""Other projects in the sidebar: size, owner, problems, and whether they were left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memdir.core.slug import slug
from tests.lsp.conftest import Place, Start

GOOD = "---\nname: Good\ndescription: What a reader of the berth plans would ask\ntype: user\n---\nText.\n"
BAD = GOOD.replace("type: user", "type: usr").replace("Good", "Bad")


async def test_rows_of_other_projects(place: Place, start: Start, home: Path) -> None:
    place.topic("user_role.md", name="Role", type="user")
    other = home / "work" / "other"
    (other / ".git").mkdir(parents=True)
    memory = home / ".claude" / "projects" / slug(str(other)) / "memory"
    memory.mkdir(parents=True)
    (memory / "user_good.md").write_text(GOOD)
    (memory / "user_bad.md").write_text(BAD)
    (memory / "MEMORY.md").write_text("- [Good](user_good.md) — x\n- [Bad](user_bad.md) — y\n")
    client = await start()

    async def row() -> dict[str, Any]:
        [found] = (await client.request("memdir/projects", {}))["roots"]
        assert isinstance(found, dict)
        return found

    first = await row()
    assert first["label"] == "other"
    assert "3 files" in str(first["description"])
    assert first["problems"]["warning"] == 1
    assert [c["label"] for c in first["children"]] == ["MEMORY.md", "user_bad.md", "user_good.md"]
    (memory / "user_bad.md").write_text(GOOD.replace("Good", "Repaired memory"))
    assert (await row())["problems"]["warning"] == 0
