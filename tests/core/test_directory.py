"""Shared facts of a directory: kept in step per edit, and always those of a directory read anew."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.directory import Directory, fold
from memdir.core.document import Document
from memdir.core.lint import check_document
from memdir.core.rule import Context
from tests.rules.world import NOW, ROOT

FILES = (
    "MEMORY.md",
    "team/MEMORY.md",
    "a.md",
    "feedback_b.md",
    "c_d.md",
    "archive.md",
    "team/e.md",
    "sub/f.md",
    "logs/2026/03/2026-03-10.md",
)
LINES = (
    "- [A](a.md) — one\n",
    "- [B](feedback_b.md)\n",
    "- [[c-d]]\n",
    "- [Archive](archive.md) — old\n",
    "- [F](sub/f.md)\n",
    "- [E](team/e.md)\n",
    "- [E](e.md)\n",
    "- [Gone](gone.md)\n",
    "- c_d.md\n",
    "See [A](a.md) and [[Twin]].\n",
    "[[feedback-b]] `[no](link.md)`\n",
    "text\n",
)
NAMES = ("Twin", "twin", "Other", "")


def document(rel: str, text: str) -> Document:
    return Document(f"{ROOT}/{rel}", rel, text, NOW.timestamp())


TEXTS = st.builds(
    lambda name, lines: (
        (f"---\nname: {name}\ndescription: what {name} is about here\ntype: user\n---\n" if name else "")
        + "".join(lines)
    ),
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(LINES), max_size=5),
)
STEPS = st.lists(st.tuples(st.sampled_from(FILES), st.one_of(st.none(), TEXTS)), min_size=1, max_size=8)


def facts(directory: Directory) -> dict[str, object]:
    """Everything a directory says about its documents."""
    rels = sorted(directory.documents)
    return {
        "documents": rels,
        "reachable": directory.reachable,
        "orphans": [d.rel for d in directory.orphans()],
        "count": directory.orphan_count,
        "is_orphan": [directory.is_orphan(directory.documents[r]) for r in rels],
        "cited": {r: [d.rel for d in directory.cited_by(r)] for r in rels},
        "named": {n: [d.rel for d in directory.named(n)] for n in NAMES if n},
        "wanted": {r: directory.wanted(directory.documents[r]) for r in rels},
        "targets": {r: directory.targets(directory.documents[r]) for r in rels},
        "links": {r: [d.rel for d in directory.resolve_wikilink(r.rsplit("/", 1)[-1])] for r in rels},
        "listing": [directory.is_listing(directory.documents[r]) for r in rels],
    }


@settings(max_examples=150, deadline=None)
@given(STEPS, st.booleans())
def test_kept_in_step_equals_read_anew(steps: list[tuple[str, str | None]], ask: bool) -> None:
    directory = Directory(ROOT, orphan_group=2)
    for rel, text in steps:
        if text is None:
            directory.remove(rel)
        else:
            directory.put(document(rel, text))
        if ask:  # facts that were asked for are updated, others are computed late
            _ = directory.reachable
    assert facts(directory) == facts(Directory(ROOT, list(directory), orphan_group=2))


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_every_file_whose_findings_change_is_named(steps: list[tuple[str, str | None]]) -> None:
    """The driver checks again only what `put` and `remove` name; nothing else may have changed."""
    from memdir.core.settings import Layer, merge

    directory = Directory(ROOT, orphan_group=2)
    wanted = merge([Layer("editor", values={"orphan-group": 2})])
    context = Context(directory, NOW, wanted)

    def all_findings() -> dict[str, list[tuple[str, object, str]]]:
        return {
            d.rel: [(x.rule, x.span, str(x.message)) for x in check_document(d, context)] for d in directory
        }

    before = all_findings()
    for rel, text in steps:
        named = directory.remove(rel) if text is None else directory.put(document(rel, text))
        after = all_findings()
        changed = {r for r in after if r != rel and r in before and before[r] != after[r]}
        assert changed <= named, f"{changed - named} changed with {rel}"
        before = after


def test_an_edit_that_shares_nothing_touches_nobody() -> None:
    directory = Directory(
        ROOT, [document("MEMORY.md", LINES[0]), document("a.md", "one"), document("b.md", "two")]
    )
    assert directory.put(document("a.md", "one more word")) == frozenset()
    assert directory.put(document("MEMORY.md", LINES[0].replace("one", "two"))) == frozenset()


def test_second_level_indexes_reach() -> None:
    files = {
        "MEMORY.md": "- [Archive](archive.md)\n",
        "archive.md": "- [Old](sub/old.md)\n- [Older](sub/older.md)\n",
        "sub/old.md": "x",
        "sub/older.md": "x",
        "lost.md": "x",
    }
    directory = Directory(ROOT, [document(r, t) for r, t in files.items()])
    # paths in a second-level index are relative to it
    assert [d.rel for d in directory.orphans()] == ["lost.md"]
    directory.put(document("MEMORY.md", "nothing\n"))
    assert [d.rel for d in directory.orphans()] == ["archive.md", "lost.md", "sub/old.md", "sub/older.md"]
    directory.remove("MEMORY.md")
    assert directory.orphans() == []


def test_listing_is_a_file_of_entries_not_a_memory_with_links() -> None:
    listing = document("archive.md", "# Old\n\n- [A](a.md) — x\n- [B](b.md) — y\n")
    memory = document("m.md", "One.\nTwo.\nThree.\nFour.\nFive.\n- [A](a.md)\n- [B](b.md)\n")
    directory = Directory(ROOT, [listing, memory])
    assert directory.is_listing(listing)
    assert not directory.is_listing(memory)


def test_wikilinks_mean_stems_first_then_names_and_the_own_scope() -> None:
    files = {
        "real_db.md": "---\nname: x\n---\n",
        "other.md": "---\nname: Real DB\n---\n",
        "team/shared.md": "---\nname: Rules\n---\n",
        "shared.md": "---\nname: Rules\n---\n",
    }
    directory = Directory(ROOT, [document(r, t) for r, t in files.items()])
    assert [d.rel for d in directory.resolve_wikilink("Real-DB")] == ["real_db.md"]
    assert [d.rel for d in directory.resolve_wikilink("real_db.md")] == ["real_db.md"]
    source = directory.get("team/shared.md")
    assert directory.resolve_wikilink("rules", source)[0].rel == "team/shared.md"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Real DB", "real-db"),
        ("a__b", "A-B"),
        (" x ", "X"),
        ("tide  tables", "tide_tables"),
        ("Straße", "STRASSE"),
        ("a\tb", "a-b"),
    ],
)
def test_fold(one: str, two: str) -> None:
    assert fold(one) == fold(two)


def test_an_edit_costs_the_same_in_a_large_directory() -> None:
    """Counted in calls, not in time: the number of documents looked at does not grow."""
    rng = random.Random(1)
    documents = [
        document(f"project_{i}.md", f"---\nname: n{i}\n---\nSee [[n{rng.randrange(3000)}]].\n")
        for i in range(3000)
    ]
    directory = Directory(
        ROOT, [document("MEMORY.md", "".join(f"- [P](project_{i}.md)\n" for i in range(150))), *documents]
    )
    _ = directory.reachable
    named = directory.put(document("project_7.md", "---\nname: renamed\n---\n"))
    assert len(named) < 20
