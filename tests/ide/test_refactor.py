"""Refactorings: what they offer at the cursor (`$0`), and what the files look like afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.changes import project
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.lint import check_document
from memdir.core.model import ChangeSet, EditFile, Span
from memdir.core.rule import Context
from memdir.core.similarity import prepare
from memdir.core.text import apply_edits
from memdir.ide.refactor import Action, actions
from memdir.ide.refactor.organize import organize
from memdir.ide.refactor.shape import convert
from tests.conftest import NOW

HEAD = "---\nname: {name}\ndescription: {description}\ntype: {type}\n---\n"


def memory(
    name: str, body: str, type: str = "project", description: str = "What a reader of the berth plans asks"
) -> str:
    return HEAD.format(name=name, description=description, type=type) + body


class World:
    """Files with one cursor; `offers` lists titles, `after` applies one."""

    def __init__(self, **files: str) -> None:
        self.cursor, self.at = 0, ""
        documents = []
        for name, text in files.items():
            if "$0" in text:
                self.at, self.cursor = name, text.index("$0")
                text = text.replace("$0", "")
            documents.append(Document(f"/m/{name}", name, text, NOW.timestamp()))
        self.context = Context(Directory("/m", documents), NOW)

    def offers(self) -> dict[str, Action]:
        document = self.context.directory.get(self.at)
        assert document is not None
        return {str(a.title): a for a in actions(document, Span(self.cursor, self.cursor), self.context)}

    def after(self, title: str) -> dict[str, str | None]:
        action = self.offers()[title]
        files = {d.path: d.content for d in self.context.directory}
        outcomes, clashes = project(ChangeSet(action.title, action.all_changes(), "action"), files.get)
        assert not clashes
        return {o.path[3:]: None if o.after is None else o.after.decode() for o in outcomes}


def test_verified_today() -> None:
    world = World(**{"project_a.md": memory("A", "x\n").replace("name", "$0name", 1)})
    assert world.after("Mark as verified today") == {
        "project_a.md": memory("A", "x\n").replace("type: project\n", "type: project\nmodified: 2026-03-11\n")
    }
    dated = memory("A", "$0x\n").replace("type: project\n", "type: project\nmodified: 2026-01-01T10:00:00Z\n")
    after = World(**{"project_a.md": dated}).after("Mark as verified today")
    assert after == {"project_a.md": dated.replace("$0", "").replace("2026-01-01T10:00:00Z", "2026-03-11")}
    fresh = memory("A", "$0x\n").replace("type: project\n", "type: project\nmodified: 2026-03-11\n")
    assert "Mark as verified today" not in World(**{"project_a.md": fresh}).offers()


def test_extract_a_section_of_a_memory() -> None:
    body = "Intro.\n\n## Berths\n\nSmall ships$0 first.\n\n### Detail\nx\n\n## Tides\n\ny\n"
    world = World(**{"project_a.md": memory("A", body), "MEMORY.md": "- [A](project_a.md) — hook\n"})
    after = world.after("Extract “Berths” to project_berths.md")
    assert after["project_a.md"] == memory(
        "A", "Intro.\n\n## Berths\n\nSee [[project_berths]].\n\n## Tides\n\ny\n"
    )
    assert after["project_berths.md"] == memory(
        "Berths", "\nSmall ships first.\n\n### Detail\nx\n", description="Small ships first."
    )
    assert (
        after["MEMORY.md"]
        == "- [A](project_a.md) — hook\n- [Berths](project_berths.md) — Small ships first.\n"
    )


def test_extract_a_section_of_the_index() -> None:
    index = "- [A](project_a.md) — hook\n\n## Runbook\n\nCompare$0 the counts.\nThen the gaps.\n\n## More\n"
    after = World(**{"project_a.md": memory("A", "x\n"), "MEMORY.md": index}).after(
        "Extract “Runbook” to project_runbook.md"
    )
    assert (
        after["MEMORY.md"]
        == "- [A](project_a.md) — hook\n\n- [Runbook](project_runbook.md) — Compare the counts.\n\n## More\n"
    )
    assert after["project_runbook.md"] == memory(
        "Runbook", "\nCompare the counts.\nThen the gaps.\n", description="Compare the counts."
    )


def test_split() -> None:
    body = "Intro.\n\n## Berths\n\nb$0\n\n## Tides\n\nt\n"
    world = World(**{"project_a.md": memory("A", body), "MEMORY.md": "- [A](project_a.md) — hook\n"})
    after = world.after("Split into 2 memories, one per section")
    assert after["project_a.md"] == memory(
        "A", "Intro.\n\n- [[project_berths]] — Berths\n- [[project_tides]] — Tides\n"
    )
    assert set(after) == {"project_a.md", "project_berths.md", "project_tides.md", "MEMORY.md"}
    assert "(project_tides.md)" in str(after["MEMORY.md"])


def test_split_gives_equal_sections_different_files() -> None:
    body = "## Note\n\none$0\n\n## Note\n\ntwo\n"
    after = World(**{"project_a.md": memory("A", body)}).after("Split into 2 memories, one per section")
    assert {"project_note.md", "project_note_2.md"} < set(after)


SAME = "Integration tests run against PostgreSQL in a container and never against mocks, because mocked tests passed.\n"


def test_merge_keeps_both_texts_side_by_side() -> None:
    world = World(
        **{
            "project_a.md": memory("A", SAME + "$0Only here.\n"),
            "project_b.md": memory("B", SAME + "Only there.\n"),
            "MEMORY.md": "- [A](project_a.md) — hook\n- [B](project_b.md) — hook\n",
        }
    )
    assert not [t for t in world.offers() if t.startswith("Merge")], "the finder is not ready"
    prepare(world.context.directory)
    after = world.after("Merge project_b.md into this memory")
    assert after["project_a.md"] == memory("A", SAME + "Only here.\n\n## B\n\n" + SAME + "Only there.\n")
    assert after["project_b.md"] is None
    assert after["MEMORY.md"] == "- [A](project_a.md) — hook\n"


def test_move_to_the_team_and_back() -> None:
    files = {
        "project_a.md": memory("A", "See [b](project_b.md).\n").replace("name", "$0name", 1),
        "project_b.md": memory("B", "See [a](project_a.md#x) and [[project_a]].\n"),
        "MEMORY.md": "- [A](project_a.md) — hook\n- [B](project_b.md) — hook\n",
    }
    after = World(**files).after("Move to team memory")
    assert after == {
        "project_a.md": None,
        "team/project_a.md": memory("A", "See [b](../project_b.md).\n"),
        "project_b.md": memory("B", "See [a](team/project_a.md#x) and [[project_a]].\n"),
        "MEMORY.md": "- [B](project_b.md) — hook\n",
        "team/MEMORY.md": "- [A](project_a.md) — What a reader of the berth plans asks\n",
    }
    team = {name: text for name, text in after.items() if text is not None}
    team["team/project_a.md"] = team["team/project_a.md"].replace("name", "$0name", 1)
    back = World(**team).after("Move to private memory")
    assert back["project_a.md"] == files["project_a.md"].replace("$0", "")
    assert back["project_b.md"] == files["project_b.md"]
    assert back["team/MEMORY.md"] == ""
    assert "(project_a.md)" in str(back["MEMORY.md"])


def test_what_is_personal_or_secret_does_not_go_to_the_team() -> None:
    for text in (
        memory("A", "x\n", type="user"),
        memory("A", "key AKIA" + "QZ3TX5YVN7RMW2KP\n"),  # made up
    ):
        world = World(**{"user_a.md": text.replace("name", "$0name", 1)})
        assert "Move to team memory" not in world.offers()


def test_supersede_links_both_ways() -> None:
    world = World(
        **{
            "project_a.md": memory("A", "old\n").replace("name", "$0name", 1),
            "MEMORY.md": "- [A](project_a.md) — hook\n",
        }
    )
    after = world.after("Supersede by a new memory (project_a_2.md)")
    assert "superseded_by: project_a_2\n" in str(after["project_a.md"])
    assert "supersedes: project_a\n" in str(after["project_a_2.md"])
    assert "(project_a_2.md)" in str(after["MEMORY.md"])


FLAT = "---\nname: A\ndescription: d\ntype: project\nmodified: 2026-01-01\n---\nx\n"
NESTED = "---\nname: A\ndescription: d\nmetadata:\n  type: project\n  modified: 2026-01-01\n---\nx\n"


def test_header_shapes_convert_into_each_other() -> None:
    for source, target, nested in ((FLAT, NESTED, True), (NESTED, FLAT, False)):
        for newline in ("\n", "\r\n"):
            document = Document("/m/a.md", "a.md", source.replace("\n", newline))
            assert apply_edits(document.text, convert(document, nested=nested)) == target.replace(
                "\n", newline
            )
            assert convert(document, nested=not nested) == ()


def test_a_whole_directory_converts() -> None:
    world = World(**{"a.md": FLAT.replace("name", "$0name", 1), "b.md": FLAT, "c.md": NESTED})
    after = world.after("Move type under metadata in every memory of this directory")
    assert after == {"a.md": NESTED, "b.md": NESTED}


@pytest.mark.parametrize(
    "text",
    ["---\nname: A\n---\n", "---\nname: a: b\ntype: user\n---\n", "---\nname: A\ntype: user\n", "x\n"],
)
def test_broken_headers_are_left_alone(text: str) -> None:
    assert convert(Document("/m/a.md", "a.md", text), nested=True) == ()


def organized(index: str, **files: str) -> str:
    documents = [Document(f"/m/{n}", n, t) for n, t in {**files, "MEMORY.md": index}.items()]
    context = Context(Directory("/m", documents), NOW)
    document = context.directory.get("MEMORY.md")
    assert document is not None
    text = apply_edits(document.text, organize(document, context))
    again = replace(
        context, directory=Directory("/m", [*documents[:-1], Document("/m/MEMORY.md", "MEMORY.md", text)])
    )
    settled = again.directory.get("MEMORY.md")
    assert settled is not None
    assert organize(settled, again) == (), "organising twice changes something"
    return text


FILES = {
    "user_u.md": memory("U", "x", "user"),
    "feedback_b.md": memory("B", "x", "feedback"),
    "feedback_a.md": memory("A", "x", "feedback"),
    "project_p.md": memory("P", "x", "project"),
}


def test_organize_sorts_within_sections_and_drops_dead_and_repeated_lines() -> None:
    index = (
        "# Memory\n\nFree text stays.\n\n"
        "- [P](project_p.md) — p\n  more of it\n- [Gone](gone.md) — dead\n- [B](feedback_b.md) — b\n- [A](feedback_a.md) — a\n"
        "\n## Other\n- https://example.com\n- [A again](feedback_a.md)\n- [Board](https://example.com/b) — outside\n- [U](user_u.md) — u"
    )
    assert organized(index, **FILES) == (
        "# Memory\n\nFree text stays.\n\n"
        "- [A](feedback_a.md) — a\n- [B](feedback_b.md) — b\n- [P](project_p.md) — p\n  more of it\n"
        "\n## Other\n- https://example.com\n- [U](user_u.md) — u\n- [Board](https://example.com/b) — outside"
    )


def test_a_numbered_order_is_kept() -> None:
    index = "1. [P](project_p.md)\n2. [A](feedback_a.md)\n"
    assert organized(index, **FILES) == index


@given(
    st.lists(
        st.sampled_from(
            [
                "- [A](feedback_a.md) — a",
                "- [B](feedback_b.md)",
                "* **[P](project_p.md)**: p",
                "- [Gone](gone.md)",
                "- [X](https://example.com)",
                "  - [U](user_u.md)",
                "free text",
                "",
                "## H",
                "```",
                "| [A](feedback_a.md) | x |",
            ]
        ),
        max_size=14,
    )
)
def test_organize_settles_and_keeps_free_text(lines: list[str]) -> None:
    text = organized("\n".join(lines), **FILES)
    assert [x for x in text.split("\n") if x == "free text"] == [x for x in lines if x == "free text"]


@given(st.text(alphabet="#-[]()a b\n:`", max_size=200), st.integers(0, 200))
def test_offers_never_fail_and_apply_cleanly(body: str, cursor: int) -> None:
    document = Document("/m/project_a.md", "project_a.md", memory("A", body), 0.0)
    context = Context(Directory("/m", [document, Document("/m/MEMORY.md", "MEMORY.md", "")]), NOW)
    at = min(cursor, len(document.text))
    files = {d.path: d.content for d in context.directory}
    for action in actions(document, Span(at, at), context):
        outcomes, clashes = project(ChangeSet(action.title, action.all_changes(), "action"), files.get)
        assert not clashes
        for outcome in outcomes:
            if outcome.after is not None:
                check_document(Document(outcome.path, outcome.path[3:], outcome.after), context)
        assert all(
            not isinstance(c, EditFile) or c.edits or c.path == "/m/MEMORY.md" for c in action.all_changes()
        )
