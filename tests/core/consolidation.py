"""Directories to consolidate, and what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memdir.core.consolidate import Consolidation, consolidate
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.rule import Context
from memdir.core.settings import DEFAULTS
from tests.conftest import NOW

ROOT = "/m"
LONG = "the collector of the operations team drops every line that is free text, which was found out the hard way when an alarm stayed silent for nine days in a row, so that nobody looked"


def memory(name: str, body: str, *, type: str = "project", description: str = "", **header: str) -> str:
    extra = "".join(f"{k}: {v}\n" for k, v in header.items())
    return f"---\nname: {name}\ndescription: {description or 'What there is to know about ' + name}\ntype: {type}\n{extra}---\n{body}\n"


def context_of(files: dict[str, str], **changes: Any) -> Context:
    base = NOW.timestamp() - 86_400
    documents = [
        Document(f"{ROOT}/{rel}", rel, text.encode(), base + n) for n, (rel, text) in enumerate(files.items())
    ]
    return Context(Directory(ROOT, documents), NOW, replace(DEFAULTS, **changes))


def result(context: Context, found: Consolidation) -> dict[str, str]:
    """Files after the consolidation."""
    files = {d.rel: d.text for d in context.directory}
    for outcome in found.outcomes:
        rel = outcome.path.removeprefix(ROOT + "/")
        assert outcome.reasons, f"{rel} has no reason"
        if outcome.after is None:
            del files[rel]
        else:
            files[rel] = outcome.after.decode()
    return files


def run(files: dict[str, str], **changes: Any) -> tuple[dict[str, str], Consolidation]:
    context = context_of(files, **changes)
    found = consolidate(context)
    return result(context, found), found


def reasons(found: Consolidation) -> dict[str, list[str]]:
    return {o.path.removeprefix(ROOT + "/"): [str(r) for r in o.reasons] for o in found.outcomes}


NEAR = "Integration tests run against PostgreSQL in a container and never against mocks, because mocked tests passed while the migration failed; the container is thrown away after each run and started anew with the data of a small port"


def near(more: str = "") -> dict[str, str]:
    return {
        "MEMORY.md": "- [Real DB](feedback_db.md) — real database\n- [Tests](feedback_tests.md) — tests\n",
        "feedback_db.md": memory(
            "Real DB",
            f"{NEAR}.\n\n**Why:** Burned in the autumn.",
            type="feedback",
            description="Integration tests hit a real PostgreSQL",
        ),
        "feedback_tests.md": memory(
            "Tests",
            f"{NEAR}.\n\n**How to apply:** Use the fixture of the test suite.{more}",
            type="feedback",
            description="Integration tests hit a real PostgreSQL",
        ),
    }


LOG = "# 2026-03-09\n\n- 09:12 Mara wants the freeze until tomorrow\n  because of the release\n- 10:00 The queue holds 50 ports\n"
