"""What of MEMORY.md reaches the model, against the vectors observed in the real client."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memdir.core.document import Document
from memdir.core.index import load
from tests.conftest import DATA

CASES: list[dict[str, Any]] = json.loads((DATA / "index_loading.json").read_text())["cases"]


def build(case: dict[str, Any]) -> str:
    return "".join(
        "".join(part.replace("{i}", str(i)) for i in range(times)) for part, times in case["parts"]
    )


@pytest.mark.parametrize("case", CASES, ids=[c["name"] for c in CASES])
def test_observed_client(case: dict[str, Any]) -> None:
    loaded = load(Document("/m/MEMORY.md", "MEMORY.md", build(case)))
    assert loaded.truncated == case["truncated"]
    if case["loaded_lines"] is not None:
        assert loaded.loaded_lines == case["loaded_lines"]
    if case["loaded_utf16"] is not None:
        assert loaded.loaded_utf16 == case["loaded_utf16"]
    if "ends_with" in case:
        assert loaded.text.endswith(case["ends_with"])
    if "starts_with" in case:
        assert loaded.text.startswith(case["starts_with"])


def index(text: str) -> Document:
    return Document("/m/MEMORY.md", "MEMORY.md", text)


def test_lost_from_names_the_first_lost_line_in_the_source() -> None:
    text = "---\nname: i\n---\n<!-- note\n-->\n" + "".join(f"- [T{i}](t{i}.md) — hook\n" for i in range(203))
    document = index(text)
    loaded = load(document)
    assert loaded.truncated == "lines"
    assert loaded.lost_from is not None
    assert document.lines.line(document.lines.line_of(loaded.lost_from)) == "- [T200](t200.md) — hook"


def test_lost_from_with_carriage_returns_and_nul() -> None:
    text = "\0".join(["a"] * 3) + "\r\n" + "".join(f"- [T{i}](t{i}.md)\r\n" for i in range(210))
    document = index(text)
    loaded = load(document)
    assert "\r" not in loaded.text
    assert "\0" not in loaded.text
    assert loaded.loaded_lines == 200
    assert loaded.lost_from is not None
    assert document.text[loaded.lost_from :].startswith("- [T199](t199.md)")


def test_comment_in_a_fence_and_inline_comment_stay() -> None:
    text = "```\n<!-- kept -->\n```\n- a <!-- inline -->\n\n<!-- gone -->\n"
    assert load(index(text)).text == "```\n<!-- kept -->\n```\n- a <!-- inline -->"


def test_blank_index_loads_nothing() -> None:
    loaded = load(index("\n \n"))
    assert (loaded.text, loaded.lines, loaded.truncated) == ("", 0, None)
