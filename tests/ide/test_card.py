"""What a card says of past recalls."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.recall_stats import MemoryStats
from memdir.core.rule import Context
from memdir.ide.card import memory_card
from tests.conftest import NOW

TEXT = "---\nname: A\ndescription: What a reader asks\ntype: user\n---\nText.\n"


class Recorded:
    def __init__(self, offered: int, chosen: int) -> None:
        self._stats = MemoryStats(offered, chosen)

    def of(self, rel: str, since: float = 0.0) -> MemoryStats:
        return self._stats if rel == "user_a.md" else MemoryStats()


@pytest.mark.parametrize(
    ("offered", "chosen", "words"),
    [
        (0, 0, None),
        (3, 1, "recalled 1 of 3 times"),
        (25, 0, "never recalled, offered 25 times"),
        (25, 20, "nearly always recalled: 20 of 25 times"),
    ],
)
def test_recalls_in_words(offered: int, chosen: int, words: str | None) -> None:
    document = Document("/m/user_a.md", "user_a.md", TEXT, NOW.timestamp())
    context = replace(Context(Directory("/m", [document]), NOW), recalls=Recorded(offered, chosen))
    shown = str(memory_card(document, context))
    assert (words in shown) if words else ("recalled" not in shown)
