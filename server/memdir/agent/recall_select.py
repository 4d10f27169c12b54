"""The side query: a small model reads the manifest and names the memories that help."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memdir.agent.client_prompts import prompt
from memdir.agent.client_types import JsonObject, ModelClient, ModelError, Request, Usage
from memdir.agent.recall_types import Question
from memdir.core.i18n import msg
from memdir.core.recall.manifest import Candidate, manifest

MAX_QUERY = 4000  # characters; a pasted log says what it is about at its ends
MAX_TOKENS = 700  # five names with a short reason each, in any script
MAX_REASON = 160

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "selected": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"file": {"type": "string"}, "reason": {"type": "string"}},
                "required": ["file", "reason"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["selected"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Selection:
    """What the model named: (file, reason) of known ones in its order, and names that no candidate has."""

    chosen: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...]
    offered: tuple[str, ...]
    usage: Usage


def build_request(
    model: str, question: Question, found: Sequence[Candidate], now: datetime
) -> tuple[Request, int]:
    """(the request, how many of `found` its manifest holds).

    Prompt and manifest come first and are marked for the cache: between two turns only the query differs.
    """
    lines, count = manifest(found, now)
    system: list[JsonObject] = [
        {"type": "text", "text": prompt("recall")},
        {"type": "text", "text": f"<memories>\n{lines}\n</memories>", "cache_control": {"type": "ephemeral"}},
    ]
    parts = [f"<request>\n{_quote(_shorten(question.query))}\n</request>"]
    if question.tools:
        parts.append(f"<tools_in_use>\n{_quote(', '.join(question.tools))[:1000]}\n</tools_in_use>")
    if question.shown:
        parts.append(
            f"<already_shown>\n{_quote(json.dumps(sorted(question.shown)[:100], ensure_ascii=False))}\n</already_shown>"
        )
    message = {"role": "user", "content": "\n\n".join(parts)}
    return Request(model, [message], MAX_TOKENS, system=system, schema=SCHEMA), count


async def select(
    client: ModelClient,
    model: str,
    question: Question,
    found: Sequence[Candidate],
    now: datetime,
    deadline: float,
) -> Selection:
    """Ask the model. `found`: candidates, newest first. `deadline`: seconds. Raises ModelError.

    Names are checked against the candidates, doubles dropped. An answer that names only files that do not exist is an
    error: whatever it is about, it is not this directory.
    """
    request, count = build_request(model, question, found, now)
    reply = await client.complete(request, deadline=deadline)
    named = _named(reply.json())
    offered = tuple(c.rel for c in found[:count])
    known = set(offered)
    chosen: dict[str, str] = {}
    unknown: list[str] = []
    for file, reason in named:
        if file in known:
            chosen.setdefault(file, reason)
        else:
            unknown.append(file)
    if unknown and not chosen:
        raise ModelError("malformed", msg("The model named only files that do not exist."))
    return Selection(tuple(chosen.items()), tuple(unknown), offered, reply.usage)


def _named(answer: object) -> list[tuple[str, str]]:
    """(file, reason) of an answer. Raises ModelError when it does not have the shape that was asked for."""
    entries = answer.get("selected") if isinstance(answer, dict) else None
    if isinstance(entries, list):
        found = [
            (e["file"], " ".join(e["reason"].split())[:MAX_REASON])
            for e in entries
            if isinstance(e, dict) and isinstance(e.get("file"), str) and isinstance(e.get("reason"), str)
        ]
        if len(found) == len(entries):
            return found
    raise ModelError("malformed", msg("The model's answer has the wrong shape."))


def _shorten(query: str) -> str:
    if len(query) <= MAX_QUERY:
        return query
    head = MAX_QUERY * 2 // 3
    return f"{query[:head]}\n[…]\n{query[head - MAX_QUERY :]}"


def _quote(text: str) -> str:
    """Text that can't close the element it stands in; lone surrogates become U+FFFD."""
    return text.replace("<", "‹").encode("utf-8", "replace").decode()
