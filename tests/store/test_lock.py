"""Locks between processes: one holder, and a dead one never for long."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir.store.errors import LockedError
from memdir.store.lock import Holder, hold, holder_of, host_name
from memdir.store.process import process_alive, process_started, process_token

COUNT = """
import sys
from memdir.store.lock import hold
path, counter, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
for _ in range(rounds):
    with hold(path, timeout=30):
        with open(counter, "r+") as f:
            n = int(f.read() or 0)
            f.seek(0); f.write(str(n + 1)); f.truncate()
"""

# A parent that dies while its child keeps the lock file open: the kernel lock lives on, its holder does not.
ORPHAN = """
import os, sys, time
from memdir.store.lock import hold
with hold(sys.argv[1]):
    if os.fork() == 0:
        sys.stdin.read()
        os._exit(0)
    print("held", flush=True)
    os.kill(os.getpid(), 9)
"""


def wait_for(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.002)


def run(code: str, *args: str, **kwargs: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **kwargs
    )  # type: ignore[call-overload,no-any-return]


def test_processes_take_turns(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")
    workers = [run(COUNT, str(tmp_path / "lock"), str(counter), "60") for _ in range(5)]
    assert [w.wait(60) for w in workers] == [0] * 5
    assert counter.read_text() == "300"


def test_threads_take_turns(tmp_path: Path) -> None:
    path, inside, most = str(tmp_path / "lock"), 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            with hold(path):
                inside += 1
                time.sleep(0)  # let the others try
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_waiting_ends_and_names_the_holder(tmp_path: Path) -> None:
    path, waits = str(tmp_path / "lock"), list[float]()
    with hold(path):
        assert holder_of(path) == Holder(os.getpid(), process_token(os.getpid()), host_name())
        now = 0.0

        def wait(seconds: float) -> None:
            nonlocal now
            waits.append(seconds)
            now += seconds

        with pytest.raises(LockedError) as caught, hold(path, timeout=1.0, clock=lambda: now, wait=wait):
            raise AssertionError("held twice")
        assert str(os.getpid()) in str(caught.value)
    assert sum(waits) == pytest.approx(1.0) and max(waits) <= 0.05
    assert holder_of(path) is None
    with hold(path, timeout=0):
        pass


def test_a_killed_holder_frees_the_lock(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    holder = run(
        "import sys\nfrom memdir.store.lock import hold\nwith hold(sys.argv[1]):\n print('held', flush=True); sys.stdin.read()",
        path,
    )
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    with pytest.raises(LockedError), hold(path, timeout=0):
        pass
    holder.kill()
    holder.wait()
    with hold(path, timeout=5):
        record = holder_of(path)
        assert record is not None and record.pid == os.getpid()


def test_a_lock_kept_by_the_child_of_a_dead_holder_is_taken_over_once(tmp_path: Path) -> None:
    path, counter = str(tmp_path / "lock"), tmp_path / "counter"
    counter.write_text("0")
    orphan = run(ORPHAN, path)
    assert orphan.stdout is not None and orphan.stdout.readline() == b"held\n"
    orphan.wait()
    workers = [run(COUNT, path, str(counter), "20") for _ in range(4)]
    assert [w.wait(60) for w in workers] == [0] * 4
    assert counter.read_text() == "80"
    assert orphan.stdin is not None
    orphan.stdin.close()


def test_a_reused_number_is_another_process(tmp_path: Path) -> None:
    me = Holder(os.getpid(), process_token(os.getpid()), host_name())
    assert not me.dead()
    assert Holder(me.pid, "boot:1", me.host).dead()
    assert not Holder(me.pid, "", me.host).dead()
    assert not Holder(4_194_304 + 7, "x", "elsewhere").dead()
    assert Holder(4_194_304 + 7, "x", me.host).dead()


@pytest.mark.parametrize(
    "content", [b"", b"null", b"[]", b'{"pid": 1', b"\xff\xfe", b'{"pid": "x", "token": 1, "host": 2}']
)
def test_an_unreadable_record_is_nobody(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "lock"
    path.write_bytes(content)
    assert holder_of(str(path)) is None
    with hold(str(path), timeout=0):
        assert json.loads(path.read_bytes())["pid"] == os.getpid()


def test_processes_alive_and_when_they_started() -> None:
    before = time.time()
    child = run("import sys; print('up', flush=True); sys.stdin.read()")
    assert child.stdout is not None and child.stdout.readline() == b"up\n"
    started = process_started(child.pid)
    assert started is not None and abs(started - before) < 5
    assert process_alive(child.pid) and process_token(child.pid) not in ("", process_token(os.getpid()))
    child.send_signal(signal.SIGKILL)
    wait_for(lambda: not process_alive(child.pid))  # a zombie, not yet waited for
    child.wait()
    assert (
        not process_alive(child.pid) and process_started(child.pid) is None and process_token(child.pid) == ""
    )
    assert not process_alive(0) and not process_alive(-1) and not process_alive(1 << 40)


def test_a_process_name_with_brackets_and_blanks(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    fields = ["S"] + [str(n) for n in range(4, 30)]
    (tmp_path / "7/stat").write_text(f"7 (a) b (c) {' '.join(fields)}\n")
    (tmp_path / "stat").write_text("cpu 1\nbtime 1000\n")
    (tmp_path / "sys/kernel/random").mkdir(parents=True)
    (tmp_path / "sys/kernel/random/boot_id").write_text("b00t\n")
    assert process_started(7, proc=str(tmp_path)) == 1000 + 22 / os.sysconf("SC_CLK_TCK")
    assert process_token(7, proc=str(tmp_path)) == "b00t:22"
