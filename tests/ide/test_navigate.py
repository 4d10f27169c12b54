"""Definition, references, highlights and links from annotated sources."""

from __future__ import annotations

import pytest

from memdir.core.model import Span
from memdir.ide.links import document_links
from memdir.ide.navigate import definition, highlights, references
from memdir.ide.pointers import pointers
from tests.ide.marks import World, memory

REAL_DB = "---\nname: Real database\n      ^^^^^^^^^^^^^ name\ndescription: Tests need a real one\ntype: feedback\n---\nBody.\n\n## Why at all\n^^^^^^^^^^^^^ heading\n\nText.\n"
REPO = {"src/app.py": (["a", "b", "c"], "2026-03-01"), "docs/x y.md": (["x"], "2026-03-01")}


@pytest.mark.parametrize(
    ("source", "label"),
    [
        ("See [[feedback_real_db$0]].", "name"),
        ("See [[$0feedback-real-db]].", "name"),  # `-` and `_` are folded
        ("See [[Real database$0]].", "name"),
        ("See [[Real database|the rule$0]].", "name"),
        ("See [[feedback_real_db.md$0]].", "name"),
        ("See [[feedback_real_db#Why at all$0]].", "heading"),
        ("See [it](feedback_re$0al_db.md).", "name"),
        ("See [i$0t](./feedback_real_db.md#why-at-all).", "heading"),
        ("See [it][r]$0\n\n[r]: feedback_real_db.md\n", "name"),
    ],
)
def test_definition_of_a_memory(source: str, label: str) -> None:
    world = World({"a.md": memory("Alpha", source), "feedback_real_db.md": REAL_DB})
    found = definition(world.document, world.context, world.cursor)
    assert found is not None
    assert (found.rel, found.span) == ("feedback_real_db.md", world.mark(label))


@pytest.mark.parametrize(
    "entry",
    [
        "- [Re$0al](feedback_real_db.md) — why",
        "- [Real](feedback_real_db.md) — wh$0y",
        "- **[Real](feed$0back_real_db.md)** - why",
        "- `feedback_real$0_db.md`: why",
        "| [Real](feedback_real_db.md$0) | why |",
        "- [[feedback_real_db$0]] — why",
    ],
)
def test_definition_of_an_index_entry(entry: str) -> None:
    world = World({"MEMORY.md": f"# Index\n\n{entry}\n", "feedback_real_db.md": REAL_DB})
    found = definition(world.document, world.context, world.cursor)
    assert found is not None and (found.rel, found.span) == ("feedback_real_db.md", world.mark("name"))


@pytest.mark.parametrize(
    ("source", "path", "lines"),
    [
        ("See `src/ap$0p.py`.", "src/app.py", None),
        ("See `src/app.py:2$0`.", "src/app.py", (2, 2)),
        ("See `src/app.py:1-3$0`.", "src/app.py", (1, 3)),
        ("See src/app.py:2$0 for it.", "src/app.py", (2, 2)),
        ("See `src/gone.py$0`.", None, None),
    ],
)
def test_definition_of_a_citation(source: str, path: str | None, lines: tuple[int, int] | None) -> None:
    world = World({"a.md": memory("Alpha", source)}, REPO)
    found = definition(world.document, world.context, world.cursor)
    assert (found and found.path, found and found.lines) == (path, lines)


@pytest.mark.parametrize(
    "source",
    [
        "Plain$0 text.",
        "[[nowhere$0]]",
        "[x](gone.md$0)",
        "`[[feedback_real_db$0]]`",
        "[x](https://a.example$0)",
    ],
)
def test_no_definition(source: str) -> None:
    world = World({"a.md": memory("Alpha", source), "feedback_real_db.md": REAL_DB})
    assert definition(world.document, world.context, world.cursor) is None


def test_two_memories_of_one_name_mean_the_one_of_the_same_scope() -> None:
    text = memory("Alpha", "[[same$0]]")
    world = World({"team/a.md": text, "same.md": memory("One"), "team/same.md": memory("Two")})
    found = definition(world.document, world.context, world.cursor)
    assert found is not None and found.rel == "team/same.md"


FAMILY = {
    "MEMORY.md": "- [Real](feedback_real_db.md) — why\n         ^^^^^^^^^^^^^^^^^^^ use\n",
    "a.md": memory(
        "Alpha",
        "[[Real database]], again [[feedback-real-db|x]].\n  ^^^^^^^^^^^^^ use\n                           ^^^^^^^^^^^^^^^^ use",
    ),
    "b.md": memory("Beta", extra="supersedes: feedback_real_db\n            ^^^^^^^^^^^^^^^^ use\n"),
    "c.md": memory("Gamma", "[[alpha]] `[[feedback_real_db]]`"),
    "team/MEMORY.md": "- [Other](x.md)\n",
    "team/t.md": memory("Team", "[up](../feedback_real_db.md)\n     ^^^^^^^^^^^^^^^^^^^^^^ use"),
}


@pytest.mark.parametrize("place", ["header", "heading", "wikilink"])
def test_references_from_everywhere(place: str) -> None:
    sources = dict(FAMILY)
    target = REAL_DB
    if place == "header":
        target = target.replace("Tests need", "Tests $0need")
    elif place == "heading":
        target = target.replace("## Why", "## $0Why")
    else:
        sources["d.md"] = memory("Delta", "[[Real database$0]]\n  ^^^^^^^^^^^^^ use")
    world = World({**sources, "feedback_real_db.md": target})
    found = list(references(world.document, world.context, world.cursor))
    assert {(o.document.rel, o.span) for o in found if not o.declaration} == world.spans("use")
    assert [(o.document.rel, o.span) for o in found if o.declaration] == [
        ("feedback_real_db.md", world.mark("name"))
    ]
    assert all(
        not o.declaration for o in references(world.document, world.context, world.cursor, declaration=False)
    )


def test_references_of_a_repository_file() -> None:
    world = World(
        {
            "a.md": memory(
                "Alpha",
                "`src/app.py:$02` and `src/app.py`\n ^^^^^^^^^^^^ use\n                    ^^^^^^^^^^ use",
            ),
            "b.md": memory("Beta", "In src/app.py:3 it is.\n   ^^^^^^^^^^^^ use"),
            "c.md": memory("Gamma", "`src/app.pyx`"),
        },
        REPO,
    )
    found = references(world.document, world.context, world.cursor)
    assert {(o.document.rel, o.span) for o in found} == world.spans("use")


def test_nothing_refers_to_plain_text() -> None:
    world = World({"a.md": memory("Alpha", "Some $0words.")})
    assert list(references(world.document, world.context, world.cursor)) == []


def test_highlights_stay_in_the_document() -> None:
    body = "[[real$0]] and [x](real.md) and [[Real thing]], not [[other]].\n  ^^^^ same\n                 ^^^^^^^ same\n                                ^^^^^^^^^^ same"
    world = World(
        {"a.md": memory("Alpha", body), "real.md": memory("Real thing"), "other.md": memory("Other")}
    )
    found = {("a.md", o.span) for o in highlights(world.document, world.context, world.cursor)}
    assert found == world.spans("same")


def test_links_that_lead_somewhere() -> None:
    body = (
        "[web](https://a.example/x) [[real]] [gone](gone.md) `src/app.py:2` ![i](real.md) [mail](mailto:a@b.c)$0\n"
        "      ^^^^^^^^^^^^^^^^^^^ link\n"
        "                             ^^^^ link\n"
        "                                                     ^^^^^^^^^^^^ link"
    )
    world = World({"a.md": memory("Alpha", body), "real.md": memory("Real thing")}, REPO)
    found = list(document_links(world.document, world.context))
    assert {("a.md", link.span) for link in found} == world.spans("link")
    assert [str(link.tooltip) for link in found] == [
        "Open https://a.example/x",
        "Open “Real thing”",
        "Open “src/app.py”",
    ]


def test_an_index_and_its_pointers_agree_with_the_directory() -> None:
    text = "- [A](a.md), [B](b.md)\n- [Gone](gone.md)\n- `c.md`\n"
    world = World({"MEMORY.md": text + "$0", "a.md": memory("A"), "b.md": memory("B"), "c.md": memory("C")})
    found = pointers(world.document, world.directory)
    assert [(p.rel, text[p.span.start : p.span.end], p.kind) for p in found] == [
        ("a.md", "a.md", "entry"),
        ("b.md", "b.md", "entry"),
        (None, "gone.md", "entry"),
        ("c.md", "c.md", "entry"),
    ]


def test_lists_of_names_in_the_header() -> None:
    extra = 'relates_to: [alpha, "Beta name", gone]\n             ^^^^^ a\n                     ^^^^^^^^^ b\n'
    world = World(
        {"x.md": memory("X", "$0", extra=extra), "alpha.md": memory("A"), "b.md": memory("Beta name")}
    )
    found = {p.rel: p.span for p in pointers(world.document, world.directory) if p.kind == "header"}
    assert found["alpha.md"] == world.mark("a")
    assert found["b.md"] == world.mark("b")
    assert isinstance(found[None], Span)
