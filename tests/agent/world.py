"""A repository, its memory and one session, for tests of the jobs that read the session."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from memdir.agent.client import AnthropicClient
from memdir.store.workspace import Workspace, open_workspace
from tests.loopback.server import Loopback
from tests.store.layouts import bare_repository, environment

Done = TypeVar("Done")


@dataclass
class World:
    """`settings` are the editor's; variables of the environment are given per call."""

    repo: Path
    home: Path
    settings: dict[str, Any] = field(default_factory=dict)

    def workspace(self, **variables: Any) -> Workspace:
        found = open_workspace(
            str(self.repo), environment(self.home, **variables), editor=self.settings, agents=False
        )
        assert not found.problems, found.problems
        return found

    @property
    def memory(self) -> Path:
        return Path(self.workspace().location.memory_dir)

    @property
    def session(self) -> Path:
        return self.memory.parent / "s1.jsonl"

    @property
    def state(self) -> str:
        return str(self.home / "state")


def empty_repository(tmp_path: Path) -> Path:
    """A checkout without memory, its path without links."""
    return bare_repository(Path(os.path.realpath(tmp_path)) / "repo")


async def asked(loopback: Loopback | None, work: Callable[[AnthropicClient | None], Awaitable[Done]]) -> Done:
    """What `work` gives with a client of the service; without one when there is no service."""
    client = AnthropicClient(loopback.environ, attempts=1) if loopback else None
    try:
        return await work(client)
    finally:
        if client is not None:
            await client.aclose()


def run(loopback: Loopback | None, work: Callable[[AnthropicClient | None], Awaitable[Done]]) -> Done:
    """The same from outside a loop."""
    return asyncio.run(asked(loopback, work))
