"""Checks a request body the way the service does: by the installed SDK's own parameter types, plus the written rules.

The walker follows the type hints of the SDK's TypedDicts, so a field that a later SDK knows is accepted without a
change here, and a misspelt or misplaced one is refused with its path, as the service refuses it.
"""

from __future__ import annotations

import collections.abc
import re
import types
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin

from typing_extensions import get_type_hints, is_typeddict

_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
# Keywords that structured outputs refuse ("JSON Schema limitations" in the service's documentation).
_UNSUPPORTED = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems", "uniqueItems", "minProperties", "maxProperties", "patternProperties", "if", "then", "else", "not", "oneOf"}  # fmt: skip


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls, include_extras=True)


def _allows_extra(cls: type) -> bool:
    return bool(getattr(cls, "__pydantic_config__", {}).get("extra") == "allow")


def check(value: object, hint: Any, path: str) -> list[str]:
    """What is wrong with `value` against the type `hint`; each sentence starts with the field's path."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Annotated, Required, NotRequired):
        return check(value, args[0], path)
    if origin in (Union, types.UnionType):
        return _check_union(value, args, path)
    if origin is Literal:
        return [] if value in args else [f"{path}: Input should be {' or '.join(map(repr, args))}"]
    if is_typeddict(hint):
        return _check_dict(value, hint, path)
    if origin in (list, collections.abc.Iterable, collections.abc.Sequence):
        if not isinstance(value, list):
            return [f"{path}: Input should be a valid array"]
        return [e for n, item in enumerate(value) for e in check(item, args[0], f"{path}.{n}")]
    if origin in (dict, collections.abc.Mapping):
        if not isinstance(value, dict):
            return [f"{path}: Input should be an object"]
        return [e for key, item in value.items() for e in check(item, args[1], f"{path}.{key}")]
    return _check_plain(value, hint, path)


def _check_plain(value: object, hint: Any, path: str) -> list[str]:
    if hint in (Any, object):
        return []
    if hint in (None, type(None)):
        return [] if value is None else [f"{path}: Input should be null"]
    if hint is float:
        return (
            []
            if isinstance(value, (int, float)) and not isinstance(value, bool)
            else [f"{path}: Input should be a valid number"]
        )
    if hint in (int, str, bool):
        fits = type(value) is hint
        return [] if fits else [f"{path}: Input should be a valid {hint.__name__}"]
    return [f"{path}: not a JSON type"]  # SDK models and files, which JSON cannot carry


def _check_union(value: object, options: tuple[Any, ...], path: str) -> list[str]:
    found = [(check(value, option, path), option) for option in options]
    if any(not wrong for wrong, _ in found):
        return []
    # The option that the value means to be has the true complaints: by its own "type" or "role", else by its JSON type.
    return max(found, key=lambda f: (_nearness(value, f[1]), -len(f[0])))[0]


def _nearness(value: object, option: Any) -> int:
    if isinstance(value, (list, str)):
        lists = get_origin(option) in (list, collections.abc.Iterable, collections.abc.Sequence)
        return int(lists if isinstance(value, list) else option is str)
    if isinstance(value, dict) and is_typeddict(option):
        kind = _hints(option).get("type") or _hints(option).get("role")
        while kind is not None and get_origin(kind) in (Required, NotRequired, Annotated):
            kind = get_args(kind)[0]
        tag = value.get("type", value.get("role"))
        return 2 if get_origin(kind) is Literal and tag in get_args(kind) else 1
    return 0


@cache
def _required(cls: type) -> frozenset[str]:
    """Required keys. `__required_keys__` is wrong for the SDK's classes, whose annotations are strings."""
    bases = [b for b in getattr(cls, "__orig_bases__", ()) if is_typeddict(b)]
    inherited = {key for base in bases for key in _hints(base)}
    total = getattr(cls, "__total__", True)
    own = {
        key
        for key, hint in _hints(cls).items()
        if key not in inherited
        and (get_origin(hint) is Required or (total and get_origin(hint) is not NotRequired))
    }
    return frozenset(own).union(*(_required(base) for base in bases))


def _check_dict(value: object, hint: type, path: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{path}: Input should be an object"]
    hints = _hints(hint)
    prefix = f"{path}." if path else ""
    found = [f"{prefix}{key}: Field required" for key in sorted(_required(hint) - value.keys())]
    for key, item in value.items():
        if key in hints:
            found += check(item, hints[key], prefix + key)
        elif not _allows_extra(hint):
            found.append(f"{prefix}{key}: Extra inputs are not permitted")
    return found


def problems(body: object) -> list[str]:
    """Everything the service would refuse in a request body; empty when it is fine."""
    from anthropic.types.message_create_params import (
        MessageCreateParamsNonStreaming,
        MessageCreateParamsStreaming,
    )

    streaming = isinstance(body, dict) and body.get("stream") is True
    found = check(body, MessageCreateParamsStreaming if streaming else MessageCreateParamsNonStreaming, "")
    if found or not isinstance(body, dict):
        return found
    found += _rules(body)
    return found


def _rules(body: dict[str, Any]) -> list[str]:
    found: list[str] = []
    if body["max_tokens"] < 0:
        found.append("max_tokens: Input should be greater than or equal to 0")
    found += _tools(body)
    found += _messages(body["messages"])
    count = sum(1 for block in _blocks(body) if block.get("cache_control"))
    if count > 4:
        found.append(f"A maximum of 4 blocks with cache_control may be provided. Found {count}.")
    for block in _blocks(body):
        if block.get("type") == "text" and block.get("cache_control") and not block.get("text"):
            found.append("cache_control cannot be set for empty text blocks")
    form = (body.get("output_config") or {}).get("format")
    if form:
        found += schema_problems(form["schema"], "output_config.format.schema")
    thinking = body.get("thinking") or {}
    if thinking.get("type") == "enabled" and not 1024 <= thinking["budget_tokens"] < body["max_tokens"]:
        found.append("thinking.budget_tokens: must be at least 1024 and less than max_tokens")
    return found


def _tools(body: dict[str, Any]) -> list[str]:
    found: list[str] = []
    seen: set[str] = set()
    for n, tool in enumerate(body.get("tools") or ()):
        name = tool.get("name", "")
        if "input_schema" in tool:
            if not _TOOL_NAME.fullmatch(name):
                found.append(f"tools.{n}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
            if tool["input_schema"].get("type") != "object":
                found.append(f"tools.{n}.input_schema.type: Input should be 'object'")
            if tool.get("strict"):
                found += schema_problems(tool["input_schema"], f"tools.{n}.input_schema")
        if name in seen:
            found.append("tools: Tool names must be unique.")
        seen.add(name)
    choice = body.get("tool_choice") or {}
    if choice and not seen:
        found.append("tool_choice: may only be specified while providing tools")
    if choice.get("type") == "tool" and choice["name"] not in seen:
        found.append(f"tool_choice.name: Tool '{choice['name']}' not found in provided tools")
    return found


def _messages(messages: list[dict[str, Any]]) -> list[str]:
    if not messages:
        return ["messages: at least one message is required"]
    found: list[str] = []
    if messages[0]["role"] != "user":
        found.append('messages: first message must use the "user" role')
    open_calls: set[str] = set()
    for n, message in enumerate(messages):
        content = message["content"]
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        last = n == len(messages) - 1
        if not blocks or any(b.get("type") == "text" and not b["text"].strip() for b in blocks):
            if not (last and message["role"] == "assistant"):
                found.append(f"messages.{n}: text content blocks must be non-empty")
        results = [b for b in blocks if b.get("type") == "tool_result"]
        answered = {b["tool_use_id"] for b in results}
        if missing := open_calls - answered:
            found.append(
                f"messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(sorted(missing))}"
            )
        if extra := answered - open_calls:
            found.append(
                f"messages.{n}: unexpected `tool_use_id` found in `tool_result` blocks: {', '.join(sorted(extra))}"
            )
        if results and blocks[: len(results)] != results:
            found.append(f"messages.{n}: `tool_result` blocks must come first")
        open_calls = (
            {b["id"] for b in blocks if b.get("type") == "tool_use"}
            if message["role"] == "assistant"
            else set()
        )
    if open_calls:
        found.append("messages: the last message leaves `tool_use` blocks without results")
    if messages[-1]["role"] == "assistant":
        found.append(
            "This model does not support assistant message prefill. The conversation must end with a user message."
        )
    return found


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Every block that may carry cache_control, in the order of the cached prefix: tools, system, messages."""
    found: list[dict[str, Any]] = list(body.get("tools") or ())
    system = body.get("system")
    found += [{"type": "text", "text": system}] if isinstance(system, str) else list(system or ())
    for message in body["messages"]:
        content = message["content"]
        found += [{"type": "text", "text": content}] if isinstance(content, str) else content
    return found


def schema_problems(schema: object, path: str) -> list[str]:
    """What structured outputs refuse in a JSON schema."""
    if not isinstance(schema, dict):
        return [f"{path}: Input should be an object"]
    found = [
        f"{path}: For '{schema.get('type')}' type, property '{key}' is not supported"
        for key in schema
        if key in _UNSUPPORTED
    ]
    if schema.get("minItems", 0) not in (0, 1):
        found.append(f"{path}: 'minItems' values other than 0 or 1 are not supported")
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            found.append(f"{path}: For 'object' type, 'additionalProperties' must be explicitly set to false")
        for name, part in (schema.get("properties") or {}).items():
            found += schema_problems(part, f"{path}.properties.{name}")
        for name in schema.get("required") or ():
            if name not in (schema.get("properties") or {}):
                found.append(f"{path}.required: '{name}' is no property")
    if schema.get("type") == "array":
        found += schema_problems(schema.get("items", None), f"{path}.items")
    for part in schema.get("anyOf") or ():
        found += schema_problems(part, f"{path}.anyOf")
    return found
