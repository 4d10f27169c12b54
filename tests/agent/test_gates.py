"""When a consolidation is due: the time, the sessions, the lock, in this order, and no more disk than needed."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memdir.agent import gates
from memdir.agent.gates import check_gates
from memdir.core.settings import ConsolidateSettings
from memdir.store.consolidate_lock import NAME
from memdir.store.locate import Location, locate
from tests.store.layouts import bare_repository, environment, session, write_json

SETTINGS = ConsolidateSettings()


@pytest.fixture
def location(tmp_path: Path, home: Path) -> Location:
    repo = bare_repository(Path(os.path.realpath(tmp_path)) / "repo")
    found = locate(str(repo), environment(home))
    Path(found.memory_dir).mkdir(parents=True)
    return locate(str(repo), environment(home))


def sessions(location: Location, count: int, age: float = 60) -> None:
    folder = Path(location.memory_dir).parent
    for n in range(count):
        session(folder, location.owner, f"s{n}", mtime=time.time() - age)


def lock(location: Location, hours: float, content: str = "") -> None:
    path = Path(location.memory_dir) / NAME
    path.write_text(content)
    when = time.time() - hours * 3600
    os.utime(path, (when, when))


def ask(location: Location, tmp_path: Path, *, minutes: float = 0, **options: Any) -> gates.Gate:
    now = datetime.now(UTC) + timedelta(minutes=minutes)
    return check_gates(
        location, options.pop("settings", SETTINGS), now=now, state_dir=str(tmp_path / "state"), **options
    )


def test_due(location: Location, tmp_path: Path) -> None:
    sessions(location, 5)
    found = ask(location, tmp_path)
    assert (found.due, found.sessions, found.last) == (True, 5, None)
    lock(location, 25)
    found = ask(location, tmp_path, minutes=11)
    assert found.due and str(found.why) == "Due; sessions since the last time: 5."


def test_the_time_comes_first_and_costs_no_scan(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gates, "find_sessions", lambda *a, **k: pytest.fail("the session folders were read"))
    lock(location, 23)
    assert str(ask(location, tmp_path).why) == "Consolidated 23.0 hours ago; due after 24."


def test_sessions_before_the_last_time_and_the_running_one_do_not_count(
    location: Location, tmp_path: Path
) -> None:
    sessions(location, 6)
    lock(location, 25)
    folder = Path(location.memory_dir).parent
    for n in (0, 1):
        os.utime(folder / f"s{n}.jsonl", (time.time() - 26 * 3600,) * 2)
    found = ask(location, tmp_path, session="s5")
    assert (found.due, found.sessions, str(found.why)) == (
        False,
        3,
        "Sessions since the last time: 3; due from 5.",
    )


def test_sessions_are_counted_once_in_ten_minutes(location: Location, tmp_path: Path) -> None:
    sessions(location, 2)
    assert ask(location, tmp_path).sessions == 2
    sessions(location, 5)
    found = ask(location, tmp_path, minutes=9)
    assert (found.due, found.sessions) == (False, None) and "ten minutes" in str(found.why)
    assert ask(location, tmp_path, minutes=10.5).due
    assert ask(location, tmp_path, minutes=-200).sessions == 5, (
        "a clock that was set back does not block for ever"
    )


@pytest.mark.parametrize("hours", [0, 24])
def test_a_living_holder(hours: float, location: Location, tmp_path: Path) -> None:
    sessions(location, 5, age=-2)
    lock(location, 0, str(os.getpid()))
    settings = ConsolidateSettings(hours=hours)
    assert (
        str(ask(location, tmp_path, settings=settings).why)
        == f"Process {os.getpid()} is consolidating these memories."
    )


def test_settings_decide(location: Location, tmp_path: Path) -> None:
    lock(location, 2)
    assert ask(location, tmp_path, settings=ConsolidateSettings(hours=1, sessions=0)).due


def test_nothing_there_yet(tmp_path: Path, home: Path) -> None:
    found = locate(str(bare_repository(tmp_path / "repo")), environment(home))
    assert str(ask(found, tmp_path).why) == "There are no memories yet."


def test_off(location: Location, tmp_path: Path, home: Path) -> None:
    sessions(location, 5)
    off = locate(location.path, environment(home, CLAUDE_CODE_DISABLE_AUTO_MEMORY="1"))
    found = ask(off, tmp_path)
    assert (
        not found.due
        and str(found.why)
        == "Memory is off here: CLAUDE_CODE_DISABLE_AUTO_MEMORY decides (it switches memory off)."
    )


def test_settings_that_can_not_be_read(location: Location, tmp_path: Path, home: Path) -> None:
    sessions(location, 5)
    write_json(home / ".claude/settings.json", "{ not json")
    found = ask(locate(location.path, environment(home)), tmp_path)
    assert not found.due and str(found.why).startswith("A settings file can't be used")
