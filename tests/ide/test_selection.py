"""Selection ranges: what a growing selection takes in, step by step."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.model import Span
from memdir.ide.selection import selections
from tests.ide.marks import World


def steps(rel: str, source: str, **others: str) -> list[str]:
    """What is selected, from the smallest to the whole file."""
    world = World({rel: source, **others})
    found = selections(world.document, world.directory, world.cursor)
    return [world.document.slice(span) for span in found]


def test_a_word_in_a_memory() -> None:
    source = "---\nname: A\n---\n# Berths\n\n**Why:** Ships wa$0ited. Nobody knew.\nOn the next line.\n\n## More\nx\n"
    assert steps("project_a.md", source) == [
        "waited",
        "Ships waited.",
        "Ships waited. Nobody knew.",
        "**Why:** Ships waited. Nobody knew.",
        "**Why:** Ships waited. Nobody knew.\nOn the next line.",
        "**Why:** Ships waited. Nobody knew.\nOn the next line.\n\n## More\nx",
        "# Berths\n\n**Why:** Ships waited. Nobody knew.\nOn the next line.\n\n## More\nx",
        source.replace("$0", ""),
    ]


def test_an_entry_of_an_index() -> None:
    source = "# Memory\n\n- [Real data]($0a.md) — tests hit a database\n  below\n- [B](b.md) — x\n\nText\n"
    assert steps("MEMORY.md", source) == [
        "a",
        "a.md",
        "[Real data](a.md)",
        "[Real data](a.md) — tests hit a database",
        "- [Real data](a.md) — tests hit a database",
        "- [Real data](a.md) — tests hit a database\n  below",
        "- [Real data](a.md) — tests hit a database\n  below\n- [B](b.md) — x",
        "- [Real data](a.md) — tests hit a database\n  below\n- [B](b.md) — x\n\nText",
        "# Memory\n\n- [Real data](a.md) — tests hit a database\n  below\n- [B](b.md) — x\n\nText",
        source.replace("$0", ""),
    ]
    assert steps("MEMORY.md", "- [Real da$0ta](a.md) — x\n")[:3] == ["data", "Real data", "[Real data](a.md)"]
    assert steps("MEMORY.md", "- [A](a.md) — tests hit$0 it\n")[:3] == [
        "hit",
        "tests hit it",
        "[A](a.md) — tests hit it",
    ]


def test_the_header() -> None:
    source = '---\nname: "Real da$0ta"\nmetadata:\n  type: project\n---\nBody\n'
    assert steps("project_a.md", source) == [
        "data",
        "Real data",
        '"Real data"',
        'name: "Real data"',
        'name: "Real data"\nmetadata:\n  type: project',
        '---\nname: "Real data"\nmetadata:\n  type: project\n---',
        source.replace("$0", ""),
    ]
    nested = steps("project_a.md", "---\nname: x\nmetadata:\n  type: pro$0ject\n---\nBody\n")
    assert nested[:4] == ["project", "type: project", "  type: project", "metadata:\n  type: project"]


def test_links_wikilinks_and_code() -> None:
    assert steps("a.md", "See [[real-$0db|the db]] now.\n")[:4] == [
        "real-db",
        "real-db|the db",
        "[[real-db|the db]]",
        "See [[real-db|the db]] now.",
    ]
    assert steps("a.md", "Run `make te$0st` now.\n")[:3] == ["test", "make test", "`make test`"]
    fence = steps("a.md", "Text\n\n```sh\nmake te$0st\nmake all\n```\n")
    assert fence[:4] == ["test", "make test", "make test\nmake all\n", "```sh\nmake test\nmake all\n```"]


def test_nested_items() -> None:
    source = "- one\n  - two\n    - thr$0ee\n      more\n  - four\n- five\n"
    assert steps("a.md", source)[1:5] == [
        "- three",
        "- three\n      more",
        "- two\n    - three\n      more",
        "- one\n  - two\n    - three\n      more\n  - four",
    ]


def test_sentences_in_chinese() -> None:
    assert steps("a.md", "评审意见先说结论。昨天约$0定了。\n")[:3] == [
        "昨天约定了",
        "昨天约定了。",
        "评审意见先说结论。昨天约定了。",
    ]


def test_empty_places() -> None:
    assert steps("a.md", "$0") == [""]
    assert steps("a.md", "one\n$0\ntwo\n") == ["one\n\ntwo", "one\n\ntwo\n"]
    assert steps("a.md", "---\n$0\n---\n")[-1] == "---\n\n---\n"


@given(
    st.text(alphabet="-*#`[]()ab. :\n\r\t<>!|1\"'é你🌲", max_size=200),
    st.sampled_from(["MEMORY.md", "a.md", "logs/2026/03/2026-03-10.md"]),
    st.integers(0, 200),
)
def test_any_place_of_any_text_gives_a_chain(text: str, rel: str, offset: int) -> None:
    document = Document(f"/m/{rel}", rel, text)
    offset = min(offset, len(document.text))
    found = selections(document, Directory("/m", [document]), offset)
    assert found[-1] == Span(0, len(document.text))
    assert len(found) == len(set(found))
    for inner, outer in pairwise(found):
        assert outer.start <= inner.start and inner.end <= outer.end
    assert all(span.touches(offset) for span in found)
