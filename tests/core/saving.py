"""A directory to save into, and its files afterwards."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from memdir.core.changes import project
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.model import ChangeSet
from memdir.core.rule import Context
from memdir.core.save import SavePlan, SaveRequest, plan_save
from memdir.core.settings import Settings
from tests.conftest import NOW

BODY = (
    "Use the container.\n\n**Why:** mocks hid a broken default.\n\n**How to apply:** every test that writes."
)


def memory(name: str, description: str, type_: str, body: str = "Text.") -> str:
    return f"---\nname: {name}\ndescription: {description}\ntype: {type_}\n---\n\n{body}\n"


DB = memory(
    "Real database", "Integration tests must hit a real PostgreSQL, burned by mocks", "feedback", BODY
)
TRACKER = memory("Tracker", "Faults of the import are in Linear, project TIDE", "reference")
INDEX = "# Memory\n\n## Feedback\n- [Real database](feedback_db.md) — Integration tests must hit a real PostgreSQL, burned by mocks\n\n## References\n- [Tracker](reference_tracker.md) — where import faults are\n"
FILES = {"MEMORY.md": INDEX, "feedback_db.md": DB, "reference_tracker.md": TRACKER}


def context(files: dict[str, str], settings: Settings | None = None) -> Context:
    documents = [
        Document(f"/m/{rel}", rel, text, (NOW - timedelta(days=i)).timestamp())
        for i, (rel, text) in enumerate(files.items())
    ]
    return Context(Directory("/m", documents), NOW, settings or Settings())


def after(changes: ChangeSet, files: dict[str, str]) -> dict[str, str]:
    """Files as they are once `changes` is applied; fails on any clash."""
    present = {f"/m/{rel}": text.encode() for rel, text in files.items()}
    outcomes, clashes = project(changes, present.get)
    assert clashes == ()
    for outcome in outcomes:
        if outcome.after is None:
            del present[outcome.path]
        else:
            present[outcome.path] = outcome.after
    return {path.removeprefix("/m/"): content.decode() for path, content in present.items()}


def save(
    files: dict[str, str], *, team: bool = False, settings: Settings | None = None, **request: Any
) -> tuple[SavePlan, dict[str, str]]:
    plan = plan_save(context(files, settings), SaveRequest(**request), team=team)
    return plan, after(plan.change_set, files)
