"""What sessions about one file need: asking about it, waiting until it is known, setting its day."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.lsp.client import DEADLINE, Client

Json = dict[str, Any]


async def ask(client: Client, method: str, uri: str, **params: Any) -> Any:
    """A request about a text document."""
    return await client.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, **params})


async def known(client: Client, count: int) -> None:
    """Wait until the server has read `count` memories."""

    def read() -> bool:
        told = [p for m, p in client.told if m == "memdir/didChangeStatus"]
        return bool(told) and told[-1]["folders"][0]["memories"] >= count

    await client.until(read)


def days_ago(path: Path, days: int) -> Path:
    """Give a file the time of noon some days ago."""
    noon = datetime.now(UTC).astimezone().replace(hour=12, minute=0, second=0) - timedelta(days=days)
    os.utime(path, (noon.timestamp(), noon.timestamp()))
    return path


def whole(text: str) -> Json:
    """The range of a whole text."""
    return {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n") + 1, "character": 0}}


def place_of(text: str, words: str, inside: int = 0) -> Json:
    """The position `inside` characters into `words`, in UTF-16 units."""
    offset = text.index(words) + inside
    start = text.rfind("\n", 0, offset) + 1
    return {
        "line": text.count("\n", 0, offset),
        "character": len(text[start:offset].encode("utf-16-le")) // 2,
    }


async def refreshed(client: Client, kind: str, since: int) -> None:
    """Wait until the server asks for a refresh of `kind`, later than the first `since` of its requests."""
    method = f"workspace/{kind}/refresh"
    await client.until(lambda: method in {m for m, _ in client.asked[since:]}, method)


async def eventually(ask_again: Callable[[], Awaitable[Any]], expected: Any) -> None:
    """Ask until the answer is the expected one; each question takes a round trip, so this does not spin."""
    found: Any = None
    try:
        async with asyncio.timeout(DEADLINE):
            while (found := await ask_again()) != expected:
                pass
    except TimeoutError:
        raise AssertionError(f"still {found!r}") from None
