"""Memories and questions for the tests of recall."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

from memdir.agent.client import AnthropicClient
from memdir.agent.recall import Recaller
from memdir.agent.recall_types import Question, Recall
from memdir.core.document import Document
from tests.conftest import NOW
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback

MODEL = "claude-haiku-5-5"
MEMORIES = {
    "feedback_real_db.md": ("feedback", "Integration tests must hit a real database, never mocks", 47),
    "project_freeze.md": ("project", "Merge freeze for the mobile release cut", 1),
    "reference_grafana.md": ("reference", "Grafana board for on-call API latency", 0),
    "user_go.md": ("user", "Ten years of Go, new to React", 200),
    "reference_kubectl.md": ("reference", "How to use kubectl to list pods", 3),
    "feedback_kubectl.md": ("feedback", "Never run kubectl apply on production pods by hand", 4),
    "team/project_owner.md": ("project", "Priya owns billing and approves schema changes", 9),
}


def memory(rel: str, kind: str, description: str, days: float, body: str = "Body.") -> Document:
    text = f"---\nname: {rel[:-3]}\ndescription: {json.dumps(description)}\ntype: {kind}\n---\n\n{body}\n"
    return Document(f"/m/{rel}", rel, text, (NOW - timedelta(days=days)).timestamp())


def recaller(**extra: tuple[str, str, float]) -> Recaller:
    found = Recaller()
    documents = [memory(rel, *facts) for rel, facts in MEMORIES.items()]
    documents += [memory(rel.replace("__", "."), *facts) for rel, facts in extra.items()]
    documents += [memory("MEMORY.md", "", "", 0), memory("logs/2026/03/2026-03-10.md", "", "", 0)]
    found.sync(documents)
    return found


def ask(
    loopback: Loopback, question: Question, found: Recaller | None = None, deadline: float = 20.0
) -> Recall:
    async def run() -> Recall:
        async def at_once(_: float) -> None:
            return

        client = AnthropicClient(loopback.environ, pause=at_once)
        await client.warm_up()
        try:
            return await (recaller() if found is None else found).recall(
                question, now=NOW, client=client, model=MODEL, deadline=deadline
            )
        finally:
            await client.aclose()

    return asyncio.run(run())


def words(question: Question, found: Recaller | None = None) -> Recall:
    return asyncio.run((recaller() if found is None else found).recall(question, now=NOW))


def picks(*names: str) -> Say:
    return Say(json={"selected": [{"file": n, "reason": f"because of {n}"} for n in names]})


def rels(recall: Recall) -> list[str]:
    return [c.rel for c in recall.selected]


def manifest_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    text = body["system"][1]["text"]
    return [
        json.loads(line)
        for line in text.removeprefix("<memories>\n").removesuffix("\n</memories>").split("\n")
    ]
