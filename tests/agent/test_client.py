"""The client against the strict server: answers, structure, retries, deadlines, cancelling, every kind of failure."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from memdir.agent.client import AnthropicClient, has_key
from memdir.agent.client_types import JsonObject, ModelError, Reply, Request, Usage
from memdir.core.i18n import render
from tests.loopback.script import Reply as Say
from tests.loopback.script import Step, failure
from tests.loopback.server import Loopback

MODEL = "claude-haiku-5-5"
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"selected": {"type": "array", "items": {"type": "string"}}},
    "required": ["selected"],
    "additionalProperties": False,
}


def ask(text: str = "hello", **more: object) -> Request:
    return Request(MODEL, [{"role": "user", "content": text}], 256, **more)  # type: ignore[arg-type]  # fields of Request


class Pauses(list[float]):
    """Records how long the client would have waited."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def complete(loopback: Loopback, request: Request, **options: object) -> Reply:
    async def run() -> Reply:
        pause = options.pop("pause", Pauses())
        client = AnthropicClient(loopback.environ, pause=pause)  # type: ignore[arg-type]
        try:
            return await client.complete(request, **options)  # type: ignore[arg-type]
        finally:
            await client.aclose()

    return asyncio.run(run())


def fails(loopback: Loopback, *steps: Step, request: Request | None = None, **options: object) -> ModelError:
    loopback.script.then(*steps)
    with pytest.raises(ModelError) as caught:
        complete(loopback, request or ask(), **options)
    return caught.value


def test_text_comes_back_with_usage_and_is_heard_while_it_streams(loopback: Loopback) -> None:
    text = "A somewhat longer answer, ümläute and 漢字 included, in several pieces."
    loopback.script.then(Say(text, output_tokens=17))
    heard: list[str] = []
    reply = complete(loopback, ask("q" * 400), on_text=heard.append)
    assert reply.text == text == "".join(heard)
    assert len(heard) > 1
    assert (reply.stop, reply.model) == ("end_turn", MODEL)
    assert reply.usage == Usage(input=reply.usage.input, output=17, calls=1)
    assert reply.usage.input > 100


def test_structured_answer_is_asked_for_the_way_the_service_wants_it(loopback: Loopback) -> None:
    loopback.script.then(Say(json={"selected": ["a.md"]}))
    reply = complete(loopback, ask(schema=SCHEMA))
    assert reply.json() == {"selected": ["a.md"]}
    assert loopback.requests[0]["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}
    assert loopback.requests[0]["stream"] is True


def test_tool_calls_come_back_whole(loopback: Loopback) -> None:
    tool = {
        "name": "read",
        "description": "Read",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
    }
    loopback.script.then(Say("Reading.", tools=(("read", {"path": "a/ü.md"}), ("read", {}))))
    reply = complete(loopback, ask(tools=[tool]))
    assert reply.stop == "tool_use"
    assert [(c.name, c.input) for c in reply.calls] == [("read", {"path": "a/ü.md"}), ("read", {})]
    assert reply.content[0] == {"type": "text", "text": "Reading."}
    assert set(reply.content[1]) == {"type", "id", "name", "input"}


def test_cached_prefix_is_counted(loopback: Loopback) -> None:
    system = [{"type": "text", "text": "Rules. " * 100, "cache_control": {"type": "ephemeral"}}]
    loopback.script.always(Say("ok"))
    first = complete(loopback, ask("one", system=system)).usage
    second = complete(loopback, ask("two", system=system)).usage
    assert first.cache_write > 100 and first.cache_read == 0
    assert second.cache_read == first.cache_write and second.cache_write == 0


@pytest.mark.parametrize(
    ("steps", "kind", "calls"),
    [
        ((failure(400, message="bad field"),), "bad-request", 1),
        ((failure(401),), "auth", 1),
        ((failure(403),), "auth", 1),
        ((failure(404, message="model: nope"),), "not-found", 1),
        ((failure(413),), "too-large", 1),
        ((failure(429),) * 3, "rate-limit", 3),
        ((failure(529),) * 3, "overloaded", 3),
        ((failure(500),) * 3, "unavailable", 3),
        ((Say("x" * 200, fault="cut"),) * 3, "cut", 3),
        ((Say("x" * 200, fault="ends-early"),) * 3, "cut", 3),
        ((Say(fault="reset"),) * 3, "network", 3),
        ((Say(fault="not-json"),), "malformed", 1),
    ],
)
def test_every_failure_is_a_model_error_with_a_reason(
    loopback: Loopback, steps: tuple[Step, ...], kind: str, calls: int
) -> None:
    error = fails(loopback, *steps)
    assert error.kind == kind
    assert len(loopback.requests) == calls
    assert render(error.message, "zh-cn") != str(error.message)
    assert KEY_PART not in str(error.message)


KEY_PART = "test-key"


@pytest.mark.parametrize(
    "first",
    [
        failure(429, retry_after=0.5),
        failure(529),
        failure(500),
        Say("x" * 99, fault="cut"),
        Say(fault="reset"),
    ],
)
def test_a_passing_trouble_is_tried_again(loopback: Loopback, first: Step) -> None:
    loopback.script.then(first, Say("fine"))
    pauses = Pauses()
    assert complete(loopback, ask(), pause=pauses, deadline=30).text == "fine"
    assert len(pauses) == 1
    assert pauses[0] == 0.5 if first == failure(429, retry_after=0.5) else 0.3 < pauses[0] < 1


def test_retry_after_beyond_the_deadline_is_not_waited_for(loopback: Loopback) -> None:
    pauses = Pauses()
    error = fails(loopback, failure(429, retry_after=60), pause=pauses, deadline=5)
    assert (error.kind, error.retry_after, list(pauses)) == ("rate-limit", 60.0, [])


def test_deadline_ends_a_silent_call(loopback: Loopback) -> None:
    assert fails(loopback, Say(fault="timeout"), deadline=0.3).kind == "timeout"


def test_cancelling_closes_the_call_at_once(loopback: Loopback) -> None:
    loopback.script.then(Say(fault="timeout"), Say("after"))

    async def run() -> str:
        client = AnthropicClient(loopback.environ)
        task = asyncio.create_task(client.complete(ask()))
        await asyncio.to_thread(loopback.wait, 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        reply = await client.complete(ask())
        await client.aclose()
        return reply.text

    assert asyncio.run(run()) == "after"


@pytest.mark.parametrize(
    ("say", "kind"),
    [
        (Say('{"selected": ["a', stop="max_tokens"), "cut"),
        (Say('{"selected": ["a', unchecked=True), "malformed"),
        (Say("I can't", stop="refusal"), "refused"),
    ],
)
def test_unusable_structure_is_said(loopback: Loopback, say: Say, kind: str) -> None:
    loopback.script.then(say)
    with pytest.raises(ModelError) as caught:
        complete(loopback, ask(schema=SCHEMA)).json()
    assert caught.value.kind == kind


def test_without_a_key_nothing_is_sent(loopback: Loopback) -> None:
    environ = {"ANTHROPIC_BASE_URL": loopback.url}
    assert not has_key(environ)
    with pytest.raises(ModelError) as caught:
        asyncio.run(AnthropicClient(environ).complete(ask()))
    assert caught.value.kind == "no-key"
    assert loopback.requests == []


def test_the_given_environment_counts_not_the_process_one(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "other-key")
    loopback.script.then(Say("fine"))
    assert complete(loopback, ask()).text == "fine"


def test_an_auth_token_serves_as_well(loopback: Loopback) -> None:
    environ = {"ANTHROPIC_AUTH_TOKEN": KEY_PART, "ANTHROPIC_BASE_URL": loopback.url}
    loopback.script.then(Say("fine"))

    async def run() -> Reply:
        client = AnthropicClient(environ)
        try:
            return await client.complete(ask())
        finally:
            await client.aclose()

    assert has_key(environ)
    assert asyncio.run(run()).text == "fine"


def test_a_body_the_service_refuses_is_refused_here(loopback: Loopback) -> None:
    error = fails(loopback, request=Request(MODEL, [{"role": "user", "content": "x", "colour": "red"}], 10))
    assert error.kind == "bad-request"
    assert loopback.refused == ["messages.0.colour: Extra inputs are not permitted"]
    loopback.refused.clear()


def test_parallel_calls_share_one_client(loopback: Loopback) -> None:
    loopback.script.always(lambda body: Say(body["messages"][0]["content"]))

    async def run() -> list[str]:
        client = AnthropicClient(loopback.environ)
        replies = await asyncio.gather(*(client.complete(ask(f"n{n}")) for n in range(8)))
        await client.aclose()
        return [r.text for r in replies]

    assert asyncio.run(run()) == [f"n{n}" for n in range(8)]


def test_the_sdk_is_loaded_on_first_use_only() -> None:
    code = "import sys; import memdir.agent.client, memdir.agent.client_loop; print('anthropic' in sys.modules, 'httpx2' in sys.modules)"
    assert subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split() == ["False", "False"]
