"""What a change would lose: statements, links and dates, told apart from what is only moved or reworded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.document import Document
from memdir.core.preservation import Losses, losses, normalised, statements


def documents(**files: str) -> dict[str, Document]:
    found = {}
    for name, text in files.items():
        rel = "MEMORY.md" if name == "index" else f"{name}.md"
        found[rel] = Document(f"/m/{rel}", rel, text)
    return found


def lost(before: dict[str, Document], after: dict[str, Document]) -> Losses:
    return losses(before, after)


def test_moving_and_joining_loses_nothing() -> None:
    before = documents(
        a="---\nname: A\ndescription: Freeze until 2026-03-05\n---\nAsk Mara first. **Never** merge on Friday!\n\n**Why:** The cut broke twice.\n",
        b="- See [the board](https://example.com/board).\n- [[other-note]] knows more\n",
    )
    after = documents(
        c="---\nname: C\ndescription: All about the freeze\n---\nFreeze until 2026-03-05; ask Mara first.\n\n- never merge on Friday\n- the cut broke twice\n\nSee the board. https://example.com/board\n\n* [[other-note]] knows more\n"
    )
    assert not lost(before, after)


def test_what_is_gone() -> None:
    before = documents(a="The licence ends on 30 June 2026. Ask Tom about https://x.example/licence, see [plan](plan.md) and [[queue]].\n", b="Kept text stays here.\n")  # fmt: skip
    after = documents(b="Kept text stays here.\n")
    found = lost(before, after)
    assert [x.text for x in found.gone] == [
        "The licence ends on 30 June 2026.",
        "Ask Tom about https://x.example/licence, see plan and queue.",
    ]
    assert [x.text for x in found.dates] == ["2026-06-30"]
    assert [x.text for x in found.links] == ["https://x.example/licence", "plan.md", "[[queue]]"]
    assert {x.rel for x in (*found.gone, *found.links, *found.dates)} == {"a.md"}


def test_reworded_names_what_comes_closest() -> None:
    before = documents(a="Integration tests must always hit a real PostgreSQL database.\n")
    after = documents(a="Integration tests hit a real PostgreSQL database.\n")
    found = lost(before, after)
    assert [(x.text, x.nearest) for x in found.reworded] == [
        (
            "Integration tests must always hit a real PostgreSQL database.",
            "Integration tests hit a real PostgreSQL database.",
        )
    ]
    assert not found.gone


def test_a_changed_number_is_no_rewording() -> None:
    found = lost(
        documents(a="The queue holds at most 50 ports per region.\n"),
        documents(a="The queue holds at most 80 ports per region.\n"),
    )
    assert [x.text for x in found.gone] == [
        "The queue holds at most 50 ports per region."
    ] and not found.reworded


@pytest.mark.parametrize(
    ("text", "day"),
    [("2026-03-05", "2026-03-05"), ("2026/3/5", "2026-03-05"), ("2026年3月5日", "2026-03-05"), ("2026년 3월 5일", "2026-03-05"), ("5.3.2026", "2026-03-05"), ("March 5, 2026", "2026-03-05"), ("5 March 2026", "2026-03-05"), ("5. März 2026", "2026-03-05"), ("5 de marzo de 2026", "2026-03-05"), ("le 5 août 2026", "2026-08-05")],
)  # fmt: skip
def test_dates_in_every_form_are_the_same_day(text: str, day: str) -> None:
    before, gone = documents(a=f"Ends {text} at noon.\n"), documents(b="nothing of it\n")
    assert [x.text for x in lost(before, gone).dates] == [day]
    assert not lost(before, documents(b=f"x {day} y\n")).dates


def test_index_hooks_count_titles_and_file_names_do_not() -> None:
    before = documents(
        index="- [Old title](a.md) — the licence ends in June\n- [B](b.md) — kept elsewhere too\n",
        a="x\n",
        b="Kept elsewhere too.\n",
    )
    after = documents(index="- [New title](a.md)\n", a="x\n", b="Kept elsewhere too.\n")
    assert [x.text for x in lost(before, after).gone] == ["the licence ends in June"]


def test_scripts_without_blanks() -> None:
    before = documents(a="合并冻结到 2026-03-05。先问 Mara 再合并。\n")
    assert not lost(before, documents(b="规则：合并冻结到 2026-03-05，先问 Mara 再合并\n"))
    assert [x.text for x in lost(before, documents(b="别的事情\n")).gone] == [
        "合并冻结到 2026-03-05。",
        "先问 Mara 再合并。",
    ]


def test_unchanged_files_cost_nothing() -> None:
    before = documents(a="One statement.\n")
    assert not lost(before, dict(before))


@given(st.text(max_size=300), st.text(max_size=300))
def test_total_and_reflexive(one: str, two: str) -> None:
    before, after = documents(a=one), documents(a=two, b=one)
    found = losses(before, after)
    assert not found.gone and not found.links and not found.dates
    losses(after, before)
    assert all(normalised(s) or True for s in statements(before["a.md"]))
