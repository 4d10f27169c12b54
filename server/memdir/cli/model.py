"""The model service for commands that may use it: whether there is one, why not, and what a run cost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from memdir.cli.env import CliEnv
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.agent.client_types import ModelClient, Usage

T = TypeVar("T")


def without_model(env: CliEnv, *, no_model: bool) -> Message | None:
    """Why no model is asked; None when one is."""
    from memdir.agent.client import has_key, no_key

    if no_model:
        return msg("No model is asked (--no-model).")
    return None if has_key(env.environ) else no_key().message


def run_with_client(env: CliEnv, work: Callable[[ModelClient | None], Awaitable[T]], *, use: bool) -> T:
    """Run `work` in an event loop, with a client of its own when one is to be used."""
    import asyncio

    async def run() -> T:
        if not use:
            return await work(None)
        from memdir.agent.client import AnthropicClient

        client = AnthropicClient(env.environ)
        try:
            return await work(client)
        finally:
            await client.aclose()

    return asyncio.run(run())


def usage_line(env: CliEnv, usage: Usage, model: str) -> str:
    """What a run used and cost, "" when no model was asked."""
    from memdir.agent.client_types import describe_usage, price_of

    if not usage.calls:
        return ""
    price = price_of(model)
    return env.text(describe_usage(usage, price.cost(usage) if price else None))


def usage_json(usage: Usage, model: str) -> dict[str, object]:
    """The same for programs."""
    from memdir.agent.client_types import price_of

    price = price_of(model)
    return {
        "calls": usage.calls,
        "cached": usage.cache_read,
        "uncached": usage.input + usage.cache_write,
        "output": usage.output,
        "cost": round(price.cost(usage), 6) if price else None,
    }
