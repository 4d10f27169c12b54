"""`description-weak`: from records only, with a fresh start after a change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memdir.agent.records import RecallRecords
from memdir.core.recall_stats import MemoryStats
from memdir.store.recalls import Recalled as FromDisk
from tests.agent.test_records import recall
from tests.rules.world import NOW, Recalled, lint, marked, world

TEXT = "---\nname: Kestrel\ndescription: Background on Kestrel\ntype: project\n---\nText.\n"


@pytest.mark.parametrize(
    ("offered", "chosen", "part"),
    [
        (40, 0, "Considered in 40 recalls and never chosen."),
        (20, 0, "Considered in 20 recalls"),
        (19, 0, None),
        (40, 1, None),
        (40, 19, None),
        (40, 20, "Chosen in 20 of 40 recalls"),
        (10, 10, None),
    ],
)
def test_never_and_always(offered: int, chosen: int, part: str | None) -> None:
    context = replace(world({"a.md": TEXT}), recalls=Recalled({"a.md": MemoryStats(offered, chosen)}))
    found = lint(context, "description-weak")
    assert [part is not None and str(d.message).startswith(part) for d in found] == [True] * (
        part is not None
    )
    if found:
        assert marked(context, found[0]) == "Background on Kestrel"


def test_without_records_or_description_nothing_is_said() -> None:
    assert lint(world({"a.md": TEXT}), "description-weak") == []
    bare = world({"a.md": "---\nname: Kestrel\n---\n"})
    assert lint(replace(bare, recalls=Recalled({"a.md": MemoryStats(40, 0)})), "description-weak") == []


def test_recalls_before_the_last_change_do_not_count(tmp_path: Path) -> None:
    records = RecallRecords(str(tmp_path / "state"), "/memory")
    for _ in range(25):
        records.add(recall(offered=("a.md",)), now=NOW)
    history = FromDisk(str(tmp_path / "state"), "/memory")
    before = replace(world({"a.md": TEXT}, written="2026-01-01"), recalls=history)
    assert len(lint(before, "description-weak")) == 1
    after = replace(world({"a.md": TEXT}, written="2026-04-01"), recalls=history)
    assert lint(after, "description-weak") == []
