"""A service that answers what a test tells it to, without a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx

from memdir.core.model import content_hash
from tests.team.machines import Machine

EPOCH = "0123456789abcdef"


def entry(content: str) -> dict:
    return {
        "content": content,
        "sha256": content_hash(content.encode()),
        "version": 1,
        "author": "x",
        "time": "t",
    }


def page(entries: dict, version: int = 1, **more: object) -> dict:
    return {
        "etag": f"{EPOCH}-{version}",
        "full": True,
        "more": False,
        "entries": entries,
        "removed": {},
        **more,
    }


class Fake:
    """A service that answers what it is told and remembers what it was asked."""

    def __init__(self, answer: Callable[[httpx.Request], httpx.Response]) -> None:
        self.asked: list[httpx.Request] = []
        self.answer = answer
        self.transport = httpx.MockTransport(self._handle)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answer(request)
        if not answer.is_closed:  # a stream, sent as it comes
            return answer
        return httpx.Response(
            answer.status_code, headers=answer.headers, stream=httpx.ByteStream(answer.content)
        )

    def machine(self, base: Path, **options: object) -> Machine:
        return Machine(base, "https://team.example", "tok", transport=self.transport, **options)


def always(status: int, body: object = None, **headers: str) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: httpx.Response(
        status,
        json={} if body is None else body,
        headers={k.replace("_", "-"): v for k, v in headers.items()},
    )
