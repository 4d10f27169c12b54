"""What a prompt cache does with prefixes: read tokens that an earlier request left, write those up to a breakpoint."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_MIN_TOKENS = 16  # the service caches from 1,024 tokens on; tests use small prompts


def tokens(text: str) -> int:
    """A crude count, four characters each: stable, and that is what a test needs."""
    return max(len(text) // 4, 1)


def _parts(body: dict[str, Any]) -> list[tuple[str, bool]]:
    """(bytes of a block as sent, whether a breakpoint follows it), in the order of the prefix."""
    found: list[tuple[str, bool]] = []

    def add(kind: str, block: dict[str, Any]) -> None:
        plain = {k: v for k, v in block.items() if k != "cache_control"}
        found.append((kind + json.dumps(plain, ensure_ascii=False), bool(block.get("cache_control"))))

    for tool in body.get("tools") or ():
        add("tool", tool)
    system = body.get("system") or ()
    for block in [{"type": "text", "text": system}] if isinstance(system, str) else system:
        add("system", block)
    for message in body["messages"]:
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            add(message["role"], block)
    if body.get("cache_control") and found:
        found[-1] = (found[-1][0], True)
    return found


class PromptCache:
    """Prefixes by hash, per model."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def account(self, body: dict[str, Any]) -> dict[str, int]:
        """The input side of a usage record, and the cache as it is afterwards."""
        digest = hashlib.sha256(body["model"].encode())
        read = marked = total = 0
        new: list[str] = []
        for text, breakpoint_here in _parts(body):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
            total += tokens(text)
            if breakpoint_here and total >= _MIN_TOKENS:
                key = digest.hexdigest()
                marked = total
                if key in self._known:
                    read = total
                else:
                    new.append(key)
        self._known.update(new)
        return {
            "input_tokens": total - max(marked, read),
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": max(marked - read, 0),
        }
