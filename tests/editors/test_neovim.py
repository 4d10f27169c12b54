"""The server in a real Neovim: today's with its built-in configuration, and the old one that Debian ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.rig import facts, make_sample, need, run

pytestmark = pytest.mark.editor
SCRIPTS = Path(__file__).parent / "neovim"


def _session(nvim: str, script: str, tmp_path: Path) -> tuple[dict[str, object], str]:
    sample = make_sample(tmp_path)
    lua = (
        f"local ok, e = xpcall(dofile, debug.traceback, '{SCRIPTS / script}') "
        "if not ok then io.stdout:write(tostring(e)..'\\n') vim.cmd('cquit 1') end"
    )
    found = facts(run([nvim, "--headless", "--clean", "-n", "-c", f"lua {lua}"], sample))
    return found, (sample.memory / "project_freeze.md").read_text("utf-8")


def test_neovim(tmp_path: Path) -> None:
    (nvim,) = need("nvim")
    found, text = _session(nvim, "session.lua", tmp_path)
    assert "relative-date" in found["rules"]  # type: ignore[operator]  # a list, as the script writes it
    assert "2026-03-03" in str(found["line"])
    assert "yesterday" not in text
    assert "2026-03-03" in text
    assert int(str(found["elsewhere"])) > 0  # files that no buffer holds are checked too
    assert found["stopped"] is True


def test_old_neovim(tmp_path: Path) -> None:
    (nvim,) = need("nvimOld")
    found, _ = _session(nvim, "session_old.lua", tmp_path)
    assert "2026-03-03" in str(found["title"])
    assert "2026-03-03" in str(found["line"])
