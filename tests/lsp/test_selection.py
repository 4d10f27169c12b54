"""A session about selection ranges."""

from __future__ import annotations

from typing import Any

from tests.lsp.asking import ask, known, place_of
from tests.lsp.conftest import Place, Start
from tests.lsp.edits import offset as index_of
from tests.lsp.profiles import VSCODE

TEXT = "---\nname: A\n---\n# 船🚢\n\nSee [[feedback_b]] now.\n\n## More\nx\n"


async def test_each_selection_lies_in_the_next(place: Place, start: Start) -> None:
    place.write("feedback_a.md", TEXT)
    client = await start(VSCODE)
    assert client.server["capabilities"]["selectionRangeProvider"]
    await known(client, 1)
    uri = client.open(place.memory / "feedback_a.md")
    positions = [place_of(TEXT, "feedback_b", 3), place_of(TEXT, "🚢", 1), place_of(TEXT, "name")]
    chains: list[Any] = await ask(client, "selectionRange", uri, positions=positions)
    taken = []
    for chain, position in zip(chains, positions, strict=True):
        steps = []
        while chain is not None:
            start_, end = (index_of(TEXT, chain["range"][side], "utf-16") for side in ("start", "end"))
            assert start_ <= index_of(TEXT, position, "utf-16") <= end
            steps.append(TEXT[start_:end])
            chain = chain.get("parent")
        taken.append(steps)
    first, second, third = taken
    assert first == [
        "feedback_b",
        "[[feedback_b]]",
        "See [[feedback_b]] now.",
        TEXT[TEXT.index("See") : -1],
        TEXT[TEXT.index("#") : -1],
        TEXT,
    ]
    assert second[-3:] == ["# 船🚢", TEXT[TEXT.index("#") : -1], TEXT]
    assert third == ["name", "name: A", "---\nname: A\n---", TEXT]
    assert await ask(client, "selectionRange", "file:///elsewhere.md", positions=positions) is None
