"""When the server does what: keystrokes first, everything else in slices between messages."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import pytest

from memdir.lsp.scheduler import Scheduler
from memdir.lsp.transport import messages


async def test_the_latest_state_wins() -> None:
    scheduler, done = Scheduler(), []
    for i in range(5):
        scheduler.soon("a", lambda i=i: done.append(i))
    scheduler.soon("b", lambda: done.append("b"))
    assert done == []
    await asyncio.sleep(0)
    assert done == [4, "b"]
    scheduler.soon("a", lambda: done.append("asked for"))
    scheduler.settle("a")
    scheduler.settle("a")
    await asyncio.sleep(0)
    assert done == [4, "b", "asked for"]


async def test_what_a_person_waits_for_runs_between_slices() -> None:
    scheduler, seen = Scheduler(), []

    def long() -> Iterator[None]:
        for i in range(400):
            seen.append(i)
            end = asyncio.get_running_loop().time() + 0.0001
            while asyncio.get_running_loop().time() < end:
                pass
            yield

    scheduler.background(long())
    await asyncio.sleep(0)
    scheduler.soon("key", lambda: seen.append("now"))
    await scheduler.idle()
    assert 0 < seen.index("now") < 399
    assert seen[-1] == 399


async def test_a_message_waits_for_one_slice_at_most() -> None:
    now = 0.0
    scheduler, steps, seen = Scheduler(lambda: now), 0, []
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)

    class Server:
        def receive(self, body: bytes) -> None:
            scheduler.soon("key", lambda: seen.append(steps))

    def long() -> Iterator[None]:
        nonlocal now, steps
        while not seen and steps < 100:
            if steps == 5:
                theirs.sendall(b"Content-Length: 2\r\n\r\n{}")
            now += 1  # a step fills its slice
            steps += 1
            yield

    reading = asyncio.create_task(messages(reader, Server()))
    scheduler.background(long())
    await scheduler.idle()
    theirs.close()
    await reading
    writer.close()
    await writer.wait_closed()
    assert seen in ([6], [7])


async def test_faults_in_the_background_end_only_themselves(caplog: pytest.LogCaptureFixture) -> None:
    scheduler, seen = Scheduler(), []

    def broken() -> Iterator[None]:
        yield
        raise ValueError("broken")

    def whole() -> Iterator[None]:
        seen.append("whole")
        yield

    scheduler.background(broken())
    scheduler.background(whole())
    scheduler.soon("x", lambda: 1 / 0)
    await scheduler.idle()
    assert seen == ["whole"]
    assert "broken" in caplog.text and "ZeroDivisionError" in caplog.text


async def test_later_waits_for_quiet_but_not_for_ever() -> None:
    scheduler = Scheduler()
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    start = loop.time()
    while not done.is_set() and loop.time() - start < 5:
        scheduler.later("a", done.set, 0.05)  # somebody types on and on
        await asyncio.sleep(0.01)
    assert 0.25 < loop.time() - start < 2
    scheduler.later("b", lambda: pytest.fail("stopped"), 0)
    scheduler.stop()
    await asyncio.sleep(0)
