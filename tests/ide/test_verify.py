"""What became of the places that a memory cites."""

from __future__ import annotations

from memdir.ide.verify import verify_citations
from tests.ide.marks import World, memory

LINES = [f"line {i}" for i in range(1, 21)]


def report(body: str, extra: str = "modified: 2026-02-10\n", **others: str) -> dict[str, list[str]]:
    repo = {
        "src/app.py": (LINES, "2026-02-01"),
        "src/new.py": (LINES, "2026-02-20"),
        "src/same.py": (LINES, "2026-02-10"),
    }
    world = World({"a.md": memory("A", body, extra=extra), **others}, repo)
    document = world.directory.get("a.md")
    assert document is not None
    found = verify_citations(document, world.context)
    parts = {"holds": found.holds, "changed": found.changed, "broken": found.broken, "unknown": found.unknown}
    return {name: [document.slice(c.span) for c in part] for name, part in parts.items() if part}


def test_lines() -> None:
    body = "`src/app.py:2`, `src/app.py:19-21`, `src/new.py:3`, `src/same.py:3`, `src/gone.py:1`"
    assert report(body) == {
        "holds": ["src/app.py:2", "src/same.py:3"],
        "changed": ["src/new.py:3"],
        "broken": ["src/app.py:19-21", "src/gone.py:1"],
    }


def test_files_without_a_line_hold_while_they_are_there() -> None:
    assert report("`src/new.py`, `src/gone.py`") == {"holds": ["src/new.py"], "broken": ["src/gone.py"]}


def test_other_memories_are_no_places_of_the_repository() -> None:
    assert report("`b.md`, `sub/b.md`", **{"b.md": "x"}) == {"broken": ["sub/b.md"]}


def test_without_a_history_nothing_is_claimed() -> None:
    world = World({"a.md": memory("A", "`src/app.py:2`")}, {"src/app.py": (LINES, "")})
    document = world.directory.get("a.md")
    assert document is not None
    world.context.project.changed_at = lambda path: None  # type: ignore[method-assign]  # git knows nothing
    assert [c.path for c in verify_citations(document, world.context).unknown] == ["src/app.py"]


def test_a_memory_that_cites_nothing() -> None:
    assert report("Nothing.") == {}
