"""The tool loop: ask, carry out what the model calls, answer, until it is done or its turns are used up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from memdir.agent.client_types import (
    JsonObject,
    ModelClient,
    ModelError,
    Reply,
    Request,
    ToolCall,
    ToolResult,
    Usage,
)
from memdir.core.i18n import msg

Handler: TypeAlias = Callable[[Sequence[ToolCall]], Awaitable[Sequence[ToolResult]]]


@dataclass(frozen=True, slots=True)
class Run:
    """What a loop came to. `finished` is False when the turns ran out while the model still wanted tools."""

    messages: tuple[JsonObject, ...]
    last: Reply
    usage: Usage
    turns: int
    finished: bool


async def run_tools(
    client: ModelClient,
    request: Request,
    handle: Handler,
    *,
    max_turns: int,
    deadline: float | None = None,
    on_turn: Callable[[int, Reply, Usage], None] | None = None,
) -> Run:
    """Let the model work with the tools of `request`; `handle` answers the calls of one turn, all at once.

    A call that `handle` leaves without a result gets an error result, for the service wants one for each. `deadline`
    (seconds) covers the whole loop. `on_turn` hears the turn's number, its reply and the usage so far.
    Raises ModelError, also "cut" when an answer hit its token limit in the middle of a call.
    """
    try:
        async with asyncio.timeout(deadline):
            return await _loop(client, request, handle, max_turns, on_turn)
    except TimeoutError:
        raise ModelError("timeout", msg("The model did not finish in time.")) from None


async def _loop(
    client: ModelClient,
    request: Request,
    handle: Handler,
    max_turns: int,
    on_turn: Callable[[int, Reply, Usage], None] | None,
) -> Run:
    messages = list(request.messages)
    usage = Usage()
    turn = 0
    while True:
        turn += 1
        reply = await client.complete(replace(request, messages=tuple(messages)))
        usage += reply.usage
        if on_turn is not None:
            on_turn(turn, reply, usage)
        calls = reply.calls
        if reply.content:
            messages.append({"role": "assistant", "content": list(reply.content)})
        if reply.stop == "refusal":
            raise ModelError("refused", msg("The model declined to answer."))
        if reply.stop == "max_tokens" and calls:
            raise ModelError("cut", msg("The model's answer was cut off ({reason}).", reason=reply.stop))
        if not calls or reply.stop != "tool_use":
            return Run(tuple(messages), reply, usage, turn, True)
        if turn >= max_turns:
            return Run(tuple(messages), reply, usage, turn, False)
        results = {r.id: r for r in await handle(calls)}
        answered = [
            results.get(c.id) or ToolResult(c.id, "This call was not carried out.", True) for c in calls
        ]
        messages.append({"role": "user", "content": [r.block() for r in answered]})
