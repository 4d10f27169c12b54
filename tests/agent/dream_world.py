"""A repository whose memories a model consolidates."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memdir.agent.consolidate_job import (
    Consolidated,
    consolidate_memories,
)
from memdir.agent.dream import Step
from memdir.store.consolidate_lock import NAME
from tests.agent import world as base
from tests.agent.sessions import agent, append, memory_text, person
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback


def clock() -> datetime:
    return datetime.now(UTC)  # the lock's time is compared with the start of processes


DB = memory_text(
    "Real database",
    "Tests hit PostgreSQL.\n\n**Why:** A migration broke in Q4.\n\n**How to apply:** Use the fixture.",
    "feedback",
    "Integration tests hit a real PostgreSQL",
)
MOCKS = memory_text(
    "No mocks",
    "Never mock the tide client.\n\n**Why:** It lied about 2026-01-15.\n\n**How to apply:** Ask first.",
    "feedback",
    "Mocks of the tide client are not wanted",
)
MERGED = memory_text(
    "Real database, no mocks",
    "Tests hit PostgreSQL. Never mock the tide client.\n\n**Why:** A migration broke in Q4. It lied about 2026-01-15.\n\n**How to apply:** Use the fixture. Ask first.",
    "feedback",
    "Integration tests hit a real PostgreSQL, never mocks",
)


@dataclass
class World(base.World):
    steps: list[Step] = field(default_factory=list)

    async def work(self, loopback: Loopback | None, **options: Any) -> Consolidated:
        return await base.asked(
            loopback,
            lambda client: consolidate_memories(
                self.workspace(),
                state_dir=self.state,
                clock=clock,
                client=client,
                progress=self.steps.append,
                **options,
            ),
        )

    def run(self, loopback: Loopback | None, **options: Any) -> Consolidated:
        return asyncio.run(self.work(loopback, **options))

    def files(self) -> dict[str, bytes]:
        return {
            str(p.relative_to(self.memory)): p.read_bytes()
            for p in self.memory.rglob("*")
            if p.is_file() and p.name != NAME
        }


@pytest.fixture
def world(tmp_path: Path, home: Path) -> World:
    found = World(base.empty_repository(tmp_path), home)
    root = found.memory
    (root / "logs/2026/03").mkdir(parents=True)
    (root / "MEMORY.md").write_text(
        "- [Real database](feedback_db.md) — real PostgreSQL\n- [No mocks](feedback_mocks.md) — no mocks\n"
    )
    (root / "feedback_db.md").write_text(DB)
    (root / "feedback_mocks.md").write_text(MOCKS)
    (root / "logs/2026/03/2026-03-09.md").write_text("- 09:00 Mara owns the release\n")
    append(
        root.parent / "s1.jsonl", person("The freeze ends on 2026-03-20", cwd=str(found.repo)), agent("OK")
    )
    return found


def call(name: str, **given: Any) -> tuple[str, dict[str, Any]]:
    return name, {"reason": f"because of {name}", **given} if name in ("write", "edit", "delete") else given


MERGE = (
    Say("Overview.", tools=(call("read", path="feedback_db.md"), call("read", path="feedback_mocks.md"))),
    Say("Both are about tests."),
    Say(
        tools=(
            call("read", path="logs/2026/03/2026-03-09.md"),
            call("search", path="@sessions", pattern="freeze"),
        )
    ),
    Say("Merge them."),
    Say(
        tools=(call("write", path="feedback_db.md", content=MERGED), call("delete", path="feedback_mocks.md"))
    ),
    Say("Merged."),
    Say(tools=(call("edit", path="MEMORY.md", old="- [No mocks](feedback_mocks.md) — no mocks\n", new=""),)),
    Say("Two memories on tests became one."),
)
