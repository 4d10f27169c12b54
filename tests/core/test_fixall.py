"""Fixing everything in memory: settles, keeps other bytes, leaves choices to a person."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memdir.core.changes import project
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.fixall import fix_all, minimal_edits
from memdir.core.i18n import msg
from memdir.core.lint import check_document
from memdir.core.model import CreateFile, EditFile, Safety
from memdir.core.rule import Context
from memdir.core.text import apply_edits
from tests.conftest import NOW

BROKEN = "---\r\nname: A\r\ndescription: one: two\r\ntype: Feedback\r\n---\r\n**Why:** x\r\n\r\n**How to apply:** y\r\n"


def context(**files: str | bytes) -> Context:
    documents = [Document(f"/m/{name}", name, content, NOW.timestamp()) for name, content in files.items()]
    return Context(Directory("/m", documents), NOW)


def outcome(ctx: Context, unsafe: bool = False) -> dict[str, bytes | None]:
    """Files after all fixes, by path."""
    result = fix_all(ctx, msg("memdir check --fix"), unsafe=unsafe)
    files = {d.path: d.content for d in ctx.directory}
    outcomes, clashes = project(result.change_set, files.get)
    assert not clashes
    return {o.path: o.after for o in outcomes}


def test_two_fixes_of_one_file_and_its_line_breaks() -> None:
    ctx = context(**{"feedback_a.md": BROKEN, "MEMORY.md": "- [A](feedback_a.md) — one\n"})
    assert outcome(ctx) == {
        "/m/feedback_a.md": BROKEN.replace("one: two", '"one: two"').replace("Feedback", "feedback").encode()
    }


def test_the_directory_given_stays_as_it_is() -> None:
    ctx = context(**{"feedback_a.md": BROKEN, "MEMORY.md": "- [A](feedback_a.md) — one\n"})
    before = ctx.directory.get("feedback_a.md")
    fix_all(ctx, msg("memdir check --fix"))
    assert ctx.directory.get("feedback_a.md") is before


def test_an_orphan_is_listed_by_editing_another_file() -> None:
    body = "---\nname: A\ndescription: what a reader would ask about deploys\ntype: user\n---\nx\n"
    ctx = context(**{"user_a.md": body, "MEMORY.md": "# Memory\n"})
    assert b"(user_a.md)" in (outcome(ctx)["/m/MEMORY.md"] or b"")


def test_several_orphans_are_listed_in_the_order_of_their_files() -> None:
    files: dict[str, str | bytes] = {
        f"user_{i:02}.md": f"---\nname: N{i}\ndescription: what a reader would ask about {i}\ntype: user\n---\nx\n"
        for i in range(15)
    }
    ctx = context(**files, **{"MEMORY.md": "# Memory\n"})
    lines = (outcome(ctx)["/m/MEMORY.md"] or b"").decode().splitlines()
    assert [line.split("(")[1].split(")")[0] for line in lines[-15:]] == sorted(files)


def test_orphans_never_push_the_index_over_its_limit() -> None:
    files: dict[str, str | bytes] = {
        f"user_{i:02}.md": f"---\nname: N{i}\ndescription: what a reader would ask about {i}\ntype: user\n---\nx\n"
        for i in range(15)
    }
    index = "".join(f"- [T{i}](https://x.dev/{i}) — x\n" for i in range(190))
    ctx = context(**files, **{"MEMORY.md": index})
    assert "/m/MEMORY.md" not in outcome(ctx)  # which ten of fifteen is a person's choice


def test_byte_order_mark_and_foreign_bytes_survive() -> None:
    content = b"\xef\xbb\xbf---\nname: A\ndescription: one: two\ntype: user\n---\nbad \xff byte\n"
    ctx = context(**{"user_a.md": content, "MEMORY.md": "- [A](user_a.md) — one\n"})
    after = outcome(ctx)["/m/user_a.md"]
    assert after == content.replace(b"one: two", b'"one: two"')


def test_nothing_to_fix_is_an_empty_change_set() -> None:
    ctx = context(**{"MEMORY.md": ""})
    assert not fix_all(ctx, msg("memdir check --fix")).change_set


def test_safe_fixes_settle() -> None:
    ctx = context(
        **{
            "feedback_a.md": BROKEN,
            "project_b.md": "---\nname: B\nname: B\ndescription: the queue decision\n---\n",
            "MEMORY.md": "- [A](feedback_a.md) — one\n- [A](feedback_a.md) — one\n- [Gone](gone.md)\n",
        }
    )
    result = fix_all(ctx, msg("memdir check --fix"))
    files = {d.path: d.content for d in ctx.directory}
    for change in result.change_set.changes:
        assert isinstance(change, EditFile | CreateFile)
    outcomes, _ = project(result.change_set, files.get)
    files.update({o.path: o.after for o in outcomes if o.after is not None})
    again = context(**{path[3:]: content for path, content in files.items()})
    left = [
        d.rule
        for document in again.directory
        for d in check_document(document, again)
        if any(f.safety is Safety.SAFE for f in d.fixes)
    ]
    assert left == []


@given(st.text(alphabet="ab\n\r ", max_size=60), st.text(alphabet="ab\n\r ", max_size=60))
def test_minimal_edits_lead_from_one_text_to_the_other(before: str, after: str) -> None:
    assert apply_edits(before, minimal_edits(before, after)) == after


def test_minimal_edits_of_long_texts() -> None:
    before = "".join(f"line {i}\n" for i in range(4000))
    after = before.replace("line 2000\n", "line two thousand\n")
    edits = minimal_edits(before, after)
    assert apply_edits(before, edits) == after
    assert sum(len(e.text) for e in edits) < 100
