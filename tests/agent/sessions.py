"""Session files for tests: what a person and an agent say, as the client writes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TIME = "2026-03-11T11:00:00.000Z"


def person(text: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}, "timestamp": TIME, **fields}


def agent(
    text: str = "", *tools: tuple[str, dict[str, Any]], usage: int = 0, **fields: Any
) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks += [
        {"type": "tool_use", "id": f"t{n}-{name}", "name": name, "input": given}
        for n, (name, given) in enumerate(tools)
    ]
    message: dict[str, Any] = {
        "role": "assistant",
        "content": blocks,
        "stop_reason": "tool_use" if tools else "end_turn",
    }
    if usage:
        message["usage"] = {"input_tokens": usage, "output_tokens": 0}
    return {"type": "assistant", "message": message, "timestamp": TIME, **fields}


def result(tool: str, text: str, *, error: bool = False) -> dict[str, Any]:
    return person([{"type": "tool_result", "tool_use_id": tool, "content": text, "is_error": error}])


def append(path: Path, *records: dict[str, Any]) -> Path:
    """Add records to a session file; each gets an id and the file's session id unless it has them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        for record in records:
            number = file.tell()
            whole = {"uuid": f"u{number}", "sessionId": path.stem, **record}
            file.write(json.dumps(whole).encode() + b"\n")
    return path


def memory_text(name: str, body: str, type: str = "project", description: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description or 'What there is to know about ' + name}\ntype: {type}\n---\n\n{body}\n"


FEEDBACK = memory_text(
    "Real database",
    "Tests hit a real database.\n\n**Why:** A migration broke.\n\n**How to apply:** In all tests.",
    "feedback",
    "Tests must hit a real database, never mocks",
)


def write_call(
    path: str, content: str, *evidence: tuple[str, str], reason: str = "said so"
) -> tuple[str, dict[str, Any]]:
    quotes = [{"message": number, "quote": quote} for number, quote in evidence]
    return ("write", {"path": path, "content": content, "reason": reason, "evidence": quotes})


def said_messages(body: dict[str, Any]) -> str:
    """The text of all user messages of a request."""
    parts: list[str] = []
    for message in body["messages"]:
        content: str | Sequence[dict[str, Any]] = message["content"]
        if message["role"] == "user":
            parts += (
                [content]
                if isinstance(content, str)
                else [b.get("text") or str(b.get("content")) for b in content]
            )
    return "\n".join(parts)
