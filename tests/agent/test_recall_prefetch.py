"""A recall that runs beside its caller: taken once, dropped when late, never mixed up."""

from __future__ import annotations

import asyncio
from typing import Any

from memdir.agent.client import AnthropicClient
from memdir.agent.recall import Prefetch
from memdir.agent.recall_types import Question
from tests.agent.recall_world import MODEL, picks, recaller, rels
from tests.conftest import NOW
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback


class TestPrefetch:
    def run(self, loopback: Loopback, body: Any) -> Any:
        async def main() -> Any:
            client = AnthropicClient(loopback.environ)
            await client.warm_up()
            found = recaller()

            def start(query: str) -> Prefetch:
                work = found.recall(Question(query), now=NOW, client=client, model=MODEL, deadline=30)
                return Prefetch(asyncio.create_task(work))

            try:
                return await body(start)
            finally:
                await client.aclose()

        return asyncio.run(main())

    def test_the_answer_is_taken_once(self, loopback: Loopback) -> None:
        loopback.script.then(picks("user_go.md"))

        async def body(start: Any) -> None:
            prefetch = start("react hooks")
            assert rels(await prefetch.take(10)) == ["user_go.md"]
            assert prefetch.done
            assert await prefetch.take(10) is None

        self.run(loopback, body)

    def test_a_late_answer_is_dropped(self, loopback: Loopback) -> None:
        loopback.script.then(Say(fault="timeout"))

        async def body(start: Any) -> None:
            prefetch = start("react hooks")
            await asyncio.to_thread(loopback.wait, 1)
            assert await prefetch.take(0.05) is None
            assert await prefetch.take(10) is None
            async with asyncio.timeout(10):
                while not prefetch.done:
                    await asyncio.sleep(0)

        self.run(loopback, body)

    def test_a_cancelled_one_never_delivers_and_the_next_is_its_own(self, loopback: Loopback) -> None:
        loopback.script.when("first question", steps=[picks("user_go.md")]).when(
            "second question", steps=[picks("project_freeze.md")]
        )

        async def body(start: Any) -> None:
            first = start("first question")
            await asyncio.to_thread(loopback.wait, 1)
            first.cancel()
            second = start("second question")
            assert rels(await second.take(10)) == ["project_freeze.md"]
            assert await first.take(10) is None

        self.run(loopback, body)
