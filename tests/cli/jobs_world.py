"""A repository with a small memory and a session, for the tests of the commands of background jobs."""

from __future__ import annotations

from pathlib import Path

from tests.agent.sessions import agent, append, memory_text, person
from tests.cli.memory_cli import Cli, make_cli
from tests.loopback.server import Loopback

WANTED = "Please never use mocks in these tests, we got burned by that"


def jobs_cli(tmp_path: Path, home: Path, loopback: Loopback | None = None) -> Cli:
    """A `Cli` whose repository has two memories, a log and the session `s1`; with the service's key if there is one."""
    cli = make_cli(tmp_path, home)
    (cli.memory / "logs/2026/03").mkdir(parents=True)
    (cli.memory / "MEMORY.md").write_text(
        "- [Freeze](project_freeze.md) — merge freeze\n- [Gone](project_gone.md) — gone since the spring\n"
    )
    text = memory_text(
        "Freeze",
        "Frozen until Thursday.\n\n**Why:** x\n\n**How to apply:** y",
        description="Merge freeze for the release",
    )
    (cli.memory / "project_freeze.md").write_text(
        text.replace("type: project", "type: project\nmodified: 2026-03-04")
    )
    (cli.memory / "logs/2026/03/2026-03-09.md").write_text("- 09:00 Mara owns the release\n")
    append(
        session_of(cli),
        person("Add a test", cwd=str(cli.repo)),
        agent("I add one with a mock."),
        person(WANTED),
        agent("Understood.", usage=12_000),
    )
    if loopback is not None:
        cli.environ |= loopback.environ
    return cli


def session_of(cli: Cli, name: str = "s1") -> Path:
    return cli.memory.parent / f"{name}.jsonl"


def files(cli: Cli) -> dict[str, str]:
    return {str(p.relative_to(cli.memory)): p.read_text() for p in cli.memory.rglob("*.md")}
