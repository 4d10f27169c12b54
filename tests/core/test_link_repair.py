"""Dead links, and what they may mean now."""

from __future__ import annotations

import pytest

from memdir.core.link_repair import dead_target, renamed
from memdir.core.model import Safety
from tests.rules.world import Repo, applied, lint, world

HEAD = "---\nname: {}\ndescription: about {} and what it needs\ntype: reference\n---\nx\n"


def titles(files: dict[str, str], rule: str) -> list[tuple[str, bool]]:
    (diagnostic,) = lint(world(files), rule)
    return [(str(f.title), f.safety is Safety.SAFE) for f in diagnostic.fixes]


def test_the_renamed_memory_comes_first() -> None:
    files = {"MEMORY.md": "- [T](reference_trackers.md) — x\n", "reference_tracker.md": HEAD.format("T", "T")}
    assert titles(files, "index-broken-link") == [
        ("Point to reference_tracker.md", False),
        ("Remove this entry", False),
    ]


@pytest.mark.parametrize(
    "there", ["reference-tracker.md", "Reference_Tracker.md", "sub/reference_tracker.md"]
)
def test_a_name_that_differs_in_form_only_is_certain(there: str) -> None:
    files = {"MEMORY.md": "- [T](reference_tracker.md) — x\n", there: HEAD.format("T", "T")}
    assert titles(files, "index-broken-link")[0] == (f"Point to {there}", True)


def test_a_changed_type_prefix_is_seen_through() -> None:
    files = {"MEMORY.md": "- [T](project_tracker.md) — x\n", "reference_tracker.md": HEAD.format("T", "T")}
    assert titles(files, "index-broken-link")[0] == ("Point to reference_tracker.md", False)


def test_a_memory_that_is_listed_is_no_candidate_while_others_are_not() -> None:
    files = {
        "MEMORY.md": "- [T](tracker_old.md) — x\n- [T](tracker_one.md) — y\n",
        "tracker_one.md": HEAD.format("One", "One"),
        "harbour.md": HEAD.format("H", "H"),
    }
    assert titles(files, "index-broken-link") == [("Remove this entry", False)]


def test_an_entry_with_two_links_is_not_removed() -> None:
    files = {"MEMORY.md": "- [A](a.md), [G](gone.md) — x\n", "a.md": HEAD.format("A", "A")}
    assert titles(files, "index-broken-link") == []


def test_links_in_memories() -> None:
    files = {"a.md": HEAD.format("A", "A") + "[t](trackers.md)\n", "sub/tracker.md": HEAD.format("T", "T")}
    assert titles(files, "broken-link") == [
        ("Point to sub/tracker.md", False),
        ("Keep the text, remove the link", False),
    ]
    context = world(files)
    (diagnostic,) = lint(context, "broken-link")
    assert diagnostic.fix is not None
    mended = applied(context, diagnostic.fix)
    assert mended.directory.documents["a.md"].text.endswith("[t](sub/tracker.md)\n")
    up = {"sub/a.md": HEAD.format("A", "A") + "[t](trackers.md)\n", "tracker.md": HEAD.format("T", "T")}
    context = world(up)
    (diagnostic,) = lint(context, "broken-link")
    assert diagnostic.fix is not None
    assert (
        applied(context, diagnostic.fix).directory.documents["sub/a.md"].text.endswith("[t](../tracker.md)\n")
    )


@pytest.mark.parametrize(
    ("path", "dead"),
    [
        ("gone.md", "gone.md"),
        ("./gone.md", "gone.md"),
        ("docs/gone.md", "docs/gone.md"),
        ("a.md", None),
        ("docs/plan.md", None),
        ("../gone.md", None),
        ("/gone.md", None),
        ("gone.png", None),
        ("gone", None),
        ("github.com/x/gone.md", None),
        ("linked/x.md", None),
    ],
)
def test_dead_target(path: str, dead: str | None) -> None:
    context = world({"a.md": "x"}, repo=Repo({"docs/plan.md": (3, "")}), escapes={"linked": "/srv"})
    assert dead_target(context, context.directory.documents["a.md"], path) == dead


def test_many_candidates_are_not_compared() -> None:
    context = world({f"note_{i}.md": "x" for i in range(600)} | {"MEMORY.md": "# M\n"})
    assert renamed(context.directory, "notes_1.md") is None
    assert renamed(context.directory, "note-1.md") is not None
