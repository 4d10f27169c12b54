"""A repository with a memory in a temporary home, and servers started on it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest

from memdir.core.slug import slug
from tests.lsp.client import Client
from tests.lsp.profiles import VSCODE

TOPIC = "---\nname: {name}\ndescription: {description}\ntype: {type}\n---\n{body}\n"
FEEDBACK = "{own}.\n\n**Why:** The person reads the diff.\n\n**How to apply:** Always."


def own_words(seed: str, count: int = 40) -> str:
    """Words that no other file has: memories of a test must not be alike by accident."""
    digest = sha512(seed.encode()).hexdigest().translate(str.maketrans("0123456789", "ghijklmnop"))
    return " ".join(digest[i * 3 : i * 3 + 3] for i in range(count))


@dataclass
class Place:
    """`repo` is a repository, `memory` its memory directory (made on demand)."""

    repo: Path
    memory: Path

    def write(self, rel: str, text: str | bytes) -> Path:
        path = self.memory / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        data = text if isinstance(text, bytes) else text.encode()
        scratch = path.with_name(path.name + ".tmp")
        scratch.write_bytes(data)
        scratch.replace(path)
        return path

    def topic(
        self, rel: str, name: str = "", description: str = "", type: str = "feedback", body: str = ""
    ) -> Path:
        """A memory without faults, unless it is given some."""
        words = rel.rsplit("/", 1)[-1].removesuffix(".md").replace("_", " ")
        body = body or FEEDBACK.format(own=own_words(rel))
        described = description or f"What we agreed about {words}, so that nobody asks again"
        return self.write(
            rel, TOPIC.format(name=name or words.capitalize(), description=described, type=type, body=body)
        )

    def index(self, *rels: str, name: str = "MEMORY.md") -> Path:
        lines = [f"- [{r.rsplit('/', 1)[-1].removesuffix('.md')}]({r}) — what it is about\n" for r in rels]
        return self.write(name, "".join(lines))

    def uri(self, rel: str) -> str:
        return (self.memory / rel).as_uri()


def make_place(home: Path, name: str = "repo") -> Place:
    repo = home / "work" / name
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return Place(repo, home / ".claude" / "projects" / slug(os.path.realpath(repo)) / "memory")


@pytest.fixture
def place(home: Path) -> Place:
    return make_place(home)


Start = Callable[..., Awaitable[Client]]


@pytest.fixture
async def start(place: Place) -> AsyncIterator[Start]:
    """Starts a server and initializes it on the repository: `await start(capabilities, settings={...})`."""
    async with AsyncExitStack() as stack:

        async def run(
            capabilities: Any = VSCODE,
            *folders: Path,
            settings: Any = None,
            args: tuple[str, ...] = (),
            **extra: Any,
        ) -> Client:
            client = await stack.enter_async_context(await Client.start(capabilities, args=args))
            client.settings = settings or {}
            await client.initialize(*(folders or (place.repo,)), **extra)
            return client

        yield run


def codes(diagnostics: list[dict[str, Any]] | None) -> list[str]:
    return [d["code"] for d in diagnostics or []]
