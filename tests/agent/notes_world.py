"""A repository with a session to take notes of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdir.agent.notes_compact import Compaction, compact
from memdir.agent.notes_job import NotesReport, update_notes
from memdir.agent.notes_store import NotesFile
from memdir.agent.notes_text import template
from tests.agent import world as base
from tests.agent.sessions import agent, append, person
from tests.conftest import NOW
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback

STATE = "_What is being worked on right now, what is finished, what comes next._\n"
DONE = Say("Done.")


def with_state(text: str) -> str:
    return template().replace(STATE, STATE + text + "\n")


def edit(new: str, old: str = STATE) -> tuple[str, dict[str, Any]]:
    return ("edit", {"path": "summary.md", "old": old, "new": new, "reason": ""})


class World(base.World):
    @property
    def notes(self) -> NotesFile:
        return NotesFile(str(self.session), self.state)

    def run(self, loopback: Loopback | None, *, force: bool = False, **variables: Any) -> NotesReport:
        return base.run(
            loopback,
            lambda client: update_notes(
                self.workspace(**variables),
                str(self.session),
                state_dir=self.state,
                clock=lambda: NOW,
                client=client,
                force=force,
            ),
        )

    def compact(self, loopback: Loopback | None, **options: Any) -> Compaction:
        return base.run(
            loopback,
            lambda client: compact(
                self.workspace(), str(self.session), state_dir=self.state, client=client, **options
            ),
        )


@pytest.fixture
def world(tmp_path: Path, home: Path) -> World:
    found = World(base.empty_repository(tmp_path), home)
    append(
        found.session,
        person("Fix the import of the tide tables"),
        agent("I look at import.py.", usage=12_000),
    )
    return found
