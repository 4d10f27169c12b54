"""What goes to the model and what comes back, without a trace of the SDK: everything here is plain data.

`ModelClient` is the border: the jobs (recall, extraction, consolidation, notes) take one as an argument, tests give
them the real one against a loopback server, or a fake.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from memdir.core.i18n import Message, msg

JsonObject: TypeAlias = dict[str, Any]

ErrorKind: TypeAlias = Literal[
    "no-key", "auth", "not-found", "bad-request", "too-large", "rate-limit", "overloaded", "timeout", "network", "cut",
    "malformed", "refused", "unavailable",
]  # fmt: skip


class ModelError(Exception):
    """Why a model gave no usable answer. `message` is for people; `retry_after` seconds when the service said so."""

    def __init__(self, kind: ErrorKind, message: Message, retry_after: float | None = None) -> None:
        super().__init__(str(message))
        self.kind: ErrorKind = kind
        self.message = message
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several calls: uncached input, cache read and written, output."""

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.output + other.output,
            self.calls + other.calls,
        )

    @property
    def prompt(self) -> int:
        """All input tokens, however they were paid."""
        return self.input + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class Request:
    """One call. `system`, `messages`, `tools` are sent as they are, key order included, so prefixes stay byte-identical.

    `schema` asks for an answer that is JSON of that shape (objects need `additionalProperties: false`; the service
    knows no lengths or ranges). `max_tokens` limits the answer.
    """

    model: str
    messages: Sequence[JsonObject]
    max_tokens: int
    system: str | Sequence[JsonObject] = ""
    tools: Sequence[JsonObject] = ()
    tool_choice: JsonObject | None = None
    schema: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model wants to use. `input` is whatever JSON object the model wrote: check it."""

    id: str
    name: str
    input: JsonObject


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to a call, in the model's words; an error tells it what to do instead."""

    id: str
    content: str
    error: bool = False

    def block(self) -> JsonObject:
        found: JsonObject = {
            "type": "tool_result",
            "tool_use_id": self.id,
            "content": self.content or "(empty)",
        }
        if self.error:
            found["is_error"] = True
        return found


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished answer: content blocks as they are sent back in the next turn, and why it stopped."""

    content: tuple[JsonObject, ...]
    stop: str
    usage: Usage
    model: str = ""

    @property
    def text(self) -> str:
        return "".join(b["text"] for b in self.content if b.get("type") == "text")

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(
            ToolCall(b["id"], b["name"], b["input"]) for b in self.content if b.get("type") == "tool_use"
        )

    def json(self) -> Any:
        """The answer to a request with a schema. Raises ModelError when it was cut off, refused or is no JSON."""
        if self.stop == "refusal":
            raise ModelError("refused", msg("The model declined to answer."))
        if self.stop != "end_turn":
            raise ModelError("cut", msg("The model's answer was cut off ({reason}).", reason=self.stop))
        try:
            return json.loads(self.text)
        except ValueError:
            raise ModelError("malformed", msg("The model's answer is not valid JSON.")) from None


class ModelClient(Protocol):
    """Something that answers requests."""

    async def complete(
        self, request: Request, *, deadline: float | None = None, on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """The model's answer. `deadline`: seconds for everything, retries included. `on_text` hears pieces of text.

        Raises ModelError. Cancelling the task closes the connection.
        """
        ...


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens. Prompts of more than `long_from` tokens cost `long_factor` times as much."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    long_from: int = 0
    long_factor: float = 1.0

    def cost(self, usage: Usage) -> float:
        """US dollars for one call (sums of calls can't tell long prompts from many)."""
        total = usage.input * self.input + usage.output * self.output
        total += usage.cache_read * self.cache_read + usage.cache_write * self.cache_write
        long = self.long_from and usage.calls <= 1 and usage.prompt > self.long_from
        return total / 1e6 * (self.long_factor if long else 1.0)


# Public list prices (platform.claude.com, "Pricing") as of October 2026; cache writes for five minutes.
PRICES: Mapping[str, Price] = {
    "claude-haiku-5-5": Price(0.10, 0.50, 0.01, 0.125, 100_000, 5.0),
    "claude-haiku-4-5": Price(1.0, 5.0, 0.10, 1.25),
    "claude-sonnet-5-5": Price(2.0, 10.0, 0.10, 2.50),
    "claude-sonnet-5": Price(2.0, 10.0, 0.20, 2.50),
    "claude-sonnet-4-6": Price(3.0, 15.0, 0.30, 3.75),
    "claude-sonnet-4-5": Price(3.0, 15.0, 0.30, 3.75),
    "claude-opus-5-5": Price(4.0, 20.0, 0.20, 5.0),
    "claude-opus-5": Price(5.0, 25.0, 0.50, 6.25),
    "claude-opus-4": Price(5.0, 25.0, 0.50, 6.25),
    "claude-fable-5-1": Price(10.0, 50.0, 0.25, 12.50),
    "claude-fable-5": Price(10.0, 50.0, 1.0, 12.50),
}


def price_of(model: str, own: Mapping[str, Price] | None = None) -> Price | None:
    """The price of `model`: the person's own table first, then the list; the longest name that begins it wins."""
    for table in (own or {}, PRICES):
        names = [name for name in table if model == name or model.startswith(name + "-")]
        if names:
            return table[max(names, key=len)]
    return None


def parse_prices(lines: Sequence[str]) -> dict[str, Price]:
    """Prices from a setting: `model input output [cache-read [cache-write]]`, dollars per million tokens.

    Missing cache prices are a tenth and five quarters of the input price. Lines that can't be read are left out.
    """
    found: dict[str, Price] = {}
    for line in lines:
        name, *numbers = line.replace("=", " ").split() or [""]
        try:
            values = [float(n) for n in numbers]
        except ValueError:
            continue
        if len(values) >= 2 and min(values) >= 0:
            read = values[2] if len(values) > 2 else values[0] / 10
            write = values[3] if len(values) > 3 else values[0] * 1.25
            found[name] = Price(values[0], values[1], read, write)
    return found


def describe_usage(usage: Usage, cost: float | None) -> Message:
    """Usage in a line for people."""
    numbers = {
        "cached": usage.cache_read,
        "uncached": usage.input + usage.cache_write,
        "output": usage.output,
    }
    if cost is None:
        return msg("{cached} cached, {uncached} uncached, {output} output tokens", **numbers)
    return msg(
        "{cached} cached, {uncached} uncached, {output} output tokens, ${cost}", cost=f"{cost:.4f}", **numbers
    )
