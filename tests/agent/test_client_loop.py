"""The tool loop, with its turns, its errors and its bill."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from memdir.agent.client import AnthropicClient
from memdir.agent.client_loop import Run, run_tools
from memdir.agent.client_types import ModelError, Request, ToolCall, ToolResult
from tests.loopback.script import Reply as Say
from tests.loopback.script import failure
from tests.loopback.server import Loopback

TOOLS = [
    {
        "name": "read",
        "description": "Read a file.",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    },
    {
        "name": "write",
        "description": "Write.",
        "input_schema": {"type": "object"},
        "cache_control": {"type": "ephemeral"},
    },
]


async def echo(calls: Sequence[ToolCall]) -> list[ToolResult]:
    return [
        ToolResult(c.id, f"content of {c.input['path']}")
        if c.name == "read"
        else ToolResult(c.id, "denied: read only", True)
        for c in calls
    ]


def loop(loopback: Loopback, handle=echo, max_turns: int = 5, **options: object) -> Run:  # type: ignore[no-untyped-def]  # a Handler
    async def run() -> Run:
        client = AnthropicClient(loopback.environ)
        request = Request(
            "claude-sonnet-5-5", [{"role": "user", "content": "Go on."}], 512, system="Be brief.", tools=TOOLS
        )
        await client.warm_up()
        try:
            return await run_tools(client, request, handle, max_turns=max_turns, **options)  # type: ignore[arg-type]
        finally:
            await client.aclose()

    return asyncio.run(run())


def test_calls_are_answered_in_one_message_until_the_model_is_done(loopback: Loopback) -> None:
    loopback.script.then(
        Say("Two reads.", tools=(("read", {"path": "a"}), ("read", {"path": "b"}))),
        Say(tools=(("write", {}),)),
        Say("Done."),
    )
    heard: list[int] = []
    run = loop(loopback, on_turn=lambda n, reply, usage: heard.append(usage.calls))
    assert (run.finished, run.turns, run.last.text, heard) == (True, 3, "Done.", [1, 2, 3])
    second = loopback.requests[1]["messages"]
    assert [m["role"] for m in second] == ["user", "assistant", "user"]
    assert [b["content"] for b in second[2]["content"]] == ["content of a", "content of b"]
    assert loopback.requests[2]["messages"][4]["content"][0]["is_error"] is True
    assert loopback.requests[0]["tools"] == loopback.requests[2]["tools"] == TOOLS
    assert run.usage.cache_read > 0 and run.usage.calls == 3


def test_turns_run_out(loopback: Loopback) -> None:
    loopback.script.always(Say(tools=(("read", {"path": "a"}),)))
    run = loop(loopback, max_turns=3)
    assert (run.finished, run.turns, len(loopback.requests)) == (False, 3, 3)


def test_an_unanswered_call_gets_an_error(loopback: Loopback) -> None:
    async def half(calls: Sequence[ToolCall]) -> list[ToolResult]:
        return [ToolResult(calls[0].id, "")]

    loopback.script.then(Say(tools=(("read", {"path": "a"}), ("read", {"path": "b"}))), Say("Done."))
    loop(loopback, half)
    results = loopback.requests[1]["messages"][2]["content"]
    assert [(r["content"], r.get("is_error", False)) for r in results] == [
        ("(empty)", False),
        ("This call was not carried out.", True),
    ]


@pytest.mark.parametrize(
    ("say", "kind"),
    [
        (Say("no", stop="refusal"), "refused"),
        (Say(tools=(("read", {"path": "a"}),), stop="max_tokens"), "cut"),
        (failure(401), "auth"),
    ],
)
def test_a_broken_turn_ends_the_loop(loopback: Loopback, say: object, kind: str) -> None:
    loopback.script.then(say)  # type: ignore[arg-type]
    with pytest.raises(ModelError) as caught:
        loop(loopback)
    assert caught.value.kind == kind


def test_the_deadline_covers_the_whole_loop(loopback: Loopback) -> None:
    loopback.script.then(Say(tools=(("read", {"path": "a"}),)), Say(fault="timeout"))
    with pytest.raises(ModelError) as caught:
        loop(loopback, deadline=0.5)
    assert caught.value.kind == "timeout"


def test_what_a_handler_raises_is_not_swallowed(loopback: Loopback) -> None:
    async def broken(calls: Sequence[ToolCall]) -> list[ToolResult]:
        raise RuntimeError("a bug")

    loopback.script.then(Say(tools=(("read", {"path": "a"}),)))
    with pytest.raises(RuntimeError, match="a bug"):
        loop(loopback, broken)
