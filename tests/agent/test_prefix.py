"""The shared prefix: the same bytes for every job, cached by the service, and without anything that changes."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from memdir.agent.client import AnthropicClient
from memdir.agent.client_loop import run_tools
from memdir.agent.client_types import ToolCall, ToolResult
from memdir.agent.prefix import Caching, job_request, system_text
from memdir.agent.toolbox_tools import TOOLS
from memdir.core.tokens import estimate_tokens
from tests.loopback.script import Reply as Say
from tests.loopback.server import Loopback


def prefix_bytes(raw: bytes) -> bytes:
    """Tools and system prompt as they went over the wire, key order included."""
    body = json.loads(raw)
    return json.dumps([body["tools"], body["system"]], ensure_ascii=False).encode()


def run(loopback: Loopback, job: str) -> Any:
    async def work() -> Any:
        client = AnthropicClient(loopback.environ)

        async def handle(calls: list[ToolCall]) -> list[ToolResult]:
            return [ToolResult(c.id, "result " * 50) for c in calls]

        try:
            request = job_request("claude-sonnet-5-5", job, ["material of " + job])
            return await run_tools(Caching(client), request, handle, max_turns=5)  # type: ignore[arg-type]  # a list is a sequence
        finally:
            await client.aclose()

    return asyncio.run(work())


def test_jobs_share_the_prefix_byte_for_byte_and_pay_for_it_once(loopback: Loopback) -> None:
    loopback.script.always(Say("Nothing to do."))
    runs = [run(loopback, job) for job in ("extract", "consolidate", "notes")]
    assert len({prefix_bytes(raw) for raw in loopback.raw}) == 1
    assert runs[0].usage.cache_read == 0 and runs[0].usage.cache_write > 500
    shared = runs[1].usage.cache_read
    assert shared == runs[2].usage.cache_read > 500
    assert runs[1].usage.input == 0  # all of it is either read from the cache or put there for the next turn


def test_a_long_job_pays_for_each_result_once(loopback: Loopback) -> None:
    loopback.script.then(*(Say(tools=(("list", {}),)) for _ in range(3)), Say("Done."))
    done = run(loopback, "consolidate")
    assert done.turns == 4
    sent = [json.loads(raw) for raw in loopback.raw]
    marks = [json.dumps(body).count('"cache_control"') for body in sent]
    assert marks == [2, 3, 3, 3]
    wrote = [n for n in (done.usage.cache_write, done.usage.cache_read) if n]
    assert len(wrote) == 2
    # what the four turns wrote into the cache is little more than the last request itself
    assert done.usage.cache_write < 1.1 * estimate_tokens(loopback.raw[-1].decode())


def test_the_loop_does_not_see_the_marks(loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(("list", {}),)), Say("Done."))
    assert "cache_control" not in json.dumps(run(loopback, "x").messages)


def test_nothing_in_the_prefix_changes_from_day_to_day_or_place_to_place() -> None:
    text = system_text() + json.dumps(TOOLS)
    assert not re.search(r"(?<!logs/2026/03/)\b20\d\d-\d\d-\d\d", text)
    assert "{{" not in text and "/home" not in text
    assert estimate_tokens(text) > 1_200  # below 1,024 tokens the service caches nothing


def test_blank_material_is_left_out() -> None:
    (message,) = job_request("m", "job", ["", "  ", "x"]).messages
    assert [b["text"] for b in message["content"]] == ["job", "x"]
