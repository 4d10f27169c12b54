"""A workspace folder in the server: where its memory is, its settings, and what its settings files get wrong."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memdir.core.rule import Context
from memdir.core.settings import Problem
from memdir.lsp.live_project import LiveProject
from memdir.store.snapshot import MemoryStore

if TYPE_CHECKING:
    from memdir.lsp.memory import Memory
    from memdir.lsp.world import World
    from memdir.store.config import Overlay
    from memdir.store.environment import Environment
    from memdir.store.workspace import Workspace


@dataclass(eq=False, slots=True)
class Folder:
    """`memories` follow the workspace's stores. `uri` is "adopted:..." for memory opened without its repository."""

    uri: str
    path: str
    workspace: Workspace
    memories: list[Memory] = field(default_factory=list)
    misplaced: tuple[Problem, ...] = ()  # agent memory below sub-directories

    def context(self, store: MemoryStore, now: datetime) -> Context:
        """What rules see of `store` under this folder's settings."""
        return self.workspace.context(store, now)

    @property
    def adopted(self) -> bool:
        """Not a folder of the window: a memory file of it was opened."""
        return self.uri.startswith("adopted:")

    @property
    def project(self) -> LiveProject:
        project = self.workspace.project
        assert isinstance(project, LiveProject)  # `open_folder` put it there
        return project

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (*self.workspace.problems, *self.misplaced)

    @property
    def instruction_files(self) -> frozenset[str]:
        """Files that say what need not be remembered; those read now, and the usual ones that may appear."""
        location = self.workspace.location
        usual = {os.path.join(location.top, *p) for p in _INSTRUCTIONS} | {
            os.path.join(location.config_dir, "CLAUDE.md")
        }
        return frozenset(usual | {s.path for s in self.workspace.instructions.statements})

    @property
    def settings_files(self) -> tuple[str, ...]:
        """Files whose change may alter where memory is or how it is checked; they need not exist."""
        location = self.workspace.location
        client = [
            os.path.join(r, ".claude", n) for r in {location.top, location.owner} for n in _CLIENT_FILES
        ]
        return (
            *self.workspace.configuration.files,
            *client,
            os.path.join(location.config_dir, _CLIENT_FILES[0]),
        )


_INSTRUCTIONS = (("CLAUDE.md",), (".claude", "CLAUDE.md"), ("CLAUDE.local.md",))
_CLIENT_FILES = ("settings.json", "settings.local.json")


def open_folder(
    path: str, world: World, editor: object, *, trusted: bool | None, overlay: Overlay | None = None
) -> Workspace:
    """Locate and configure the memory of a directory, or the memory directory that `path` itself lies in.

    Reads a handful of small files; call it in a thread. `editor` are the editor's settings as nested mappings, `overlay`
    gives the text of open buffers.
    """
    from memdir.store.config import make_environment
    from memdir.store.project import Repository
    from memdir.store.workspace import open_workspace, owner_of

    def environment(cwd: str) -> Environment:
        found = make_environment(
            world.environ, world.home, cwd, system_root=world.system_root, trusted=trusted
        )
        return _as_set_in_editor(found, editor, cwd, ask_list=trusted is None)

    memory_dir = memory_dir_around(path)
    cwd = path if memory_dir is None else owner_of(memory_dir, path, environment(path))
    workspace = open_workspace(cwd, environment(cwd), editor=editor, memory_dir=memory_dir, overlay=overlay)
    location = workspace.location
    roots = tuple(dict.fromkeys((location.top, location.owner)))
    workspace.project = LiveProject(
        lambda: Repository(roots, memory_dir=workspace.stores[0].root, environ=world.environ)
    )
    _ = workspace.instructions  # read here, in the thread, not at the first check
    return workspace


def _as_set_in_editor(environment: Environment, editor: object, cwd: str, *, ask_list: bool) -> Environment:
    """What the person set in the editor about projects' own directories wins over their file. An editor's list of trusted
    directories counts only where the editor does not say itself what is trusted (`ask_list`)."""
    from memdir.core.settings_parse import parse_mapping
    from memdir.store.config import trusts
    from memdir.store.gitfiles import find_checkout

    values = parse_mapping(editor, "editor")[0].values
    allow = values.get("allow-project-directory", environment.allow_project_directory)
    trusted = environment.trusted or (
        ask_list and trusts(values.get("trusted", ()), find_checkout(cwd).owner, environment.home)
    )
    return replace(environment, allow_project_directory=bool(allow), trusted=trusted)


def memory_dir_around(path: str) -> str | None:
    """The memory directory that `path` is or lies in, by the shape of the path alone."""
    parts = path.split(os.sep)
    for i in range(len(parts) - 1, 1, -1):
        known = parts[i] == "memory" and parts[i - 2] == "projects"
        if known or (parts[i - 1] in ("agent-memory", "agent-memory-local") and not parts[i].endswith(".md")):
            return os.sep.join(parts[: i + 1])
    return None
