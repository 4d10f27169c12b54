"""`memdir doctor`: what it says, what --fix does, adoption by name, exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memdir.core.slug import legacy_slug, slug
from tests.cli.memory_cli import Cli
from tests.store.layouts import repository


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    return Cli(repository(Path(os.path.realpath(tmp_path)) / "my_app"), home)


def fill(cli: Cli, name: str, **files: str) -> Path:
    memory = cli.home / ".claude/projects" / name / "memory"
    memory.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (memory / f"{file}.md").write_text(text, "utf-8")
    return memory


def test_nothing_to_mend(cli: Cli) -> None:
    fill(cli, slug(str(cli.repo)), a="x\n")
    assert cli("doctor") == 0
    assert "is where its repository's client looks for it" in cli.out
    assert cli("doctor", "--json") == 0
    assert json.loads(cli.out) == []


def test_report_dry_run_fix_and_undo(cli: Cli) -> None:
    old = fill(cli, legacy_slug(str(cli.repo)), MEMORY="- [A](a.md)\n", a="fact\n")
    assert cli("doctor") == 1
    assert "memdir doctor --fix" in cli.out
    assert f"take 2 files into {cli.memory}" in cli.out
    assert cli("doctor", "--dry-run", "--fix") == 1
    assert "rename from" in cli.out
    assert (old / "a.md").exists(), "nothing is written"
    assert cli("doctor", "--fix") == 0
    assert (cli.memory / "a.md").read_text() == "fact\n"
    assert not (old / "a.md").exists()
    assert cli("doctor") == 0
    assert cli("undo", "--all") == 0
    assert (old / "a.md").read_text() == "fact\n"
    assert not (cli.memory / "a.md").exists()


def test_json(cli: Cli) -> None:
    old = fill(cli, legacy_slug(str(cli.repo)), a="fact\n")
    assert cli("doctor", "--json") == 1
    (case,) = json.loads(cli.out)
    message = case.pop("message")
    assert "older client" in message
    assert case == {
        "kind": "underscore",
        "directory": str(old),
        "owner": str(cli.repo),
        "target": str(cli.memory),
        "certain": True,
        "changes": [{"action": "move", "path": str(old / "a.md"), "to": str(cli.memory / "a.md")}],
    }


def test_a_moved_repository_after_an_earlier_visit(cli: Cli) -> None:
    name = slug(str(cli.repo))
    fill(cli, name, a="fact\n")
    assert cli("doctor") == 0
    moved = cli.repo.parent / "elsewhere"
    cli.repo.rename(moved)
    cli.repo = moved
    assert cli("doctor") == 1
    assert "the same first commit" in cli.out
    assert cli("doctor", "--fix") == 0
    assert (cli.memory / "a.md").read_text() == "fact\n"


def test_what_is_not_certain_is_adopted_by_name(cli: Cli) -> None:
    fill(cli, "-gone-my-app", a="fact\n")
    project = cli.home / ".claude/projects/-gone-my-app"
    (project / "s.jsonl").write_text('{"type": "user", "cwd": "/gone/my_app"}\n')
    assert cli("doctor", "--fix") == 1
    assert f"memdir doctor --adopt -gone-my-app {cli.repo}" in cli.out
    assert not cli.memory.exists()
    assert cli("doctor", "--adopt=-gone-my-app", "--dry-run") == 0
    assert not cli.memory.exists()
    assert cli("doctor", "--adopt=-gone-my-app", str(cli.repo)) == 0
    assert (cli.memory / "a.md").read_text() == "fact\n"
    assert cli("doctor", f"--adopt={project}/memory") == 0, "nothing is left to move"
    assert "nothing to change" in cli.out


def test_mistakes(cli: Cli) -> None:
    fill(cli, slug(str(cli.repo)))
    assert cli("doctor", "nowhere") == 2
    assert cli("doctor", "--adopt=none") == 2
    assert "no memory directory none" in cli.err
    assert cli("doctor", f"--adopt={slug(str(cli.repo))}") == 2
    assert "already" in cli.err


def test_collision_and_phantom(cli: Cli) -> None:
    other = repository(cli.repo.parent / "my-app")
    name = slug(str(cli.repo))
    memory = fill(cli, name, a="x\n")
    for i, cwd in enumerate((cli.repo, other)):
        (memory.parent / f"{i}.jsonl").write_text(json.dumps({"cwd": str(cwd)}) + "\n")
    fill(cli, "-nothing-here")
    assert cli("doctor") == 1
    assert "share" in cli.out
    assert "autoMemoryDirectory" in cli.out
    assert "It can be removed by hand." in cli.out
    for path in memory.parent.glob("*.jsonl"):
        path.unlink()
    assert cli("doctor") == 0, "an empty directory is no fault"


def test_chinese(cli: Cli) -> None:
    fill(cli, legacy_slug(str(cli.repo)), a="fact\n")
    assert cli("doctor", MEMDIR_LANG="zh_CN") == 1
    assert "旧版客户端" in cli.out
