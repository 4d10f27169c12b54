"""The labelled evaluation through the whole model path: recorded answers from the strict server, beside words and BM25."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from memdir.agent.client import AnthropicClient
from memdir.agent.recall import Recaller
from memdir.agent.recall_types import Question
from memdir.core.document import Document
from tests.conftest import NOW
from tests.core.recall import evaluation
from tests.loopback.script import Reply as Say
from tests.loopback.script import Step
from tests.loopback.server import Loopback

RECORDED: dict[str, list[str]] = json.loads(
    (evaluation.DATA / "recall_recorded.json").read_text(encoding="utf-8")
)["answers"]


def documents(memories: list[evaluation.Memory]) -> list[Document]:
    return [
        Document(
            f"/m/{m.id}.md",
            f"{m.id}.md",
            f"---\nname: {json.dumps(m.name or m.id)}\ndescription: {json.dumps(m.description)}\ntype: {m.type or 'project'}\n---\n\n{m.body}\n",
            NOW.timestamp() - n * 3600,
        )
        for n, m in enumerate(memories)
    ]


def recorded(body: dict[str, Any]) -> Step:
    query = body["messages"][0]["content"].removeprefix("<request>\n").removesuffix("\n</request>")
    return Say(json={"selected": [{"file": f"{name}.md", "reason": "recorded"} for name in RECORDED[query]]})


def test_model_path_against_recorded_answers(loopback: Loopback) -> None:
    memories, extra = evaluation.both()
    _, base = evaluation.load("recall.json")
    recaller = Recaller()
    recaller.sync(documents(memories))
    loopback.script.always(recorded)
    answers: dict[str, list[str]] = {}

    async def run() -> None:
        client = AnthropicClient(loopback.environ)
        for q in (*base, *extra):
            got = await recaller.recall(
                Question(q.query), now=NOW, client=client, model="claude-haiku-5-5", deadline=30
            )
            assert got.method == "model", got.fallback
            answers[q.query] = [c.rel.removesuffix(".md") for c in got.selected]
        await client.aclose()

    asyncio.run(run())
    assert all(len(found) <= 5 for found in answers.values())
    assert "reference_release" not in answers["git push --force to the release branch"]
    scores = {
        "base set, model (recorded)": evaluation.score(base, answers.__getitem__),
        "extra set, model (recorded)": evaluation.score(extra, answers.__getitem__),
    }
    for name, score in (*evaluation.rows(), *scores.items()):
        print(score.row(name))
    for score in scores.values():
        assert score.recall_at_5 >= 0.95
        assert score.precision >= 0.75
    assert (scores["extra set, model (recorded)"].none or 0) >= 0.9


def test_every_query_has_a_recorded_answer() -> None:
    queries = [*evaluation.load("recall.json")[1], *evaluation.load("recall_extra.json")[1]]
    assert {q.query for q in queries} == RECORDED.keys()
