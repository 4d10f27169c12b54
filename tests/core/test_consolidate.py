"""Consolidation without a model: dates, duplicates, logs, consent."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from memdir.core.consolidate import consolidate, tidy, with_consent
from tests.core.consolidation import LOG, LONG, NEAR, ROOT, context_of, memory, near, reasons, result, run


def test_nothing_to_do() -> None:
    files = {"MEMORY.md": "- [A](project_a.md) — about A\n", "project_a.md": memory("A", "One fact.")}
    _, found = run(files)
    assert not found and not found.lost and not found.notes and not found.change_set


def test_relative_dates_are_written_out() -> None:
    files = {
        "MEMORY.md": "- [F](project_f.md) — freeze\n",
        "project_f.md": memory("F", "Frozen until Thursday.", modified="2026-03-04"),
    }
    after, found = run(files)
    assert "Frozen until 2026-03-05." in after["project_f.md"]
    assert reasons(found) == {
        "project_f.md": ["a relative date is written out (Write “2026-03-05” instead of “Thursday”)"]
    }


DATED = memory("F", "Frozen until Thursday.", modified="2026-03-04")
TWICE = memory("Queue", "Jobs are rows in PostgreSQL.", description="PostgreSQL is the queue")
HIDE = "<!-- memdir: ignore-file near-duplicate -->\n"


@pytest.mark.parametrize(
    ("files", "rule"),
    [
        ({"MEMORY.md": "- [F](project_f.md) — freeze\n", "project_f.md": DATED}, "relative-date"),
        ({"MEMORY.md": "- [A](project_a.md)\n- [B](project_b.md)\n", "project_a.md": TWICE, "project_b.md": TWICE}, "near-duplicate"),
        ({"MEMORY.md": "- [Gone](project_gone.md) — was here\n"}, "index-broken-link"),
        ({"MEMORY.md": "- [A](project_a.md) — a\n- [A](project_a.md) — a\n", "project_a.md": memory("A", "x.")}, "index-duplicate-entry"),
        ({"MEMORY.md": "x\n", "project_a.md": memory("A", "x.")}, "index-orphan"),
        ({"MEMORY.md": f"- [A](project_a.md) — {LONG} {LONG}\n", "project_a.md": memory("A", "x.")}, "index-entry-too-long"),
    ],
)  # fmt: skip
def test_a_rule_that_is_off_asks_for_nothing(files: dict[str, str], rule: str) -> None:
    assert run(files)[1].outcomes
    assert not run(files, ignore=(rule,))[1].outcomes


def test_excluded_and_suppressed_files_are_left_alone() -> None:
    files = {
        "MEMORY.md": "- [F](project_f.md) — f\n",
        "project_f.md": DATED,
        "archive/old.md": DATED,
        "archive/older.md": DATED,
    }
    after, _ = run(files, exclude=("archive/**",))
    assert {r: t for r, t in after.items() if r.startswith("archive")} == {
        r: t for r, t in files.items() if r.startswith("archive")
    }
    assert "archive" not in after["MEMORY.md"]
    twice = {
        "MEMORY.md": "- [A](project_a.md)\n- [B](project_b.md)\n",
        "project_a.md": TWICE + HIDE,
        "project_b.md": TWICE + HIDE,
    }
    assert not run(twice)[1].outcomes


def test_exact_duplicates_are_merged_and_pointers_follow() -> None:
    body = "Jobs are rows in PostgreSQL, because nobody on call knows a broker."
    files = {
        "MEMORY.md": "- [Queue](project_queue.md) — PostgreSQL\n- [Old queue](project_old.md) — the same\n",
        "project_queue.md": memory("Queue", body, description="PostgreSQL is the queue"),
        "project_old.md": memory("Old queue", body, description="PostgreSQL is the queue"),
        "user_me.md": memory(
            "Me", "See [queue](project_old.md) and [[project_old]] and [[Old queue]].", type="user"
        ),
        "user_you.md": memory(
            "You", "It is in [[project_queue]], see [there](project_queue.md).", type="user"
        ),
        "user_them.md": memory("Them", "They look at [[project_queue]] on Mondays.", type="user"),
    }
    after, found = run(
        {
            **files,
            "MEMORY.md": files["MEMORY.md"]
            + "- [Me](user_me.md) — me\n- [You](user_you.md)\n- [Them](user_them.md)\n",
        }
    )
    assert "project_queue.md" in after and "project_old.md" not in after
    assert (
        after["MEMORY.md"]
        == "- [Queue](project_queue.md) — PostgreSQL\n- [Me](user_me.md) — me\n- [You](user_you.md)\n- [Them](user_them.md)\n"
    )
    assert "See [queue](project_queue.md) and [[project_queue]] and [[project_queue]]." in after["user_me.md"]
    assert str(found.consent[f"{ROOT}/project_old.md"]) == "the file is deleted"
    assert [x.text for x in found.lost.gone] == [
        "the same"
    ]  # the hook of the entry that went: a person sees it
    assert reasons(found)["project_old.md"] == ["merged into project_queue.md (100 % the same)"]


def test_near_duplicates_keep_every_statement() -> None:
    after, found = run(near())
    kept = [rel for rel in after if rel.startswith("feedback")]
    assert len(kept) == 1 and len(found.consent) == 1
    text = after[kept[0]]
    assert (
        text.count(NEAR) == 1
        and "**Why:** Burned in the autumn." in text
        and "**How to apply:** Use the fixture of the test suite." in text
    )
    assert {x.rel for x in (*found.lost.gone, *found.lost.reworded)} <= {"MEMORY.md"}


def test_a_series_is_never_merged() -> None:
    files = near()
    files["feedback_tests.md"] = files["feedback_tests.md"].replace("PostgreSQL in", "PostgreSQL 17 in")
    after, found = run(files)
    assert after == files and not found
    assert "differ in numbers" in str(found.notes[0])


def test_different_types_and_scopes_are_for_a_person() -> None:
    files = near()
    files["feedback_tests.md"] = files["feedback_tests.md"].replace("type: feedback", "type: project")
    after, found = run(files)
    assert after == files and "different scope or type" in str(found.notes[0])
    team = {**near(), "MEMORY.md": "- [Real DB](feedback_db.md) — real database\n"}
    team["team/feedback_tests.md"] = team.pop("feedback_tests.md")
    team["team/MEMORY.md"] = "- [Tests](feedback_tests.md) — tests\n"
    after, found = run(team)
    assert after == team and "different scope or type" in str(found.notes[0])


def test_code_is_taken_over_whole() -> None:
    after, _ = run(near("\n\n```sh\nmake db\n# wait\n```"))
    (text,) = (t for rel, t in after.items() if rel.startswith("feedback"))
    assert "```sh\nmake db\n# wait\n```" in text


def test_log_bullets_are_gathered_by_day() -> None:
    files = {
        "MEMORY.md": "- [A](project_a.md) — a\n",
        "project_a.md": memory("A", "The queue holds 50 ports."),
        "logs/2026/03/2026-03-09.md": LOG,
        "logs/2026/03/2026-03-10.md": "- 08:00 Lindau asks for a date\n- 08:01 key is AKIAIOSFODNN7RQZMPLE now\n",
        "logs/2026/03/2026-03-11.md": "- 08:00 today is not over\n",
        "logs/2026/02/2026-02-20.md": "- 08:00 Another month\n",
    }
    after, found = run(files)
    assert after["project_log_2026_03.md"].split("---\n", 2)[2] == (
        "\n## 2026-03-09\n\n- Mara wants the freeze until 2026-03-10\n  because of the release\n\n## 2026-03-10\n\n- Lindau asks for a date\n"
    )
    assert "Another month" in after["project_log_2026_02.md"]
    assert all(after[rel] == text for rel, text in files.items() if rel.startswith("logs/"))
    assert "secret" in str(found.notes[0])
    assert "project_log_2026_03.md" in after["MEMORY.md"]
    again = consolidate(context_of(after))
    assert not again, reasons(again)


def test_logs_before_the_last_consolidation_are_left_alone() -> None:
    files = {
        "MEMORY.md": "x\n",
        "logs/2026/03/2026-03-09.md": LOG,
        "logs/2026/03/2026-03-10.md": "- 08:00 Lindau asks\n",
    }
    context = context_of(files)
    found = consolidate(context, since=date(2026, 3, 10))
    assert "2026-03-09" not in result(context, found)["project_log_2026_03.md"]


def test_without_consent_memories_stay_and_are_listed() -> None:
    context = context_of(near())
    found = consolidate(context)
    part = with_consent(found, context.directory, context.settings, ())
    after = result(context, part)
    assert {"feedback_db.md", "feedback_tests.md"} <= set(after)
    assert (
        after["feedback_db.md"] == near()["feedback_db.md"]
        and after["feedback_tests.md"] == near()["feedback_tests.md"]
    )
    assert "feedback_db.md" in after["MEMORY.md"] and "feedback_tests.md" in after["MEMORY.md"]
    assert not part.consent
    assert with_consent(found, context.directory, context.settings, None) is found
    assert with_consent(found, context.directory, context.settings, set(found.consent)) is found


def test_consent_to_one_of_two_deletions() -> None:
    files = {"MEMORY.md": "", "project_x.md": memory("X", "Kept fact.")}
    for letter in "abcd":
        text = f"Statement of group {'one' if letter in 'ab' else 'two'}: " + (
            "alpha beta gamma" if letter in "ab" else "delta epsilon zeta"
        )
        files[f"project_{letter}.md"] = memory("Same" if letter in "ab" else "Other", text, description="d")
    context = context_of(files)
    found = consolidate(context)
    assert len(found.consent) == 2
    agreed = sorted(found.consent)[0]
    part = with_consent(found, context.directory, context.settings, {agreed})
    after = result(context, part)
    assert agreed.removeprefix(ROOT + "/") not in after
    for path in found.consent:
        if path != agreed:
            assert path.removeprefix(ROOT + "/") in after
            assert path.removeprefix(ROOT + "/") in after["MEMORY.md"]


def test_tidy_neither_merges_nor_gathers() -> None:
    files = {
        **near(),
        "logs/2026/03/2026-03-09.md": LOG,
        "project_f.md": memory("F", "Frozen until Thursday.", modified="2026-03-04"),
    }
    work = tidy(context_of(files))
    assert {o.path.removeprefix(ROOT + "/") for o in work.outcomes()} == {"MEMORY.md", "project_f.md"}


@pytest.mark.parametrize("agreed", [(), None])
def test_partial_consent_on_an_empty_directory(agreed: Any) -> None:
    context = context_of({})
    assert not with_consent(consolidate(context), context.directory, context.settings, agreed)
