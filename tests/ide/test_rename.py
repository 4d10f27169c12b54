"""Renaming a memory, its name or its file, with everything that points to it; files that the editor moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.changes import project
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import ChangeSet
from memdir.ide.pointers import pointers
from memdir.ide.rename import RenameError, moved_edits, prepare, rename
from tests.ide.marks import World, memory


def outcome(world: World, change_set: ChangeSet) -> dict[str, str | None]:
    files = {d.path: d.content for d in world.directory}
    outcomes, clashes = project(change_set, files.get)
    assert not clashes
    return {o.path[3:]: None if o.after is None else o.after.decode() for o in outcomes}


def renamed(world: World, new: str) -> dict[str, str | None]:
    found = prepare(world.document, world.context, world.cursor)
    assert found is not None
    return outcome(world, rename(found, new, world.context))


FILES = {
    "MEMORY.md": "- [Real database](feedback_db.md) — why\n- [Own words](./feedback_db.md#x) — why\n",
    "a.md": memory(
        "Alpha",
        "[[feedback-db]] [[Real database]] [[Real database|that]] [x](feedback_db.md) `[[feedback_db]]`",
    ),
    "b.md": memory("Beta", extra="supersedes: feedback_db\n"),
    "team/t.md": memory("Team", "[up](../feedback_db.md) [[Real database]]"),
    "feedback_db.md": memory("Real database"),
}


@pytest.mark.parametrize("place", ["header", "wikilink by name"])
def test_the_name(place: str) -> None:
    files = dict(FILES)
    if place == "header":
        files["feedback_db.md"] = files["feedback_db.md"].replace("name: Real", "name: Re$0al")
    else:
        files["a.md"] = files["a.md"].replace("[[Real database]]", "[[Real$0 database]]")
    after = renamed(World(files), "No: mocks")
    assert after["feedback_db.md"] == FILES["feedback_db.md"].replace(
        "name: Real database", 'name: "No: mocks"'
    )
    assert after["MEMORY.md"] == FILES["MEMORY.md"].replace("[Real database]", "[No: mocks]")
    assert "[[feedback-db]] [[No: mocks]] [[No: mocks|that]] [x](feedback_db.md) `[[feedback_db]]`" in str(
        after["a.md"]
    )
    assert "[[No: mocks]]" in str(after["team/t.md"])
    assert "b.md" not in after


@pytest.mark.parametrize("place", ["[x](feedback_$0db.md)", "[[feedback-$0db]]", "entry"])
@pytest.mark.parametrize("new", ["feedback_sql", "feedback_sql.md"])
def test_the_file(place: str, new: str) -> None:
    files = dict(FILES)
    if place == "entry":
        files["MEMORY.md"] = files["MEMORY.md"].replace("(feedback_db.md)", "(feed$0back_db.md)")
    else:
        files["a.md"] = files["a.md"].replace(place.replace("$0", ""), place)
    after = renamed(World(files), new)
    assert after["feedback_db.md"] is None
    assert after["feedback_sql.md"] == FILES["feedback_db.md"]
    assert after["MEMORY.md"] == FILES["MEMORY.md"].replace("feedback_db.md", "feedback_sql.md")
    assert (
        "[[feedback_sql]] [[Real database]] [[Real database|that]] [x](feedback_sql.md) `[[feedback_db]]`"
        in str(after["a.md"])
    )
    assert "supersedes: feedback_sql\n" in str(after["b.md"])
    assert "(../feedback_sql.md)" in str(after["team/t.md"])


@pytest.mark.parametrize("text", ["Plain $0text.", "[[gone$0]]", "[x](gone.md$0)", "`src/app.py$0`"])
def test_what_can_not_be_renamed(text: str) -> None:
    world = World({"a.md": memory("A", text)})
    assert prepare(world.document, world.context, world.cursor) is None


def test_an_index_is_never_renamed() -> None:
    world = World({"a.md": memory("A", "[i](MEMORY.md$0)"), "MEMORY.md": "- [A](a.md)\n"})
    assert prepare(world.document, world.context, world.cursor) is None


@pytest.mark.parametrize(
    "new", ["", "  ", "a\nb", "a/b", "../x", ".hidden", "x[1]", "b", "feedback_db", "nul\x00", "a:b", "dot."]
)
def test_names_that_are_refused(new: str) -> None:
    world = World({**FILES, "a.md": memory("Alpha", "[x](feedback_db$0.md)"), "b.md": memory("Beta")})
    found = prepare(world.document, world.context, world.cursor)
    assert found is not None
    with pytest.raises(RenameError):
        rename(found, new, world.context)


def test_a_wikilink_that_means_two_memories_follows_the_right_one() -> None:
    world = World(
        {
            "same.md": memory("One", "$0"),
            "team/same.md": memory("Two"),
            "a.md": memory("A", "[[same]]"),
            "team/t.md": memory("T", "[[same]]"),
        }
    )
    after = outcome(
        world, ChangeSet(msg("x"), moved_edits({"same.md": "other.md"}, world.directory), "rename")
    )
    assert "[[other]]" in str(after["a.md"])
    assert "team/t.md" not in after


def test_files_that_the_editor_moves() -> None:
    files = {
        **FILES,
        "feedback_db.md": memory(
            "Real database", "See [b](b.md), [[a]], [t](team/t.md) and [web](https://x.example)."
        ),
    }
    world = World(files)
    edits = moved_edits({"feedback_db.md": "team/feedback_db.md"}, world.directory)
    after = outcome(world, ChangeSet(msg("x"), edits, "rename"))
    assert "(team/feedback_db.md)" in str(after["MEMORY.md"]) and "(./team/feedback_db.md#x)" in str(
        after["MEMORY.md"]
    )
    assert "[up](feedback_db.md)" in str(after["team/t.md"])
    assert "See [b](../b.md), [[a]], [t](t.md) and [web](https://x.example)." in str(after["feedback_db.md"])


def test_two_files_that_link_to_each_other_move_together() -> None:
    world = World({"a.md": memory("A", "[b](b.md)"), "b.md": memory("B", "[a](a.md)")})
    edits = moved_edits({"a.md": "old/a.md", "b.md": "old/b2.md"}, world.directory)
    after = outcome(world, ChangeSet(msg("x"), edits, "rename"))
    assert "[b](b2.md)" in str(after["a.md"])
    assert "b.md" not in after


NAMES = st.text(st.sampled_from("ab_-é名 %"), min_size=1, max_size=6).map(lambda s: s.strip() or "x")


@given(NAMES, NAMES, st.sampled_from(["", "team/"]), st.booleans())
def test_every_pointer_leads_to_the_moved_file(old: str, new: str, folder: str, angle: bool) -> None:
    """Whatever the names: what pointed to the file before points to it afterwards."""
    before, after = f"{old}.md", f"{folder}{new}.md"
    if before.casefold() == after.casefold() or "  " in old + new:
        return
    link = f"<{before}>" if angle or " " in before or "%" in before else before
    link = link.replace("%", "%25")
    sources = {
        "MEMORY.md": f"- [It]({link}) — x\n",
        "zz.md": memory("Z", f"[it]({link}) [[{old}]]"),
        before: memory("It"),
    }
    if len(sources) < 3:
        return
    documents = [Document(f"/m/{n}", n, t, 0.0) for n, t in sources.items()]
    directory = Directory("/m", documents)
    count = sum(p.rel == before for d in documents for p in pointers(d, directory))
    assert count >= 2
    files = {d.path: d.content for d in documents}
    outcomes, clashes = project(
        ChangeSet(msg("x"), moved_edits({before: after}, directory), "rename"), files.get
    )
    assert not clashes
    texts = {d.rel: d.text for d in documents} | {o.path[3:]: (o.after or b"").decode() for o in outcomes}
    texts[after] = texts.pop(before)
    moved = Directory("/m", [Document(f"/m/{n}", n, t, 0.0) for n, t in texts.items()])
    assert sum(p.rel == after for d in moved for p in pointers(d, moved)) == count
