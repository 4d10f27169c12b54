"""What a workspace knows beside its documents."""

from __future__ import annotations

from pathlib import Path

from memdir.store.environment import Environment
from memdir.store.workspace import open_workspace


def test_an_index_that_the_instructions_import_is_no_instruction(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    memory = repo / "memory"
    memory.mkdir(parents=True)
    (repo / ".git").mkdir()
    (memory / "MEMORY.md").write_text("- [Freeze](freeze.md) — merging is frozen for the mobile release\n")
    (repo / "CLAUDE.md").write_text("- Memory: @memory/MEMORY.md\n- Always run the whole linter first.\n")
    environment = Environment({"HOME": str(tmp_path)}, str(tmp_path))
    workspace = open_workspace(str(repo), environment, memory_dir=str(memory))
    files = {statement.path for statement in workspace.instructions.statements}
    assert files == {str(repo / "CLAUDE.md")}
