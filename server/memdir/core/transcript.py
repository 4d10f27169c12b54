"""One line of the client's session file as a value. Total: any bytes give a record or None.

The format is the client's own and grows: unknown types and missing fields are normal, `message.content` is a string or
a list of blocks, a tool's result a string or a list (docs/facts/corpus-statistics.md, "Transcripts"). Everything is read
defensively, nothing is required.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

# Characters kept of one text: a tool may have printed megabytes, and no reader of a conversation needs them.
MAX_TEXT = 100_000
_WRITERS = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit", "Update"))
_PATH_KEYS = ("file_path", "notebook_path", "path")


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call that the model asked for."""

    id: str
    name: str
    input: Mapping[str, Any]

    @property
    def written_path(self) -> str | None:
        """The file that the call writes, None for tools that write none (what a shell command does is unknown)."""
        if self.name not in _WRITERS:
            return None
        return next((p for k in _PATH_KEYS if isinstance(p := self.input.get(k), str)), None)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave back, as text; images and other blocks are left out."""

    id: str
    text: str
    error: bool


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_creation: int = 0

    @property
    def context(self) -> int:
        """Tokens in the context after this answer."""
        return self.input + self.cache_read + self.cache_creation + self.output


@dataclass(frozen=True, slots=True)
class Record:
    """A record. `start` and `end` are byte offsets of its line in the file; `end` is where the next one begins.

    `text`: what was said, without thinking, tool calls and results. `boundary`: a compaction cut the conversation here
    (`logical_parent` names what came before); `summary`: the text is a summary that a compaction put in.
    """

    start: int
    end: int
    type: str
    subtype: str = ""
    uuid: str = ""
    parent: str | None = None
    logical_parent: str | None = None
    session: str = ""
    message_id: str = ""
    time: datetime | None = None
    cwd: str = ""
    branch: str = ""
    version: str = ""
    agent: str = ""
    sidechain: bool = False
    meta: bool = False
    boundary: bool = False
    summary: bool = False
    role: str = ""
    text: str = ""
    tool_uses: tuple[ToolUse, ...] = ()
    tool_results: tuple[ToolResult, ...] = ()
    usage: Usage | None = None
    model: str = ""
    stop_reason: str = ""

    @property
    def spoken(self) -> bool:
        """A message of the main conversation: by the person or the agent, no sub-agent, nothing the client put in."""
        return (
            self.role in ("user", "assistant")
            and not (self.sidechain or self.meta or self.summary)
            and bool(self.text)
        )

    @property
    def prompt(self) -> bool:
        """The person began a turn with it."""
        return self.spoken and self.role == "user" and not self.tool_results


def parse_record(line: bytes, start: int = 0, end: int | None = None) -> Record | None:
    """The record in a line (without its line break); None for a blank line and for what is no JSON object."""
    end = start + len(line) if end is None else end
    try:
        data = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):  # half written, damaged, or nested to break parsers
        return None
    if not isinstance(data, dict):
        return None
    message = _map(data.get("message"))
    content = message.get("content", data.get("content"))
    blocks = list(_blocks(content))
    type_ = _text(data.get("type"))
    subtype = _text(data.get("subtype"))
    return Record(
        start=start,
        end=end,
        type=type_,
        subtype=subtype,
        uuid=_text(data.get("uuid")),
        parent=_text(data.get("parentUuid")) or None,
        logical_parent=_text(data.get("logicalParentUuid")) or None,
        session=_text(data.get("sessionId")),
        message_id=_text(message.get("id")),
        time=_time(data.get("timestamp")),
        cwd=_text(data.get("cwd")),
        branch=_text(data.get("gitBranch")),
        version=_text(data.get("version")),
        agent=_text(data.get("agentId")),
        sidechain=data.get("isSidechain") is True,
        meta=data.get("isMeta") is True,
        boundary=type_ == "system" and subtype == "compact_boundary",
        summary=data.get("isCompactSummary") is True,
        role=_text(message.get("role")) or (type_ if message and type_ in ("user", "assistant") else ""),
        text=_spoken_text(content, blocks),
        tool_uses=tuple(_tool_uses(blocks)),
        tool_results=tuple(_tool_results(blocks, data.get("toolUseResult"))),
        usage=_usage(message.get("usage")),
        model=_text(message.get("model")),
        stop_reason=_text(message.get("stop_reason")),
    )


def since_compaction(records: Iterable[Record]) -> list[Record]:
    """The records of the main conversation behind its last compaction (its summary included); all when there was none.

    Sub-agents' side chains are left out: they compact for themselves.
    """
    kept: list[Record] = []
    for record in records:
        if record.sidechain:
            continue
        if record.boundary:
            kept.clear()
        kept.append(record)
    return kept


def _spoken_text(content: object, blocks: list[Mapping[str, Any]]) -> str:
    if isinstance(content, str):
        return content[:MAX_TEXT]
    texts = [t for b in blocks if b.get("type") == "text" and isinstance(t := b.get("text"), str)]
    return "\n".join(texts)[:MAX_TEXT]


def _tool_uses(blocks: list[Mapping[str, Any]]) -> Iterator[ToolUse]:
    for block in blocks:
        if block.get("type") == "tool_use":
            yield ToolUse(_text(block.get("id")), _text(block.get("name")), _map(block.get("input")))


def _tool_results(blocks: list[Mapping[str, Any]], aside: object) -> Iterator[ToolResult]:
    """Results from the message's blocks; `toolUseResult` (a dict or a string) stands in where a block has no text."""
    for block in blocks:
        if block.get("type") == "tool_result":
            text = _result_text(block.get("content")) or _aside_text(aside)
            yield ToolResult(_text(block.get("tool_use_id")), text[:MAX_TEXT], block.get("is_error") is True)


def _result_text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(t for b in _blocks(content) if isinstance(t := b.get("text"), str))


def _aside_text(aside: object) -> str:
    if isinstance(aside, str):
        return aside
    data = _map(aside)
    return "\n".join(
        t for k in ("stdout", "stderr", "content", "result") if isinstance(t := data.get(k), str) and t
    )


def _blocks(content: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(content, list):
        yield from (b for b in content if isinstance(b, dict))


def _usage(value: object) -> Usage | None:
    data = _map(value)
    if not data:
        return None
    return Usage(
        _count(data.get("input_tokens")),
        _count(data.get("output_tokens")),
        _count(data.get("cache_read_input_tokens")),
        _count(data.get("cache_creation_input_tokens")),
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _time(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        return None
    return time if time.tzinfo else None
