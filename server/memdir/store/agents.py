"""Memory of sub-agents: three scopes, each with a directory per agent, apart from the repository's memory.

An agent is defined in a Markdown file under `agents/` whose header says `memory: user|project|local`. Project and local
scope follow the working directory, so the place depends on where the client was started.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.lazy_re import lazy
from memdir.store.environment import REMOTE_DIR, Environment, config_directory
from memdir.store.gitfiles import find_checkout, read_small

AgentScope: TypeAlias = Literal["user", "project", "local"]
SCOPES: tuple[AgentScope, ...] = ("user", "project", "local")
_NOT_IN_NAME = lazy(r"[^A-Za-z0-9_-]")
_FIELD = lazy(r"^(name|memory)[ \t]*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """An agent file that asks for memory. `scope` is None when the file names one that does not exist (no memory)."""

    name: str
    path: str
    scope: AgentScope | None
    written_scope: str


@dataclass(frozen=True, slots=True)
class AgentDirectory:
    """The memory directory of one agent in one scope. `definition` is the agent that owns it, None when nobody does."""

    scope: AgentScope
    name: str
    path: str
    exists: bool
    definition: AgentDefinition | None = None


def directory_name(agent: str) -> str:
    """The directory name of an agent: other characters than letters, digits, `-` and `_` become `-`."""
    return _NOT_IN_NAME.sub("-", agent)


def scope_directory(scope: AgentScope, cwd: str, env: Environment) -> str:
    """The directory that holds one memory directory per agent."""
    remote = env.environ.get(REMOTE_DIR)
    if remote:
        remote = os.path.normpath(os.path.join(cwd, remote))
    if scope == "user":
        return os.path.join(remote or config_directory(env, cwd), "agent-memory")
    if scope == "project":
        return os.path.join(cwd, ".claude", "agent-memory")
    if remote:
        from memdir.core.slug import slug

        return os.path.join(remote, "projects", slug(find_checkout(cwd).owner), "agent-memory-local")
    return os.path.join(cwd, ".claude", "agent-memory-local")


def agent_directories(cwd: str, env: Environment) -> list[AgentDirectory]:
    """Agent memory for the working directory `cwd`, by scope and name.

    Those that exist, and those that defined agents will get. Whether memory is on at all says `Location.enabled`.
    """
    cwd = find_checkout(cwd).cwd
    owners = {(d.scope, directory_name(d.name)): d for d in agent_definitions(cwd, env) if d.scope}
    found: list[AgentDirectory] = []
    for scope in SCOPES:
        base = scope_directory(scope, cwd, env)
        there = set(_folders(base))
        names = there | {name for owner_scope, name in owners if owner_scope == scope}
        for name in sorted(names):
            path = os.path.join(base, name)
            found.append(AgentDirectory(scope, name, path, name in there, owners.get((scope, name))))
    return found


def agent_definitions(cwd: str, env: Environment) -> list[AgentDefinition]:
    """Agents of the project (`<cwd>/.claude/agents`) and the person that ask for memory; a project's hides a namesake."""
    found: dict[str, AgentDefinition] = {}
    for base in (os.path.join(cwd, ".claude", "agents"), os.path.join(config_directory(env, cwd), "agents")):
        for path in _markdown_files(base):
            definition = read_definition(path)
            if definition is not None:
                found.setdefault(definition.name, definition)
    return sorted(found.values(), key=lambda d: d.name)


def read_definition(path: str) -> AgentDefinition | None:
    """The agent in a file, None when it asks for no memory or has no header."""
    text = read_small(path, limit=1 << 20)
    if text is None:
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    end = text.find("\n---", 3)
    if not text.startswith("---\n") or end < 0:
        return None
    fields = {key: value.strip("\"'") for key, value in reversed(_FIELD.findall(text[:end]))}
    scope = fields.get("memory", "")
    if not scope:
        return None
    name = fields.get("name") or os.path.splitext(os.path.basename(path))[0]
    known = next((s for s in SCOPES if s == scope), None)
    return AgentDefinition(name, path, known, scope)


def _folders(path: str) -> Iterator[str]:
    try:
        with os.scandir(path) as entries:
            yield from [e.name for e in entries if e.is_dir() and not e.name.startswith(".")]
    except OSError:
        return


def _markdown_files(base: str) -> Iterator[str]:
    for folder, folders, files in os.walk(base):
        folders.sort()
        yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(".md"))
