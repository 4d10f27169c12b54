"""Everything Memdir knows about one working directory: where its memory is, its settings, its documents.

The command line opens one per run, the language server one per workspace folder and keeps it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from memdir.store.environment import Environment
from memdir.store.gitfiles import find_checkout
from memdir.store.locate import Location, locate
from memdir.store.project_dirs import session_cwds
from memdir.store.snapshot import INDEX_NAME, MemoryStore
from memdir.store.state import state_dir

if TYPE_CHECKING:
    from memdir.core.daily_log import LogHistory
    from memdir.core.facts import ProjectFacts
    from memdir.core.instructions import Instructions
    from memdir.core.recall_stats import Recalls
    from memdir.core.rule import Context
    from memdir.core.settings import Problem, Settings
    from memdir.store.config import Configuration, Overlay


@dataclass(slots=True)
class Workspace:
    """A working directory with its memory. `stores` holds the memory directory first, then those of agents."""

    location: Location
    configuration: Configuration
    problems: tuple[Problem, ...]
    stores: list[MemoryStore]
    project: ProjectFacts
    state_dir: str = ""
    environment: Environment | None = None
    _agents: dict[str, str] = field(default_factory=dict)
    _instructions: Instructions | None = None
    _recalls: dict[str, Recalls] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        return self.configuration.settings

    def context(self, store: MemoryStore, now: datetime) -> Context:
        """What rules see of `store` at `now`."""
        from memdir.core.daily_log import NoHistory
        from memdir.core.rule import Context

        logs: LogHistory = NoHistory()
        if self.state_dir and os.path.isdir(os.path.join(self.state_dir, "logs")):
            from memdir.store.logs import History

            logs = History(self.state_dir, store.root)
        return Context(
            store.directory,
            now,
            self.settings,
            self.project,
            store.escapes,
            logs,
            self.instructions,
            self.recalls(store),
        )

    def recalls(self, store: MemoryStore) -> Recalls:
        """What recall has recorded of a store; read once until `refresh`."""
        found = self._recalls.get(store.root)
        if found is None:
            from memdir.core.recall_stats import NoRecalls

            found = NoRecalls()
            if self.state_dir and os.path.isdir(os.path.join(self.state_dir, "recall")):
                from memdir.store.recalls import Recalled

                found = Recalled(self.state_dir, store.root)
            self._recalls[store.root] = found
        return found

    @property
    def instructions(self) -> Instructions:
        """What the instruction files of the repository and the person say; read once, and again by `read_instructions`."""
        return self._instructions if self._instructions is not None else self.read_instructions()

    def read_instructions(self) -> Instructions:
        """Read the instruction files anew and remember what they say; what was known counts until all is read."""
        from memdir.core.instructions import Instructions

        found = Instructions.of(self.instruction_texts())
        self._instructions = found
        return found

    def instruction_texts(self) -> list[tuple[str, str]]:
        """(path, text) of the instruction files as they are now. A memory stays one when such a file imports it: the
        index repeats every memory."""
        if self.environment is None:
            return []
        from memdir.store.context import instruction_files

        layers = instruction_files(self.location, self.environment)
        return [(layer.path, layer.text) for layer in layers if self.store_of(layer.path) is None]

    def recalls_stamp(self, store: MemoryStore) -> str:
        """What the records of recalls of a store look like on the disk: changes when they may say something else."""
        if not self.state_dir or not os.path.isdir(os.path.join(self.state_dir, "recall")):
            return ""
        from memdir.store.recalls import records_path

        try:
            info = os.stat(records_path(self.state_dir, store.root))
        except OSError:
            return ""
        return f"{info.st_size} {info.st_mtime_ns} {info.st_ctime_ns}"

    def log_marks(self, store: MemoryStore, rels: Iterable[str]) -> list[str]:
        """What is remembered of earlier contents of logs, as text."""
        if not self.state_dir or not os.path.isdir(os.path.join(self.state_dir, "logs")):
            return []
        from memdir.store.logs import History

        history = History(self.state_dir, store.root)
        return [f"{rel} {history.marks(rel)}" for rel in sorted(rels)]

    def forget_recalls(self) -> None:
        """Something was recorded: read the records again when next asked."""
        self._recalls.clear()

    def store_of(self, path: str) -> tuple[MemoryStore, str] | None:
        """The store that holds an absolute path, with the path relative to it."""
        for store in self.stores:
            rel = store.rel_of(path)
            if rel is not None:
                return store, rel
        return None

    def agent_of(self, store: MemoryStore) -> str | None:
        """Name of the agent that owns a store, None for the repository's own memory."""
        return self._agents.get(store.root)

    def refresh(self) -> None:
        """Read all stores from the disk."""
        self._recalls.clear()
        for store in self.stores:
            store.refresh()


def open_workspace(
    cwd: str,
    environment: Environment,
    *,
    editor: object = None,
    flags: object = None,
    memory_dir: str | None = None,
    agents: bool = True,
    overlay: Overlay | None = None,
) -> Workspace:
    """The workspace of `cwd` (absolute). `editor`, `flags`: nested settings above the files (`core.settings_parse`).

    `memory_dir` names a memory directory to look at instead of the located one (a path given by hand); `agents` adds the
    agents' own directories; `overlay` gives the text of open buffers of configuration files. Reads settings and lists
    directories; documents are read by `refresh`.
    """
    from memdir.store.config import load_configuration, rule_names
    from memdir.store.project import Repository

    location = locate(cwd, environment)
    configuration = load_configuration(
        location.owner,
        environment.environ,
        environment.home,
        top=location.top,
        platform=environment.platform,
        rules=rule_names(),
        editor=editor,
        flags=flags,
        trusted=environment.trusted,
        overlay=overlay,
    )
    stores = [MemoryStore(memory_dir or location.memory_dir)]
    owners: dict[str, str] = {}
    if agents and memory_dir is None:
        from memdir.store.agents import agent_directories

        for agent in agent_directories(cwd, environment):
            if agent.exists and all(s.root != agent.path for s in stores):
                stores.append(MemoryStore(agent.path, "agent"))
                owners[stores[-1].root] = agent.name
    problems = (*location.problems, *configuration.problems)
    project = Repository(
        (location.top, location.owner), memory_dir=stores[0].root, environ=environment.environ
    )
    state = state_dir(environment.environ, home=environment.home, platform=environment.platform)
    return Workspace(location, configuration, problems, stores, project, state, environment, owners)


def memory_root_of(path: str) -> str | None:
    """The memory directory that holds `path` (a file or directory), judged by the disk alone.

    A directory counts when it has a MEMORY.md or is called `memory` (below `projects/`), `agent-memory/<name>` and so
    on; `team/` belongs to the directory above it.
    """
    at = path if os.path.isdir(path) else os.path.dirname(path)
    best: str | None = None
    while True:
        name = os.path.basename(at)
        parent = os.path.dirname(at)
        if os.path.isfile(os.path.join(at, INDEX_NAME)):
            best = at
        elif name == "memory" and os.path.basename(os.path.dirname(parent)) == "projects":
            return at
        elif best is not None and name != "team":
            return best
        if parent == at:
            return best
        at = parent


def owner_of(memory_dir: str, cwd: str, environment: Environment) -> str:
    """The working directory whose memory `memory_dir` is: `cwd` if it is its own, else what its sessions say, else the
    checkout around it, else the directory itself."""
    here = locate(cwd, environment)
    if os.path.realpath(here.memory_dir) == os.path.realpath(memory_dir):
        return here.owner
    project_dir = os.path.dirname(memory_dir)
    for session in session_cwds(project_dir):
        if os.path.isdir(session) and os.path.realpath(
            locate(session, environment).memory_dir
        ) == os.path.realpath(memory_dir):
            return session
    checkout = find_checkout(memory_dir)
    return checkout.owner if checkout.kind != "none" else memory_dir
