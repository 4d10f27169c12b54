"""The server in a real Emacs with eglot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.editors.rig import facts, make_sample, need, run

pytestmark = pytest.mark.editor


def test_eglot(tmp_path: Path) -> None:
    (emacs,) = need("emacs")
    sample = make_sample(tmp_path)
    script = Path(__file__).parent / "emacs" / "session.el"
    found = facts(run([emacs, "-Q", "--batch", "-l", str(script)], sample))
    assert "2026-03-03" in str(found["line"])
    assert found["left"] == 0
    text = (sample.memory / "project_freeze.md").read_text("utf-8")
    assert "2026-03-03" in text
    assert "yesterday" not in text
