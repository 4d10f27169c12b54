"""The server: HTTP, authentication, strict validation, streaming, faults. Stdlib only beside the SDK's types."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jsonschema

from tests.loopback.caching import PromptCache, tokens
from tests.loopback.script import Failure, Reply, Script, from_json
from tests.loopback.validate import problems

KEY = "test-key"


class Loopback:
    """A running server. `requests` are the bodies received, `headers` beside them, `refused` what was wrong with any."""

    def __init__(self, script: Script | None = None, port: int = 0) -> None:
        self.script = script or Script()
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.raw: list[bytes] = []
        self.refused: list[str] = []
        self.cache = PromptCache()
        self.closing = threading.Event()
        self.arrived = threading.Condition()
        self._tools = 0
        owner = self

        class Handler(_Handler):
            loopback = owner

        self._httpd = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._httpd.daemon_threads = True
        self._thread = threading.Thread(
            target=self._httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._httpd.server_address[1]}"

    @property
    def environ(self) -> dict[str, str]:
        """What makes the product talk to this server."""
        return {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": self.url, "NO_PROXY": "127.0.0.1"}

    def close(self) -> None:
        self.closing.set()
        self._httpd.shutdown()
        self._httpd.server_close()
        self._thread.join(5)

    def wait(self, count: int, timeout: float = 10.0) -> None:
        """Until `count` requests have arrived; AssertionError otherwise."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.requests) >= count, timeout), (
                f"{len(self.requests)} of {count} requests came"
            )

    def receive(self, raw: bytes, body: dict[str, Any], headers: dict[str, str]) -> int:
        with self.arrived:
            self.requests.append(body)
            self.raw.append(raw)
            self.headers.append(headers)
            self.arrived.notify_all()
            return len(self.requests)

    def message(self, body: dict[str, Any], reply: Reply, number: int) -> dict[str, Any]:
        """The answer as the SDK's own type writes it."""
        from anthropic.types import Message

        with self.arrived:
            content = reply.content(self._tools + 1)
            self._tools += len(reply.tools)
        said = json.dumps(content, ensure_ascii=False)
        usage = {
            **self.cache.account(body),
            "output_tokens": reply.output_tokens if reply.output_tokens is not None else tokens(said),
        }
        message = {
            "id": f"msg_{number:04}", "type": "message", "role": "assistant", "model": body["model"], "content": content,
            "stop_reason": reply.stop_reason, "stop_sequence": None, "usage": usage,
        }  # fmt: skip
        return Message.model_validate(message).model_dump(mode="json", exclude_none=False, exclude_unset=True)


class _Handler(BaseHTTPRequestHandler):
    loopback: Loopback
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # quiet: tests read `requests`
        return

    def do_GET(self) -> None:
        if self.path == "/_requests":  # for another process that watches this one
            return self._send(200, {"requests": self.loopback.requests, "refused": self.loopback.refused})
        return self._error(Failure(404, "not_found_error", f"Not found: {self.path}"))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", "0")))
        if self.path == "/_script":
            self.loopback.script = from_json(json.loads(raw))
            return self._send(200, {})
        if self.path.split("?")[0] != "/v1/messages":
            return self._error(Failure(404, "not_found_error", f"Not found: {self.path}"))
        key = self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")
        if key != KEY:
            return self._error(Failure(401, "authentication_error", "invalid x-api-key"))
        if not self.headers.get("anthropic-version"):
            return self._error(Failure(400, "invalid_request_error", "anthropic-version: header is required"))
        try:
            body = json.loads(raw)
        except ValueError:
            return self._error(Failure(400, "invalid_request_error", "The request body is not valid JSON"))
        found = problems(body)
        if found:
            self.loopback.refused += found
            return self._error(Failure(400, "invalid_request_error", "; ".join(found)))
        number = self.loopback.receive(raw, body, dict(self.headers.items()))
        step = self.loopback.script.next(body)
        if step is None:
            self.loopback.refused.append(f"request {number} has no step in the script")
            step = Failure(400, "invalid_request_error", "the script has no answer for this request")
        if isinstance(step, Failure):
            return self._error(step)
        if (wrong := _against_schema(body, step)) is not None:
            self.loopback.refused.append(wrong)
            return self._error(Failure(400, "invalid_request_error", wrong))
        return self._reply(body, step, number)

    def _reply(self, body: dict[str, Any], step: Reply, number: int) -> None:
        if step.fault == "timeout":
            self._hold()
            return
        if step.fault == "reset":
            self._drop()
            return
        if step.fault == "not-json":
            self._raw(200, b"<html>Bad gateway</html>", "text/html")
            return
        message = self.loopback.message(body, step, number)
        if body.get("stream"):
            self._stream(message, step.fault)
        elif step.fault in ("cut", "ends-early"):
            data = json.dumps(message).encode()
            self._head(200, "application/json", len(data))
            self.wfile.write(data[: len(data) // 2])
            self._drop()
        else:
            self._send(200, message)

    def _stream(self, message: dict[str, Any], fault: str | None) -> None:
        self.send_response(200)
        for name, value in (
            ("content-type", "text/event-stream"),
            ("transfer-encoding", "chunked"),
            ("request-id", message["id"]),
        ):
            self.send_header(name, value)
        self.end_headers()
        events = list(_events(message))
        try:
            for event in events[: len(events) // 2] if fault else events:
                data = f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()
            if fault == "cut":
                self._drop()
            else:
                self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.close_connection = True  # the client has gone, as it may

    def _hold(self) -> None:
        """Say nothing until the client goes away or the test is over."""
        self.close_connection = True
        self.connection.settimeout(0.05)
        while not self.loopback.closing.is_set():
            try:
                if not self.connection.recv(1):
                    return
            except TimeoutError:
                continue
            except OSError:
                return

    def _drop(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def _error(self, failure: Failure) -> None:
        extra = {"retry-after": f"{failure.retry_after:g}"} if failure.retry_after is not None else {}
        body = {
            "type": "error",
            "error": {"type": failure.kind, "message": failure.message},
            "request_id": "req_test",
        }
        self._send(failure.status, body, extra)

    def _send(self, status: int, body: Any, extra: dict[str, str] | None = None) -> None:
        self._raw(
            status, json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"), "application/json", extra
        )

    def _raw(self, status: int, data: bytes, kind: str, extra: dict[str, str] | None = None) -> None:
        try:
            self._head(status, kind, len(data), extra)
            self.wfile.write(data)
        except OSError:
            self.close_connection = True

    def _head(self, status: int, kind: str, size: int, extra: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {
            "content-type": kind,
            "content-length": str(size),
            "request-id": "req_test",
            **(extra or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()


def _events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events that stream `message`, in the documented order."""
    usage = message["usage"]
    yield {
        "type": "message_start",
        "message": {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}},
    }
    for n, block in enumerate(message["content"]):
        if block["type"] == "text":
            yield {"type": "content_block_start", "index": n, "content_block": {"type": "text", "text": ""}}
            yield {"type": "ping"}
            for part in _pieces(block["text"]):
                yield {
                    "type": "content_block_delta",
                    "index": n,
                    "delta": {"type": "text_delta", "text": part},
                }
        else:
            yield {"type": "content_block_start", "index": n, "content_block": {**block, "input": {}}}
            for part in _pieces(json.dumps(block["input"], ensure_ascii=False)):
                yield {
                    "type": "content_block_delta",
                    "index": n,
                    "delta": {"type": "input_json_delta", "partial_json": part},
                }
        yield {"type": "content_block_stop", "index": n}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
        "usage": {"output_tokens": usage["output_tokens"]},
    }
    yield {"type": "message_stop"}


def _pieces(text: str, size: int = 24) -> list[str]:
    return [text[n : n + size] for n in range(0, len(text), size)] or [""]


def _against_schema(body: dict[str, Any], step: Reply) -> str | None:
    """Why a scripted answer is one that structured outputs would never give."""
    form = (body.get("output_config") or {}).get("format")
    if not form or step.unchecked or step.fault or step.tools or step.stop:
        return None
    try:
        value = step.json if step.json is not None else json.loads(step.text)
        jsonschema.validate(value, form["schema"])
    except (ValueError, jsonschema.ValidationError) as error:
        return f"the scripted answer does not fit the request's schema: {error}"
    return None
