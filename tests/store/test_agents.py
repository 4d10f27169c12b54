"""Agent memory: three scopes, names, definitions, the remote directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdir.core.slug import slug
from memdir.store.agents import agent_definitions, agent_directories, directory_name, read_definition
from tests.store.layouts import environment


def define(folder: Path, file: str, header: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file
    path.write_text(f"---\n{header}---\nYou test.\n", "utf-8")
    return path


def test_three_scopes(repo: Path, home: Path) -> None:
    for scope in ("user", "project", "local"):
        define(
            repo / ".claude/agents", f"{scope}.md", f"name: {scope} tester\ndescription: x\nmemory: {scope}\n"
        )
    found = agent_directories(str(repo), environment(home))
    assert [(a.scope, a.name, a.path, a.exists) for a in found] == [
        ("user", "user-tester", f"{home}/.claude/agent-memory/user-tester", False),
        ("project", "project-tester", f"{repo}/.claude/agent-memory/project-tester", False),
        ("local", "local-tester", f"{repo}/.claude/agent-memory-local/local-tester", False),
    ]
    assert [a.definition.path for a in found if a.definition] == [
        str(repo / f".claude/agents/{s}.md") for s in ("user", "project", "local")
    ]


def test_directories_without_an_agent(repo: Path, home: Path) -> None:
    (repo / ".claude/agent-memory/orphan").mkdir(parents=True)
    (repo / ".claude/agent-memory/.hidden").mkdir()
    (repo / ".claude/agent-memory/file").write_text("")
    (home / ".claude/agent-memory/helper").mkdir(parents=True)
    define(home / ".claude/agents/deep", "helper.md", "memory: user\n")
    found = agent_directories(str(repo), environment(home))
    assert [(a.scope, a.name, a.exists, a.definition is not None) for a in found] == [
        ("user", "helper", True, True),
        ("project", "orphan", True, False),
    ]


def test_scopes_follow_the_working_directory(repo: Path, home: Path) -> None:
    sub = repo / "sub"
    (sub / ".claude/agent-memory/tester").mkdir(parents=True)
    assert agent_directories(str(repo), environment(home)) == []
    (found,) = agent_directories(str(sub), environment(home))
    assert found.path == str(sub / ".claude/agent-memory/tester")


def test_remote_directory(repo: Path, home: Path) -> None:
    for scope in ("user", "project", "local"):
        define(repo / ".claude/agents", f"{scope}.md", f"memory: {scope}\n")
    found = agent_directories(str(repo), environment(home, CLAUDE_CODE_REMOTE_MEMORY_DIR="/srv/rm"))
    assert [a.path for a in found] == [
        "/srv/rm/agent-memory/user",
        f"{repo}/.claude/agent-memory/project",
        f"/srv/rm/projects/{slug(str(repo))}/agent-memory-local/local",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nname: a\nmemory: user\n---\n", ("a", "user", "user")),
        ("\ufeff---\r\nname: 'a b'\r\nmemory: \"local\"\r\n---\r\n", ("a b", "local", "local")),
        ("---\nmemory: everywhere\n---\n", ("agent", None, "everywhere")),
        ("---\nname: a\n---\nmemory: user\n", None),
        ("name: a\nmemory: user\n", None),
        ("---\nmemory: user\n", None),
        ("---\nmemory:\n---\n", None),
        ("---\nmemory: user\nmemory: local\nname: x\nname: y\n---\n", ("x", "user", "user")),
        ("", None),
    ],
)
def test_definitions(text: str, expected: tuple[str, str | None, str] | None, tmp_path: Path) -> None:
    (tmp_path / "agent.md").write_bytes(text.encode())
    found = read_definition(str(tmp_path / "agent.md"))
    assert (None if found is None else (found.name, found.scope, found.written_scope)) == expected


def test_unknown_scope_means_no_memory(repo: Path, home: Path) -> None:
    define(repo / ".claude/agents", "a.md", "memory: everywhere\n")
    assert agent_directories(str(repo), environment(home)) == []
    assert [d.scope for d in agent_definitions(str(repo), environment(home))] == [None]


def test_project_definition_hides_the_persons(repo: Path, home: Path) -> None:
    define(repo / ".claude/agents", "a.md", "name: t\nmemory: local\n")
    define(home / ".claude/agents", "b.md", "name: t\nmemory: user\n")
    assert [(d.name, d.scope) for d in agent_definitions(str(repo), environment(home))] == [("t", "local")]


@pytest.mark.parametrize(
    ("name", "directory"),
    [("tester", "tester"), ("my:agent v2", "my-agent-v2"), ("a/../b", "a----b"), ("é_-1", "-_-1")],
)
def test_names(name: str, directory: str) -> None:
    assert directory_name(name) == directory
