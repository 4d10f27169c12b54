"""A session about folding."""

from __future__ import annotations

from tests.lsp.asking import ask
from tests.lsp.conftest import Place, Start
from tests.lsp.profiles import VSCODE

TEXT = "---\nname: A\n---\n# One\n\n<!-- a\nb -->\n\n```\ncode\n```\n"


async def test_folds_are_known_from_the_first_question_on(place: Place, start: Start) -> None:
    place.write("feedback_a.md", TEXT)
    client = await start(VSCODE)
    assert client.server["capabilities"]["foldingRangeProvider"]
    uri = client.open(place.memory / "feedback_a.md")  # editors ask once, right after opening
    assert await ask(client, "foldingRange", uri) == [
        {"startLine": 0, "endLine": 2},
        {"startLine": 3, "endLine": 10},
        {"startLine": 5, "endLine": 6, "kind": "comment"},
        {"startLine": 8, "endLine": 10},
    ]
    client.change(uri, "# One\n- [A](a.md)\n  below\n")
    assert await ask(client, "foldingRange", uri) == [
        {"startLine": 0, "endLine": 2},
        {"startLine": 1, "endLine": 2},
    ]


async def test_a_memory_without_its_repository(place: Place, start: Start) -> None:
    other = place.memory.parent.parent / "-another" / "memory" / "a.md"
    other.parent.mkdir(parents=True)
    other.write_text(TEXT)
    client = await start(VSCODE)
    uri = client.open(other)
    assert len(await ask(client, "foldingRange", uri)) == 4
    assert await ask(client, "foldingRange", client.open(place.repo / "README.md", "# A\n\nx\n")) is None
