"""What the server says: steps, in Python for tests and in JSON for a process of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Fault: TypeAlias = Literal["timeout", "reset", "cut", "ends-early", "not-json"]


@dataclass(frozen=True)
class Reply:
    """A finished turn. `json` is serialised into the text; `tools` are (name, input) pairs.

    `stop` defaults to what the content means. `fault` breaks the answer: `timeout` says nothing until the client goes,
    `reset` closes at once, `cut` breaks off in the middle, `ends-early` ends a stream properly but unfinished,
    `not-json` sends a page of HTML. A text for a request with a schema is checked against it unless `unchecked`.
    """

    text: str = ""
    json: Any = None
    tools: tuple[tuple[str, dict[str, Any]], ...] = ()
    stop: str | None = None
    fault: Fault | None = None
    unchecked: bool = False
    output_tokens: int | None = None

    def content(self, start: int) -> list[dict[str, Any]]:
        """Content blocks; tool ids are numbered from `start`."""
        text = json.dumps(self.json, ensure_ascii=False) if self.json is not None else self.text
        blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        for n, (name, value) in enumerate(self.tools):
            blocks.append({"type": "tool_use", "id": f"toolu_{start + n:04}", "name": name, "input": value})
        return blocks

    @property
    def stop_reason(self) -> str:
        return self.stop or ("tool_use" if self.tools else "end_turn")


@dataclass(frozen=True)
class Failure:
    """An error answer: HTTP status, with `retry-after` seconds when given."""

    status: int
    kind: str = "api_error"
    message: str = "scripted failure"
    retry_after: float | None = None


Step: TypeAlias = Reply | Failure
Answer: TypeAlias = "Step | Callable[[dict[str, Any]], Step]"

KINDS = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"}  # fmt: skip


def failure(status: int, *, retry_after: float | None = None, message: str = "scripted failure") -> Failure:
    """An error answer with the service's own error type for `status`."""
    return Failure(status, KINDS.get(status, "api_error"), message, retry_after)


@dataclass
class Rule:
    """Steps for the requests that `when` describes: strings that must all occur in the request's JSON text."""

    when: tuple[str, ...]
    steps: list[Answer]
    repeat: bool = False  # the last step answers for ever

    def fits(self, text: str) -> bool:
        return all(part in text for part in self.when)


@dataclass
class Script:
    """Rules in order; the first one that fits and has a step left answers. Thread-safe."""

    rules: list[Rule] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def then(self, *steps: Answer) -> Script:
        """Answer the next requests with `steps`, in order."""
        with self._lock:
            self.rules.append(Rule((), list(steps)))
        return self

    def when(self, *parts: str, steps: Iterable[Answer], repeat: bool = False) -> Script:
        """Answer requests whose JSON contains every one of `parts` with `steps`."""
        with self._lock:
            self.rules.append(Rule(parts, list(steps), repeat))
        return self

    def always(self, step: Answer) -> Script:
        """Answer everything else with `step`."""
        return self.when(steps=[step], repeat=True)

    def next(self, body: dict[str, Any]) -> Step | None:
        """The step for a request, None when the script has nothing to say."""
        text = json.dumps(body, ensure_ascii=False)
        with self._lock:
            for rule in self.rules:
                if rule.steps and rule.fits(text):
                    step = rule.steps[0] if rule.repeat and len(rule.steps) == 1 else rule.steps.pop(0)
                    break
            else:
                return None
        return step(body) if callable(step) else step

    @property
    def left(self) -> int:
        """Steps that no request has asked for (repeating ones not counted)."""
        return sum(len(r.steps) for r in self.rules if not r.repeat)


def from_json(data: Any) -> Script:
    """A script from JSON: `[{"when": ["text", …], "repeat": true, "steps": [{"text": …} | {"json": …} | {"tools": [[name, input], …]} | {"error": 429, "retry_after": 1} | {"fault": "timeout"}]}]`."""
    rules = []
    for rule in data:
        steps: list[Answer] = []
        for step in rule["steps"]:
            if "error" in step:
                steps.append(
                    failure(
                        step["error"],
                        retry_after=step.get("retry_after"),
                        message=step.get("message", "scripted failure"),
                    )
                )
            else:
                tools = tuple((name, value) for name, value in step.get("tools", ()))
                steps.append(Reply(**{**step, "tools": tools}))
        rules.append(Rule(tuple(rule.get("when", ())), steps, rule.get("repeat", False)))
    return Script(rules)
