"""When session notes are due: how large the context has become, and whether this is a good moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memdir.core.settings import NotesSettings
from memdir.core.tokens import estimate_tokens
from memdir.core.transcript import Record, since_compaction


@dataclass(frozen=True, slots=True)
class Measure:
    """`tokens` in the context now (counted by the service, else estimated), tool calls in the new records, and whether
    the agent has come to a pause: its last message asks for no tool."""

    tokens: int
    counted: bool
    tool_calls: int
    pause: bool


def measure(records: Sequence[Record]) -> Measure:
    """What `records`, the newest ones of a session, say. Sub-agents' side chains don't count."""
    main = [r for r in records if not r.sidechain]
    counted = next(
        (
            r.usage.context
            for r in reversed(since_compaction(main))
            if r.usage is not None and r.usage.context
        ),
        0,
    )
    last = next((r for r in reversed(main) if r.role == "assistant"), None)
    calls = sum(len(r.tool_uses) for r in main)
    pause = last is not None and not last.tool_uses
    return Measure(counted or _estimated(main), bool(counted), calls, pause)


def due(now: Measure, reached: int | None, settings: NotesSettings) -> bool:
    """Whether an update is due; `reached`: tokens at the last one, None before the first.

    The context shrinks when the conversation is compacted: growth counts from nothing then.
    """
    if reached is None:
        return now.tokens >= settings.first_tokens
    grown = now.tokens - reached if now.tokens >= reached else now.tokens
    return grown >= settings.step_tokens and (now.tool_calls >= settings.tool_calls or now.pause)


def _estimated(records: Sequence[Record]) -> int:
    total = 0
    for record in since_compaction(records):
        total += estimate_tokens(record.text)
        total += sum(estimate_tokens(r.text) for r in record.tool_results)
        total += sum(estimate_tokens(str(u.input)) for u in record.tool_uses)
    return total
