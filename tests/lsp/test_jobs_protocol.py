"""The page about the jobs names every command, the right hash, and each command has its function."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import re
from pathlib import Path

from memdir.lsp import ext_jobs, ext_review, ext_team
from memdir.lsp.handlers.jobs import COMMANDS

PAGE = Path(__file__).parents[2] / "docs" / "protocol-jobs.md"
SOURCE = "".join(Path(m.__file__).read_text() for m in (ext_jobs, ext_review, ext_team))


def test_the_page_was_read_again_when_the_messages_changed() -> None:
    digest = hashlib.sha256(SOURCE.encode()).hexdigest()[:16]
    assert f"<!-- messages: {digest} -->" in PAGE.read_text(), (
        f"look at docs/protocol-jobs.md, then write {digest} into it"
    )


def test_every_command_and_answer_is_on_the_page() -> None:
    page = PAGE.read_text()
    names = [ext_jobs.COMMAND_PREFIX + n for n in re.findall(r'COMMAND_PREFIX \+ "(\w+)"', SOURCE)]
    assert len(names) >= 30
    assert [n for n in names if f"`{n}`" not in page] == []
    assert f"`{ext_jobs.JOBS_CHANGED}`" in page


def test_every_command_is_carried_out_by_a_function() -> None:
    names = {ext_jobs.COMMAND_PREFIX + n for n in re.findall(r'COMMAND_PREFIX \+ "(\w+)"', SOURCE)}
    assert set(COMMANDS) == names
    for module, function in COMMANDS.values():
        work = getattr(importlib.import_module(f"memdir.lsp.jobs.{module}"), function)
        assert inspect.iscoroutinefunction(work)
        assert list(inspect.signature(work).parameters) == ["server", "given"]
