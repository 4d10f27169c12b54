"""Consolidation of the index: entries that lead nowhere, double and long ones, an index that is full."""

from __future__ import annotations

from memdir.core.consolidate import consolidate
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.index import load
from memdir.core.rule import Context
from tests.conftest import NOW
from tests.core.consolidation import LONG, ROOT, context_of, memory, result, run


def test_dead_pointers_and_renamed_files() -> None:
    files = {
        "MEMORY.md": "# Memory\n\n- [Gone](project_gone.md) — was here\n- [B](project-b.md) — moved\n- [Web](https://example.com) — stays\n",
        "project_b.md": memory("B", "Fact."),
    }
    after, found = run(files)
    assert (
        after["MEMORY.md"]
        == "# Memory\n\n- [B](project_b.md) — moved\n- [Web](https://example.com) — stays\n"
    )
    assert [x.text for x in found.lost.gone] == ["was here"]


def test_text_below_a_dead_entry_is_for_a_person() -> None:
    files = {
        "MEMORY.md": "- [Gone](project_gone.md) — was here\n  with a detail\n- [A](project_a.md) — a\n",
        "project_a.md": memory("A", "x fact."),
    }
    after, found = run(files)
    assert after == files and "text stands below it" in str(found.notes[0])


def test_unlisted_memories_are_listed_and_a_missing_index_is_made() -> None:
    files = {
        "project_a.md": memory("A", "Fact a."),
        "user_b.md": memory("B", "Fact b.", type="user"),
        "team/project_c.md": memory("C", "Fact c."),
    }
    after, found = run(files)
    assert (
        after["MEMORY.md"]
        == "- [B](user_b.md) — What there is to know about B\n- [A](project_a.md) — What there is to know about A\n"
    )
    assert after["team/MEMORY.md"] == "- [C](project_c.md) — What there is to know about C\n"
    assert not found.consent


def test_double_entries() -> None:
    files = {
        "MEMORY.md": "- [A](project_a.md) — a fact\n- [A again](project_a.md) — fact\n- [A third](project_a.md) — something else\n",
        "project_a.md": memory("A", "x."),
    }
    after, _ = run(files)
    assert after["MEMORY.md"] == "- [A](project_a.md) — a fact\n- [A third](project_a.md) — something else\n"


def test_long_entries_are_cut_at_a_word_and_their_text_moves() -> None:
    files = {
        "MEMORY.md": f"- [Logging](feedback_log.md) — structured logs only, because {LONG}\n",
        "feedback_log.md": memory("Logging", "No print.", type="feedback", description="x" * 160),
    }
    after, found = run(files)
    (line,) = after["MEMORY.md"].splitlines()
    assert len(line) <= 150 and line.endswith("…") and not line[:-1].endswith(" ")
    assert f"structured logs only, because {LONG}" in after["feedback_log.md"]
    assert not found.lost.gone


def test_a_long_entry_whose_memory_describes_itself_gets_that() -> None:
    files = {
        "MEMORY.md": f"- [Logging](feedback_log.md) — structured logs only, because {LONG}\n",
        "feedback_log.md": memory(
            "Logging",
            f"Structured logs only, because {LONG}.",
            type="feedback",
            description="Structured logs only",
        ),
    }
    after, _ = run(files)
    assert after["MEMORY.md"] == "- [Logging](feedback_log.md) — Structured logs only\n"
    assert after["feedback_log.md"] == files["feedback_log.md"]


def many(count: int) -> dict[str, str]:
    files = {
        "MEMORY.md": "# Memory\n\n"
        + "".join(f"- [Note {n}](project_note_{n}.md) — decision about {n}\n" for n in range(count))
    }
    for n in range(count):
        files[f"project_note_{n}.md"] = memory(f"Note {n}", f"Fact number {n}.")
    return files


def test_an_index_over_its_limit_moves_old_entries_to_an_archive() -> None:
    files = many(60)
    context = context_of(files, index_lines=50)
    found = consolidate(context)
    after = result(context, found)
    index = Document(f"{ROOT}/MEMORY.md", "MEMORY.md", after["MEMORY.md"])
    assert load(index, 50).truncated is None and load(index, 50).lines == 47
    assert after["MEMORY.md"].endswith("has no room for\n") and "(reference_archive.md)" in after["MEMORY.md"]
    assert (
        "(project_note_59.md)" in after["MEMORY.md"]
        and "(project_note_0.md)" in after["reference_archive.md"]
    )
    listed = Directory(ROOT, [Document(f"{ROOT}/{r}", r, t) for r, t in after.items()])
    assert not listed.orphans() and not found.lost.gone
    again = consolidate(Context(listed, NOW, context.settings))
    assert not again


def test_content_in_a_full_index_becomes_a_memory_before_entries_move() -> None:
    files = {
        "MEMORY.md": "- [A](project_a.md) — a\n\n## Runbook\n\n"
        + "".join(f"Step {n}: look at the gaps of day {n}\n" for n in range(60)),
        "project_a.md": memory("A", "x fact."),
    }
    after, found = run(files, index_lines=50)
    assert "project_runbook.md" in after and "reference_archive.md" not in after
    assert (
        "Step 59: look at the gaps of day 59" in after["project_runbook.md"]
        and "(project_runbook.md)" in after["MEMORY.md"]
    )
    assert list(found.consent) == [f"{ROOT}/MEMORY.md"] and not found.lost.gone


def test_what_can_not_be_moved_is_said() -> None:
    files = {"MEMORY.md": "".join(f"## Section {n}\n\nA line of prose.\n\n" for n in range(60))}
    _, found = run(files, index_lines=50)
    assert "still over its limits" in str(found.notes[-1])
