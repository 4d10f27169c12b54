"""Appending to daily logs on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from memdir.core.daily_log import kept_until
from memdir.store.errors import RefusedError
from memdir.store.logs import History, append_entry, observe_logs
from tests.conftest import NOW

REL = "logs/2026/03/2026-03-11.md"
WRITER = """
import sys
from datetime import datetime, timezone
from memdir.store.logs import append_entry
root, state, name = sys.argv[1:4]
for n in range(40):
    append_entry(root, f"{name} {n} " + "x" * (n * 97), now=datetime(2026, 3, 11, 12, 0, tzinfo=timezone.utc), state_dir=state)
"""


def add(root: Path, text: str, now: datetime = NOW) -> str:
    return append_entry(str(root), text, now=now, state_dir=str(root.parent / "state"))[0]


def test_the_local_date_decides(tmp_path: Path) -> None:
    tokyo = datetime(2026, 3, 12, 0, 5, tzinfo=timezone(timedelta(hours=9)))
    assert add(tmp_path / "m", "past midnight", tokyo) == str(tmp_path / "m/logs/2026/03/2026-03-12.md")
    assert add(tmp_path / "m", "still the 11th", tokyo.astimezone(UTC)).endswith(REL)
    assert (tmp_path / "m" / REL).read_text() == "- 15:05 still the 11th\n"


def test_an_open_last_line_is_closed_first(tmp_path: Path) -> None:
    path = tmp_path / "m" / REL
    path.parent.mkdir(parents=True)
    path.write_bytes(b"- 09:00 by hand")
    add(tmp_path / "m", "next")
    assert path.read_bytes() == b"- 09:00 by hand\n- 12:00 next\n"


def test_concurrent_writers_lose_nothing(tmp_path: Path) -> None:
    root, state = tmp_path / "m", tmp_path / "state"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(root), str(state), f"w{i}"]) for i in range(5)
    ]
    assert [w.wait(60) for w in writers] == [0] * 5
    content = (root / REL).read_bytes()
    wanted = {f"- 12:00 w{i} {n} " + "x" * (n * 97) for i in range(5) for n in range(40)}
    lines = content.decode().splitlines()
    assert len(lines) == 200 and {line.rstrip() for line in lines} == {w.rstrip() for w in wanted}
    for i in range(5):  # each writer's own entries are in their order
        own = [int(line.split()[3]) for line in lines if f" w{i} " in line]
        assert own == sorted(own)
    assert kept_until(content, History(str(state), str(root)).marks(REL)) is None


def test_links_out_are_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "m").mkdir()
    (tmp_path / "m/logs").symlink_to(tmp_path / "out")
    with pytest.raises(RefusedError):
        add(tmp_path / "m", "x")
    (tmp_path / "m/logs").unlink()
    (tmp_path / "m/logs/2026/03").mkdir(parents=True)
    (tmp_path / "m" / REL).symlink_to(tmp_path / "out/x.md")
    with pytest.raises(RefusedError):
        add(tmp_path / "m", "x")
    assert list((tmp_path / "out").iterdir()) == []


def test_history_notices_rewriting_and_can_accept_it(tmp_path: Path) -> None:
    root, state = tmp_path / "m", str(tmp_path / "state")
    add(root, "one")
    add(root, "two")
    history, path = History(state, str(root)), root / REL
    path.write_bytes(path.read_bytes() + b"- 13:00 by the agent\n")
    assert history.observe(REL, path.read_bytes()) and len(history.marks(REL)) == 3
    rewritten = path.read_bytes().replace(b"two", b"TWO")
    assert not history.observe(REL, rewritten) and kept_until(rewritten, history.marks(REL)) == len(
        b"- 12:00 one\n"
    )
    path.write_bytes(rewritten)
    add(root, "three")  # a later append does not cover it up
    assert kept_until(path.read_bytes(), history.marks(REL)) is not None
    history.accept(REL, path.read_bytes())
    assert kept_until(path.read_bytes(), history.marks(REL)) is None and len(history.marks(REL)) == 1


def test_history_is_private_bounded_and_survives_damage(tmp_path: Path) -> None:
    state = tmp_path / "state"
    history = History(str(state), "/m")
    content = b""
    for n in range(260):
        content += b"- 12:00 %d\n" % n
        assert history.observe(REL, content)
    assert len(history.marks(REL)) < 210
    (file,) = (state / "logs").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600 and (state / "logs").stat().st_mode & 0o777 == 0o700
    with file.open("ab") as damaged:
        damaged.write(b'{"size": 12, "sha')
    assert history.observe(REL, content + b"- 13:00 more\n")
    assert kept_until(content + b"- 13:00 more\n", history.marks(REL)) is None
    assert os.fsencode("12:00") not in file.read_bytes()
    assert history.marks("logs/2026/03/2026-03-12.md") == []


def test_what_the_agent_writes_is_observed_from_the_disk(tmp_path: Path) -> None:
    root, state = tmp_path / "m", str(tmp_path / "state")
    path = root / REL
    path.parent.mkdir(parents=True)
    path.write_bytes(b"- 09:00 by the agent\n")
    os.mkfifo(path.with_name("2026-03-12.md"))
    observe_logs(
        str(root),
        [REL, "logs/2026/03/2026-03-12.md", "logs/2026/03/2026-03-13.md", "user.md"],
        state_dir=state,
    )
    history = History(state, str(root))
    assert [m.size for m in history.marks(REL)] == [21]
    assert kept_until(b"- 09:00 by nobody\n", history.marks(REL)) == 0
    assert history.marks("user.md") == [] and history.marks("logs/2026/03/2026-03-12.md") == []
