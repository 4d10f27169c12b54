"""Around every request: transport security, a log line without content, counters, errors as JSON."""

from __future__ import annotations

import ipaddress
import json
import logging
import time
import uuid
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memdir.team.protocol import INSECURE
from memdir.team.service.config import ServiceConfig
from memdir.team.service.errors import ServiceError
from memdir.team.service.metrics import Metrics

log = logging.getLogger("memdir.team.service")

_HEADERS = (  # answers are data for programs: nothing may cache, sniff or frame them
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'"),
)


class JsonLines(logging.Formatter):
    """One JSON object per line; fields come from `extra={"fields": {...}}`."""

    def format(self, record: logging.LogRecord) -> str:
        fields: Mapping[str, Any] = getattr(record, "fields", {})
        line: dict[str, Any] = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **fields,
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__  # the text of an exception may quote content
            line["trace"] = [f"{f.name}:{f.lineno}" for f in _frames(record.exc_info[2])]
        return json.dumps(line, ensure_ascii=False)


def _frames(trace: Any) -> list[Any]:
    import traceback

    return list(traceback.extract_tb(trace))


def is_loopback(host: str | None) -> bool:
    """An address of this machine (a Unix socket has none and counts as well)."""
    if not host:
        return host is None
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


class Guarded:
    """ASGI middleware; `scope["state"]` gets the request id and, for handlers, the caller's address."""

    def __init__(self, app: ASGIApp, *, config: ServiceConfig, metrics: Metrics) -> None:
        self._app, self._config, self._metrics = app, config, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = uuid.uuid4().hex[:16]
        status, sent, received = 500, 0, 0

        async def counted_receive() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message

        async def counted_send(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                names = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(h for h in _HEADERS if h[0] not in names),
                    (b"x-request-id", request_id.encode()),
                ]
            elif message["type"] == "http.response.body":
                sent += len(message.get("body", b""))
            await send(message)

        peer, secure = self._peer(scope)
        scope.setdefault("state", {})["peer"] = peer
        try:
            if not secure:
                error = ServiceError(403, INSECURE, "Plain HTTP is served on this machine only; use https.")
                await JSONResponse(error.body(), 403)(scope, counted_receive, counted_send)
            else:
                await self._app(scope, counted_receive, counted_send)
        finally:
            seconds = time.perf_counter() - started
            # `route_path` is the pattern the application put there; a raw path could carry names
            route = scope["state"].get("route", "-")
            self._metrics.observe(route, scope["method"], status, seconds, received, sent)
            fields = {
                "request": request_id, "method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 2),
                "in": received, "out": sent, "subject": scope["state"].get("subject"),
            }  # fmt: skip
            log.info("request", extra={"fields": fields})

    def _peer(self, scope: Scope) -> tuple[str, bool]:
        """(address of the caller, whether what it sent could be read on the way).

        Forwarding headers count only when a configured proxy sent them; a loopback peer that is no proxy but forwards
        something is judged by what it says, to the careful side.
        """
        headers = Headers(scope=scope)
        client = scope.get("client")
        host = client[0] if client else None
        forwarded = headers.get("x-forwarded-proto")
        if host in self._config.proxies or (host is None and "unix" in self._config.proxies):
            peer = (headers.get("x-forwarded-for") or host or "unix").split(",")[-1].strip()
            return peer, (forwarded or "").split(",")[-1].strip().lower() == "https"
        if scope["scheme"] == "https":
            return host or "", True
        return host or "unix", is_loopback(host) and forwarded is None
