"""A repository with memories and a session to extract from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdir.agent.extract_job import Report, extract_session
from memdir.agent.inbox import Inbox
from tests.agent import world as base
from tests.agent.sessions import (
    agent,
    append,
    memory_text,
    person,
)
from tests.conftest import NOW
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback

DONE = Say("Done.")
WANTED = "Please never use mocks in these tests, we got burned by that"


class World(base.World):
    """A repository with memories and one session."""

    @property
    def inbox(self) -> Inbox:
        return Inbox(self.state, str(self.memory))

    def run(self, loopback: Loopback | None, **variables: Any) -> Report:
        return base.run(
            loopback,
            lambda client: extract_session(
                self.workspace(**variables),
                str(self.session),
                state_dir=self.state,
                clock=lambda: NOW,
                client=client,
            ),
        )


@pytest.fixture
def world(tmp_path: Path, home: Path) -> World:
    found = World(base.empty_repository(tmp_path), home)
    found.memory.mkdir(parents=True)
    (found.memory / "MEMORY.md").write_text("- [Freeze](project_freeze.md) — merge freeze\n")
    (found.memory / "project_freeze.md").write_text(
        memory_text("Freeze", "Frozen until 2026-03-20.", description="Merge freeze for the release")
    )
    append(
        found.session,
        person("Add a test for the import"),
        agent("I add one with a mock."),
        person(WANTED),
        agent("Understood."),
    )
    return found
