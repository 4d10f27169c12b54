"""Hints, lenses, formatting, folds and symbols in a real Neovim, with nothing but its built-in client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.editors.rig import facts, make_sample, need, run

pytestmark = pytest.mark.editor
SCRIPT = Path(__file__).parent / "neovim" / "tending.lua"


def test_neovim(tmp_path: Path) -> None:
    (nvim,) = need("nvim")
    lua = (
        f"local ok, e = xpcall(dofile, debug.traceback, '{SCRIPT}') "
        "if not ok then io.stdout:write(tostring(e)..'\\n') vim.cmd('cquit 1') end"
    )
    sample = make_sample(tmp_path)
    found: dict[str, Any] = facts(run([nvim, "--headless", "--clean", "-n", "-c", f"lua {lua}"], sample))
    freeze = next(label for line, label in found["hints"] if "project_freeze.md" in line)
    assert freeze.endswith("days ago")
    assert found["formatted"] == [
        "# Memory",
        "",
        "- [Freeze](project_freeze.md) — until the cut",
        "",
    ]
    assert found["fold"] >= 1
    assert found["lenses"][0].startswith("last verified ")
    assert "listed in the index" in found["lenses"]
    assert found["modified"] == f"modified: {found['today']}"
    assert found["outline"] == ["Merge freeze", "Why", "How to apply"]
    assert found["found"][0] == "Tide tables"
