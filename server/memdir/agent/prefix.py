"""The part of a request that all background jobs share, byte for byte, so that the service reads it from its cache.

Order of a request as the service caches it: tools, system prompt, messages. Tools and system prompt are constant (no date,
no path, no setting in them) and end in a cache mark. `Caching` moves a second pair of marks along with a growing
conversation, so that a long job pays for each result once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from memdir.agent.client_prompts import prompt
from memdir.agent.client_types import JsonObject, ModelClient, Reply, Request
from memdir.agent.memory_prompt import not_kept_text, types_text
from memdir.agent.toolbox_tools import TOOLS

MARK: JsonObject = {"type": "ephemeral"}
MAX_TOKENS = 16_000  # of one answer: a turn may write several files
_MARKED_MESSAGES = 2  # with the system prompt's one this stays below the service's four marks


@cache
def system_text() -> str:
    """The system prompt of every background job."""
    text = prompt("background")
    return text.replace("{{types}}", types_text(scopes=True)).replace("{{not_kept}}", not_kept_text())


def job_request(model: str, job: str, material: Sequence[str], *, max_tokens: int = MAX_TOKENS) -> Request:
    """The first request of a job: its instructions (`job`) and what it is about, each piece a block of its own."""
    blocks: list[JsonObject] = [{"type": "text", "text": part} for part in (job, *material) if part.strip()]
    return Request(
        model,
        ({"role": "user", "content": blocks},),
        max_tokens,
        system=({"type": "text", "text": system_text(), "cache_control": MARK},),
        tools=TOOLS,
    )


class Caching:
    """A `ModelClient` that marks the end of the last two of the person's messages, where a cached prefix may end."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client

    async def complete(
        self, request: Request, *, deadline: float | None = None, on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """See `ModelClient.complete`."""
        messages = list(request.messages)
        places = [n for n, m in enumerate(messages) if m["role"] == "user"][-_MARKED_MESSAGES:]
        for number in places:
            messages[number] = _marked(messages[number])
        return await self._client.complete(
            replace(request, messages=tuple(messages)), deadline=deadline, on_text=on_text
        )


def _marked(message: JsonObject) -> JsonObject:
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    blocks[-1] = {**blocks[-1], "cache_control": MARK}
    return {**message, "content": blocks}
