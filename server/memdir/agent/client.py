"""The one importer of the anthropic SDK: sends requests, bounds time and retries, turns every failure into ModelError.

The SDK takes a second to import, so that happens on first use and in a thread. Its own retries and its ten-minute
timeout are switched off: a recall that comes too late is worth nothing, so one deadline covers everything. Every call
streams, which makes a broken connection visible and cancelling immediate.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import Any

from memdir.agent.client_types import ErrorKind, JsonObject, ModelError, Reply, Request, Usage
from memdir.core.i18n import msg

DEFAULT_URL = "https://api.anthropic.com"
ATTEMPTS = 3
IDLE_SECONDS = 120.0  # longest silence within an answer
_BACKOFF = (0.5, 1.5)  # seconds before the second and third attempt, when the service names none
_RETRIED: frozenset[ErrorKind] = frozenset({"rate-limit", "overloaded", "network", "cut", "unavailable"})


def has_key(environ: Mapping[str, str]) -> bool:
    """True when the environment has a credential for the model service."""
    return bool(environ.get("ANTHROPIC_API_KEY") or environ.get("ANTHROPIC_AUTH_TOKEN"))


def no_key() -> ModelError:
    """The error of a call without a credential."""
    return ModelError(
        "no-key",
        msg(
            "No key for the model service: set ANTHROPIC_API_KEY; in VS Code also with “Memory: Set API Key”."
        ),
    )


class AnthropicClient:
    """A `ModelClient` over the Messages API. Belongs to the event loop that first uses it; close it with `aclose`.

    environ: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, and ANTHROPIC_BASE_URL. attempts: the most tries of one call.
    pause: how to wait between two tries (tests replace it).
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        attempts: int = ATTEMPTS,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._environ = environ
        self._attempts = max(attempts, 1)
        self._pause = pause
        self._loading: asyncio.Task[tuple[ModuleType, Any]] | None = None

    async def warm_up(self) -> None:
        """Import the SDK now, in a thread, so that the first call need not. Raises ModelError without a key."""
        await self._sdk()

    async def aclose(self) -> None:
        """Close connections."""
        if self._loading is not None and self._loading.done() and not self._loading.cancelled():
            if self._loading.exception() is None:
                await self._loading.result()[1].close()
        self._loading = None

    async def _sdk(self) -> tuple[ModuleType, Any]:
        if not has_key(self._environ):
            raise no_key()
        if self._loading is None:
            self._loading = asyncio.create_task(asyncio.to_thread(self._load))
        try:
            return await asyncio.shield(
                self._loading
            )  # a call that gives up must not spoil the import for the next
        except ImportError as error:
            self._loading = None
            raise ModelError(
                "unavailable",
                msg("The package anthropic can't be loaded ({error}); reinstall memdir.", error=str(error)),
            ) from None

    def _load(self) -> tuple[ModuleType, Any]:
        import anthropic

        key = self._environ.get("ANTHROPIC_API_KEY") or None
        return anthropic, anthropic.AsyncAnthropic(
            api_key=key,
            auth_token=None if key else self._environ.get("ANTHROPIC_AUTH_TOKEN"),
            base_url=self._environ.get("ANTHROPIC_BASE_URL") or DEFAULT_URL,
            max_retries=0,
            timeout=IDLE_SECONDS,
        )

    async def complete(
        self, request: Request, *, deadline: float | None = None, on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """See `ModelClient.complete`. A retry starts the text anew; `on_text` then hears it again."""
        try:
            async with asyncio.timeout(deadline):
                return await self._with_retries(request, deadline, on_text)
        except TimeoutError:
            raise ModelError("timeout", msg("The model did not answer in time.")) from None

    async def _with_retries(
        self, request: Request, deadline: float | None, on_text: Callable[[str], None] | None
    ) -> Reply:
        end = None if deadline is None else asyncio.get_running_loop().time() + deadline
        sdk, client = await self._sdk()
        for attempt in range(1, self._attempts + 1):
            try:
                return await _once(sdk, client, request, on_text)
            except ModelError as error:
                if error.kind not in _RETRIED or attempt == self._attempts:
                    raise
                wait = error.retry_after
                if wait is None:
                    wait = _BACKOFF[min(attempt, len(_BACKOFF)) - 1] * random.uniform(0.75, 1.25)
                if end is not None and asyncio.get_running_loop().time() + wait >= end:
                    raise  # waiting would only turn a clear reason into a timeout
                await self._pause(wait)
        raise AssertionError("the last attempt returns or raises")


async def _once(
    sdk: ModuleType, client: Any, request: Request, on_text: Callable[[str], None] | None
) -> Reply:
    """One attempt."""
    import httpx2  # the SDK's transport: what it raises while a stream is read is not wrapped

    try:
        async with client.messages.stream(**_parameters(request)) as stream:
            async for event in stream:
                if on_text is not None and event.type == "text":
                    on_text(event.text)
            return _reply(stream.current_message_snapshot)
    except sdk.APITimeoutError:
        raise ModelError("timeout", msg("The model did not answer in time.")) from None
    except sdk.APIConnectionError as error:
        raise ModelError(
            "network",
            msg("The model service can't be reached ({error}).", error=str(error.__cause__ or error)),
        ) from None
    except sdk.APIStatusError as error:
        raise _status_error(error) from None
    except (httpx2.HTTPError, httpx2.StreamError) as error:
        raise ModelError(
            "cut", msg("The connection broke off during the answer ({error}).", error=type(error).__name__)
        ) from None
    except (
        sdk.AnthropicError,
        ValueError,
        AssertionError,
    ) as error:  # not JSON, wrong shapes, an empty stream
        raise ModelError(
            "malformed",
            msg("The model service's answer makes no sense ({error}).", error=type(error).__name__),
        ) from None


def _parameters(request: Request) -> JsonObject:
    found: JsonObject = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": list(request.messages),
    }
    if request.system:
        found["system"] = request.system if isinstance(request.system, str) else list(request.system)
    if request.tools:
        found["tools"] = list(request.tools)
    if request.tool_choice is not None:
        found["tool_choice"] = request.tool_choice
    if request.schema is not None:
        found["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
    return found


def _reply(message: Any) -> Reply:
    if message.stop_reason is None:  # the stream ended in good order, but before its end
        raise ModelError("cut", msg("The connection broke off during the answer ({error}).", error="no end"))
    usage = message.usage
    counted = Usage(
        usage.input_tokens,
        usage.cache_read_input_tokens or 0,
        usage.cache_creation_input_tokens or 0,
        usage.output_tokens,
        1,
    )
    return Reply(tuple(_block(b) for b in message.content), message.stop_reason, counted, message.model)


def _block(block: Any) -> JsonObject:
    """A content block as the next request may send it back."""
    if block.type == "text":
        return {"type": "text", "text": block.text}
    if block.type == "tool_use":
        value = block.input if isinstance(block.input, dict) else {}
        return {"type": "tool_use", "id": block.id, "name": block.name, "input": value}
    dumped: JsonObject = block.model_dump(mode="json", exclude_unset=True)
    return dumped


def _status_error(error: Any) -> ModelError:
    """What an HTTP status, or an error event inside a stream, means."""
    status: int = error.status_code
    said = str(error.api_message or error.message)[:300]
    kind: str | None = error.type
    if status == 429 or kind == "rate_limit_error":
        return ModelError(
            "rate-limit", msg("The model service's rate limit is reached."), _retry_after(error)
        )
    if status == 529 or kind == "overloaded_error":
        return ModelError("overloaded", msg("The model service is overloaded."), _retry_after(error))
    if status in (401, 403):
        return ModelError("auth", msg("The model service refused the key: {error}", error=said))
    if status == 404:
        return ModelError(
            "not-found", msg("The model service knows no such model or address: {error}", error=said)
        )
    if status == 413 or kind == "request_too_large":
        return ModelError("too-large", msg("The request is too large for the model service."))
    if status in (408, 409, 504) or kind == "timeout_error":
        return ModelError(
            "unavailable",
            msg("The model service failed (HTTP {status}).", status=status),
            _retry_after(error),
        )
    if 400 <= status < 500:
        return ModelError("bad-request", msg("The model service refused the request: {error}", error=said))
    return ModelError(
        "unavailable", msg("The model service failed (HTTP {status}).", status=status), _retry_after(error)
    )


def _retry_after(error: Any) -> float | None:
    """Seconds of the retry-after header; dates and nonsense are ignored (the backoff does then)."""
    try:
        value = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return value if 0 <= value < 86_400 else None
