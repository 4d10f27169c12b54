"""What a check printed is printed again only while nothing has changed that it depended on."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from memdir.cli import check_cache, check_run
from memdir.store import results
from memdir.store.config import user_config_path
from memdir.store.results import Results
from tests.cli.memory_cli import Cli, make_cli

LATER = 60 * 10**9  # the clock of files runs a minute ahead, so that files written just now are settled


def git(repo: Path, *args: str) -> None:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", str(repo), *settings, *args], check=True, capture_output=True)


class World:
    """A repository with a memory; `check` says whether it looked into the files."""

    def __init__(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cli, self.looked = cli, 0
        real = check_run.check_targets

        def counted(*args: object, **more: object) -> object:
            self.looked += 1
            return real(*args, **more)  # type: ignore[arg-type]  # passed on as they come

        monkeypatch.setattr(check_run, "check_targets", counted)

    def check(self, *args: str, **environ: str) -> tuple[int, str, bool]:
        """(exit code, output, whether files were looked into)."""
        before = self.looked
        self.cli.environ = environ
        code = self.cli("check", *args)
        assert self.cli.err == ""
        return code, self.cli.out, self.looked > before


@pytest.fixture
def world(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    cli = make_cli(tmp_path, home)
    (cli.repo / ".git").rmdir()
    (cli.repo / "src").mkdir()
    (cli.repo / "src/app.py").write_text("a = 1\n" * 20)
    git(cli.repo, "init", "-q")
    git(cli.repo, "add", "-A")
    git(cli.repo, "commit", "-q", "-m", "one")
    cli.memory.mkdir(parents=True)
    head = (
        "---\nname: {0}\ndescription: Where the numbers of the import come from\ntype: reference\n---\n{1}\n"
    )
    (cli.memory / "numbers.md").write_text(head.format("numbers", "They are in `src/app.py:12`."))
    (cli.memory / "other.md").write_text(head.format("other", "See [gone](gone.md)."))
    (cli.memory / "MEMORY.md").write_text(
        "- [Numbers](numbers.md) — of the import\n- [Other](other.md) — x\n"
    )
    (cli.repo / "CLAUDE.md").write_text("- Always run the whole linter before a commit.\n")
    monkeypatch.setattr(check_cache, "LEAST", 2)
    return World(_settled(cli, monkeypatch), monkeypatch)


def _settled(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    real = check_cache.Question.settled
    monkeypatch.setattr(check_cache.Question, "settled", lambda self, now: real(self, time.time_ns() + LATER))
    return cli


def test_the_second_run_looks_into_no_file_and_prints_the_same(world: World) -> None:
    first = world.check()
    second = world.check()
    assert (first[2], second[2]) == (True, False)
    assert second[:2] == first[:2]
    assert first[0] == 1
    assert "broken-link" in first[1]
    assert world.check("--exit-zero") == (0, first[1], False)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_each_form_has_its_own_answer(world: World, form: str) -> None:
    first = world.check("--format", form)
    assert world.check("--format", form) == (first[0], first[1], False)
    other = "json" if form == "text" else "text"
    assert world.check("--format", other)[2]


def test_no_cache_looks_into_the_files(world: World) -> None:
    assert world.check()[2]
    assert world.check("--no-cache")[2]
    assert not world.check()[2]


def test_nothing_is_kept_without_a_use_for_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.check("--no-cache")
    assert not (world.cli.state / results.FOLDER).exists()
    monkeypatch.setattr(check_cache, "LEAST", 50)
    world.check()
    assert not (world.cli.state / results.FOLDER).exists()


Change = Callable[[World], object]

CHANGES: dict[str, Change] = {
    "a memory changes": lambda w: (w.cli.memory / "other.md").write_text("---\nname: other\n---\nshort\n"),
    "a memory changes, with its old size and time": lambda w: _same_size_and_time(w.cli.memory / "other.md"),
    "a memory comes": lambda w: (w.cli.memory / "new.md").write_text("x\n"),
    "a memory goes": lambda w: (w.cli.memory / "other.md").unlink(),
    "a memory is renamed": lambda w: (w.cli.memory / "other.md").rename(w.cli.memory / "another.md"),
    "a memory is touched": lambda w: os.utime(w.cli.memory / "other.md", (1_700_000_000, 1_700_000_000)),
    "a link out of the directory comes": lambda w: (w.cli.memory / "out.md").symlink_to(
        w.cli.repo / "CLAUDE.md"
    ),
    "a cited file changes": lambda w: (w.cli.repo / "src/app.py").write_text("a = 1\n"),
    "a cited file goes": lambda w: (w.cli.repo / "src/app.py").unlink(),
    "a commit changes git's times": lambda w: git(w.cli.repo, "commit", "-q", "--allow-empty", "-m", "two"),
    "a branch is changed": lambda w: git(w.cli.repo, "checkout", "-q", "--orphan", "other"),
    "the references are packed and moved on": lambda w: _packed(w.cli.repo),
    "an instruction file changes": lambda w: (w.cli.repo / "CLAUDE.md").write_text(
        "- Never mock the clock at all.\n"
    ),
    "an instruction file comes": lambda w: (w.cli.repo / "CLAUDE.local.md").write_text(
        "- Say what was measured.\n"
    ),
    "settings come": lambda w: (w.cli.repo / "memdir.toml").write_text(
        '[severity]\n"broken-link" = "error"\n'
    ),
    "settings are mistaken": lambda w: (w.cli.repo / "memdir.toml").write_text("nonsense = 1\n"),
    "the person's settings come": lambda w: _write(_user_settings(w), "stale-days = 3\n"),
    "the day changes": lambda w: setattr(w.cli, "now", w.cli.now + timedelta(days=1)),
    "the zone changes": lambda w: setattr(w.cli, "now", w.cli.now.astimezone(timezone(timedelta(hours=5)))),
    "recalls were recorded": lambda w: _recalled(w),
}


def _same_size_and_time(path: Path) -> None:
    info, text = path.stat(), path.read_text()
    path.write_text(text.replace("gone.md", "lost.md"))
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def _packed(repo: Path) -> None:
    git(repo, "commit", "-q", "--allow-empty", "-m", "two")
    git(repo, "pack-refs", "--all")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _user_settings(world: World) -> Path:
    return Path(user_config_path(os.environ, str(world.cli.home)))


def _recalled(world: World) -> None:
    from memdir.store.recalls import records_path

    _write(Path(records_path(str(world.cli.state), str(world.cli.memory))), '{"kind":"offer"}\n')


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_it_depended_on_makes_it_look_again(world: World, change: str) -> None:
    world.check()
    assert not world.check()[2]
    CHANGES[change](world)
    code, out, looked = world.check()
    assert looked
    fresh = world.check("--no-cache")
    assert (code, out) == fresh[:2]
    assert world.check() == (code, out, False)


def test_what_is_chosen_and_how_it_is_shown_are_part_of_the_question(world: World) -> None:
    world.check()
    assert world.check("--select", "broken-link")[2]
    assert world.check("--ignore", "broken-link")[2]
    assert world.check("--now", "2026-03-11T10:00:00+00:00")[2]
    assert world.check(MEMDIR_LANG="zh_CN.UTF-8")[2]
    assert world.check(FORCE_COLOR="1")[2]
    assert world.check(str(world.cli.memory / "other.md"))[2]
    assert not world.check()[2]


def test_changed_program_files_are_another_question(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.check()
    monkeypatch.setattr(check_cache, "_program_files", lambda: "another digest")
    assert world.check()[2]
    monkeypatch.setattr(check_cache, "_program_files", lambda: None)
    assert world.check()[2]
    assert world.check()[2], "program files that can't be looked at are a doubt"


def test_a_file_that_changed_just_now_is_a_doubt(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        check_cache.Question, "settled", lambda self, now: self.newest_ns < now - check_cache.SETTLED_NS
    )
    world.check()
    assert world.check()[2]


def test_a_history_that_cannot_be_told_is_a_doubt(world: World) -> None:
    (world.cli.repo / ".git/shallow").write_text("")
    world.check()
    assert world.check()[2]


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "another format", "no JSON"])
def test_a_damaged_answer_is_none(world: World, damage: str) -> None:
    first = world.check()
    (kept,) = (world.cli.state / results.FOLDER).iterdir()
    data = kept.read_bytes()
    at = len(data) // 2
    kept.write_bytes(
        {
            "cut": data[:at],
            "changed": data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :],
            "empty": b"",
            "another format": b"x" + data,
            "no JSON": data[:-40] + b"?" * 40,
        }[damage]
    )
    assert world.check() == (first[0], first[1], True)
    assert world.check() == (first[0], first[1], False)


def test_a_state_directory_that_cannot_be_written_costs_time_only(world: World) -> None:
    world.cli.state.mkdir(parents=True)
    (world.cli.state / results.FOLDER).write_text("in the way")
    first = world.check()
    assert world.check() == first


def test_fixing_asks_no_old_answer(world: World) -> None:
    world.check()
    world.check()
    assert world.check("--fix")[2]


def test_a_run_that_fails_leaves_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Exception):
        pass

    def fail(*args: object, **more: object) -> None:
        raise Broken

    monkeypatch.setattr(check_run, "check_targets", fail)
    with pytest.raises(Broken):
        world.cli("check")
    assert list((world.cli.state / results.FOLDER).iterdir()) == []


def test_results_are_private_few_and_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Results(str(tmp_path))
    for n in range(results.MAX_FILES + 3):
        draft = kept.draft(f"r{n:02}")
        assert draft is not None
        draft.write(f"text {n} — é\n")
        assert draft.keep({"n": n})
    folder = tmp_path / results.FOLDER
    assert len(list(folder.iterdir())) == results.MAX_FILES
    assert folder.stat().st_mode & 0o777 == 0o700
    last = folder / f"r{results.MAX_FILES + 2:02}"
    assert last.stat().st_mode & 0o777 == 0o600
    assert kept.get(last.name) == (
        {"n": results.MAX_FILES + 2},
        f"text {results.MAX_FILES + 2} — é\n".encode(),
    )
    assert kept.get("unknown") is None
    monkeypatch.setattr(results, "MAX_BYTES", 10)
    for text in ("much too long for that", "\ud800"):
        draft = kept.draft("long")
        assert draft is not None
        draft.write(text)
        assert not draft.keep({})
    assert not (folder / "long").exists()
    assert not list(folder.glob("*.tmp"))
