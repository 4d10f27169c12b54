"""From settings to a transport, where tokens are kept, and the watcher's rhythm."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memdir.core.i18n import msg
from memdir.core.settings import Settings, TeamSettings
from memdir.store.environment import Environment
from memdir.store.errors import LockedError, RefusedError
from memdir.store.locate import Location, locate
from memdir.team.credentials import EnvironmentTokens, FileTokens, KeyringTokens, find_token, person_store
from memdir.team.engine import TeamSync
from memdir.team.gitsync import GitTeam
from memdir.team.loop import TeamLoop
from memdir.team.report import Report
from memdir.team.setup import Off, check, open_team, repository_name
from tests.team.served import NOW

URL = "https://team.example"


def location(tmp_path: Path, *, config: str | None = None, **environ: str) -> Location:
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True, exist_ok=True)
    if config is not None:
        (repo / ".git" / "config").write_text(config)
    return locate(
        str(repo), Environment({"CLAUDE_CONFIG_DIR": str(tmp_path / ".claude"), **environ}, str(tmp_path))
    )


def settings(**team: object) -> Settings:
    return Settings(team=TeamSettings(**team))  # type: ignore[arg-type]  # a test's own values


ORIGIN = '[core]\n\tbare = false\n[remote "other"]\n\turl = https://x/y\n[remote "origin"]\n\tfetch = +refs\n\turl = git@github.com:Acme/App.git\n[branch "main"]\n'


def test_off_unless_opted_in_and_memory_on(tmp_path: Path) -> None:
    here = location(tmp_path)
    assert not check(here, settings()).broken  # type: ignore[union-attr]  # off, which is fine
    assert check(here, settings(transport="service")) is None
    off = check(location(tmp_path, CLAUDE_CODE_DISABLE_AUTO_MEMORY="1"), settings(transport="service"))
    assert off is not None and not off.broken
    assert check(replace(here, is_repository=False), settings(transport="git")).broken  # type: ignore[union-attr]  # wanted


@pytest.mark.parametrize(
    ("config", "name"),
    [(ORIGIN, "github.com/acme/app"), ('[remote "up"]\nurl = https://h/x\n', None), ("", None), (ORIGIN.replace("git@github.com:Acme/App.git", "/srv/x"), None)],
)  # fmt: skip
def test_name_from_the_remote(tmp_path: Path, config: str, name: str | None) -> None:
    here = location(tmp_path, config=config)
    assert repository_name(here, settings()) == name
    assert repository_name(here, settings(repository="own/name")) == "own/name"


def _open(tmp_path: Path, token: str | None = None, environ: dict[str, str] | None = None, **team: object):  # type: ignore[no-untyped-def]  # either form
    here = location(tmp_path, config=ORIGIN)
    return open_team(
        here,
        settings(**team),
        environ=environ or {},
        state_dir=str(tmp_path / "state"),
        config_dir=str(tmp_path / "conf"),
        now=lambda: NOW,
        token=token,
    )


def test_transports_and_what_they_lack(tmp_path: Path) -> None:
    assert isinstance(_open(tmp_path), Off)
    assert isinstance(_open(tmp_path, transport="git"), GitTeam)
    for team in (
        {"url": ""},
        {"url": URL},
        {"url": "http://far.example"},
        {"url": URL, "repository": "Bad Name"},
    ):
        token = None if team == {"url": URL} else "tok"
        found = _open(tmp_path, token, transport="service", **team)
        assert isinstance(found, Off) and found.broken, team
    found = _open(tmp_path, "tok", transport="service", url=URL + "/")
    assert (
        isinstance(found, TeamSync)
        and found.client.repository == "github.com/acme/app"
        and found.client.url == URL
    )


def test_a_token_belongs_to_one_address(tmp_path: Path) -> None:
    folder = str(tmp_path / "conf")
    store = FileTokens(folder)
    assert store.get(URL) is None
    store.set(URL, "secret-1")
    store.set("https://other.example", "secret-2")
    assert find_token(URL, {}, folder) == "secret-1"
    assert find_token("https://evil.example", {}, folder) is None
    assert find_token(URL, {}, folder, given="editor's") == "editor's"
    path = Path(folder) / "team-tokens.json"
    assert path.stat().st_mode & 0o777 == 0o600 and Path(folder).stat().st_mode & 0o077 == 0
    store.set(URL, None)
    assert store.get(URL) is None and json.loads(path.read_text()) == {"https://other.example": "secret-2"}
    path.chmod(0o640)
    with pytest.raises(RefusedError, match="chmod 600"):
        store.get(URL)
    path.chmod(0o600)
    path.write_text("{")
    with pytest.raises(RefusedError):
        store.get(URL)


def test_the_environment_names_its_address(tmp_path: Path) -> None:
    environ = {"MEMDIR_TEAM_TOKEN": "ci", "MEMDIR_TEAM_URL": URL + "/"}
    assert find_token(URL, environ, str(tmp_path)) == "ci"
    assert find_token("https://evil.example", environ, str(tmp_path)) is None
    assert find_token(URL, {"MEMDIR_TEAM_TOKEN": "ci"}, str(tmp_path)) is None
    with pytest.raises(RefusedError):
        EnvironmentTokens(environ).set(URL, "x")


def test_keyring_when_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[tuple[str, str], str] = {}
    ring = types.ModuleType("keyring")
    ring.get_keyring = lambda: types.SimpleNamespace(priority=5)  # type: ignore[attr-defined]  # a stand-in module
    ring.get_password = lambda s, u: kept.get((s, u))  # type: ignore[attr-defined]
    ring.set_password = lambda s, u, p: kept.__setitem__((s, u), p)  # type: ignore[attr-defined]
    ring.delete_password = lambda s, u: kept.pop((s, u))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", ring)
    store = person_store(str(tmp_path))
    assert isinstance(store, KeyringTokens)
    store.set(URL, "t")
    assert find_token(URL, {}, str(tmp_path)) == "t" and not os.listdir(tmp_path)
    store.set(URL, None)
    store.set(URL, None)
    assert not kept
    ring.get_keyring = lambda: types.SimpleNamespace(priority=0)  # type: ignore[attr-defined]
    assert isinstance(person_store(str(tmp_path)), FileTokens)
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert isinstance(person_store(str(tmp_path)), FileTokens)


class Scripted:
    """A transport that answers from a list and notes how it was called."""

    root = "/"

    def __init__(self, *reports: Report | Exception) -> None:
        self.reports, self.calls = list(reports), list[bool]()

    def sync(self, *, force: bool = False) -> Report:
        self.calls.append(force)
        answer = self.reports.pop(0) if self.reports else Report()
        if isinstance(answer, Exception):
            raise answer
        return answer


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.002)


async def _run(loop: TeamLoop, work: Callable[[], object]) -> None:
    task = asyncio.create_task(loop.run())
    try:
        await work()  # type: ignore[misc]  # an async function
    finally:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_runs_at_the_start_and_at_intervals() -> None:
    transport, seen = Scripted(), list[Report]()
    loop = TeamLoop(transport, seen.append, interval=0.01)  # type: ignore[arg-type]  # only sync is used
    await _run(loop, lambda: _until(lambda: len(seen) >= 3))
    assert not any(transport.calls)


async def test_a_burst_of_changes_is_one_run_after_a_quiet_moment() -> None:
    transport, seen = Scripted(), list[Report]()
    loop = TeamLoop(transport, seen.append, interval=60, quiet=0.1)  # type: ignore[arg-type]

    async def work() -> None:
        await _until(lambda: len(seen) == 1)
        for _ in range(10):
            loop.changed()
            await asyncio.sleep(0.005)
        assert len(seen) == 1  # still noisy
        await _until(lambda: len(seen) == 2)
        await asyncio.sleep(0.15)
        assert len(seen) == 2

    await _run(loop, work)


async def test_a_person_does_not_wait() -> None:
    transport, seen = Scripted(), list[Report]()
    loop = TeamLoop(transport, seen.append, interval=60, quiet=30)  # type: ignore[arg-type]

    async def work() -> None:
        await _until(lambda: len(seen) == 1)
        loop.changed()
        await asyncio.sleep(0)
        loop.now()
        await _until(lambda: len(seen) == 2)

    await _run(loop, work)
    assert transport.calls == [False, True]


async def test_failures_shorten_the_pause_and_errors_end_nothing() -> None:
    transport = Scripted(
        Report("waiting", wait=0.01), LockedError(msg("held")), OSError(28, "full"), Report()
    )
    seen: list[Report] = []
    loop = TeamLoop(transport, seen.append, interval=60, quiet=0.001)  # type: ignore[arg-type]
    await _run(loop, lambda: _until(lambda: len(seen) >= 4))
    assert [r.outcome for r in seen[:4]] == ["waiting", "waiting", "waiting", "ok"]
    assert "full" in str(seen[2].message)
