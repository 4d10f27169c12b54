"""The client on connections that are cut, slow or garbled."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.team.fake_service import Fake, entry, page
from tests.team.machines import Machine
from tests.team.served import wait_for
from tests.team.test_sync import FACT


@contextmanager
def raw_server(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """A TCP server that treats each connection as it likes."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(16)
        stop = threading.Event()

        def accept() -> None:
            listener.settimeout(0.05)
            while not stop.is_set():
                try:
                    connection, _ = listener.accept()
                except OSError:
                    continue
                threading.Thread(target=_quietly, args=(serve, connection), daemon=True).start()

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            stop.set()
            thread.join()


def _quietly(serve: Callable[[socket.socket], None], connection: socket.socket) -> None:
    with connection:
        try:
            connection.recv(65536)
            serve(connection)
        except OSError:
            return


def drip(text: bytes) -> Callable[[socket.socket], None]:
    def serve(connection: socket.socket) -> None:
        for byte in text:
            connection.sendall(bytes([byte]))
            threading.Event().wait(0.05)

    return serve


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n"


@pytest.mark.parametrize(
    "serve",
    [
        lambda c: None,
        lambda c: c.sendall(HEAD),
        lambda c: c.sendall(HEAD + b'\r\n{"etag":'),
        lambda c: c.sendall(b"\x00\x01garbage\r\n\r\n"),
        lambda c: c.sendall(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000),
        lambda c: c.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        lambda c: threading.Event().wait(3),
        drip(HEAD + b"X-Slow: " + b"x" * 400),
        drip(HEAD + b"\r\n" + b" " * 400),
    ],
    ids=[
        "closed",
        "cut in head",
        "cut in body",
        "garbage",
        "endless header",
        "bad chunk",
        "silent",
        "dripping head",
        "dripping body",
    ],
)
def test_cut_slow_and_garbled_connections_end_soon(
    serve: Callable[[socket.socket], None], tmp_path: Path
) -> None:
    with raw_server(serve) as url:
        ann = Machine(tmp_path, url, "tok", timeouts=(1.0, 0.5, 1.0))
        ann.write("a.md", FACT.format("a", "a"))
        started = time.monotonic()
        report = ann.team.sync(force=True)
        assert time.monotonic() - started < 5
        assert report.outcome == "waiting" and ann.team.status().pending == ("a.md",)
        ann.close()


def test_an_answer_lost_on_the_way_back_is_found_out(tmp_path: Path) -> None:
    """The service took the write, the connection died before its answer: the next run sees that and sends nothing twice."""
    stored: dict[str, dict] = {}
    version, puts = [1], [0]

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, json=page(stored, version[0]))
        puts[0] += 1
        for key, value in json.loads(request.content)["entries"].items():
            stored[key] = entry(value["content"])
        version[0] += 1
        raise httpx.ReadError("cut")

    ann = Fake(answer).machine(tmp_path)
    ann.write("a.md", FACT.format("a", "a"))
    assert ann.team.sync(force=True).outcome == "waiting"
    report = ann.team.sync(force=True)
    assert report.outcome == "ok" and puts[0] == 1 and not report.conflicts and not report.pulled


def test_wait_for_gives_up() -> None:
    with pytest.raises(AssertionError):
        wait_for(lambda: False, 0.02)
