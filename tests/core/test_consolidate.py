"""Mechanical consolidation: every step alone, together, without losing a statement, and settled after one run."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir.core.consolidate import Consolidation, consolidate, tidy, with_consent
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.index import load
from memdir.core.preservation import losses
from memdir.core.rule import Context
from memdir.core.settings import DEFAULTS
from tests.conftest import NOW

ROOT = "/m"
LONG = "the collector of the operations team drops every line that is free text, which was found out the hard way when an alarm stayed silent for nine days in a row, so that nobody looked"


def memory(name: str, body: str, *, type: str = "project", description: str = "", **header: str) -> str:
    extra = "".join(f"{k}: {v}\n" for k, v in header.items())
    return f"---\nname: {name}\ndescription: {description or 'What there is to know about ' + name}\ntype: {type}\n{extra}---\n{body}\n"


def context_of(files: dict[str, str], **changes: Any) -> Context:
    base = NOW.timestamp() - 86_400
    documents = [
        Document(f"{ROOT}/{rel}", rel, text.encode(), base + n) for n, (rel, text) in enumerate(files.items())
    ]
    return Context(Directory(ROOT, documents), NOW, replace(DEFAULTS, **changes))


def result(context: Context, found: Consolidation) -> dict[str, str]:
    """Files after the consolidation."""
    files = {d.rel: d.text for d in context.directory}
    for outcome in found.outcomes:
        rel = outcome.path.removeprefix(ROOT + "/")
        assert outcome.reasons, f"{rel} has no reason"
        if outcome.after is None:
            del files[rel]
        else:
            files[rel] = outcome.after.decode()
    return files


def run(files: dict[str, str], **changes: Any) -> tuple[dict[str, str], Consolidation]:
    context = context_of(files, **changes)
    found = consolidate(context)
    return result(context, found), found


def reasons(found: Consolidation) -> dict[str, list[str]]:
    return {o.path.removeprefix(ROOT + "/"): [str(r) for r in o.reasons] for o in found.outcomes}


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


NEAR = "Integration tests run against PostgreSQL in a container and never against mocks, because mocked tests passed while the migration failed; the container is thrown away after each run and started anew with the data of a small port"


def near(more: str = "") -> dict[str, str]:
    return {
        "MEMORY.md": "- [Real DB](feedback_db.md) — real database\n- [Tests](feedback_tests.md) — tests\n",
        "feedback_db.md": memory(
            "Real DB",
            f"{NEAR}.\n\n**Why:** Burned in the autumn.",
            type="feedback",
            description="Integration tests hit a real PostgreSQL",
        ),
        "feedback_tests.md": memory(
            "Tests",
            f"{NEAR}.\n\n**How to apply:** Use the fixture of the test suite.{more}",
            type="feedback",
            description="Integration tests hit a real PostgreSQL",
        ),
    }


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


LOG = "# 2026-03-09\n\n- 09:12 Mara wants the freeze until tomorrow\n  because of the release\n- 10:00 The queue holds 50 ports\n"


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


WORDS = ["freeze", "queue", "Mara", "until Thursday", "2026-03-05", "tests", "[a](project_a.md)", "[[project_b]]", "https://x.example/y", "合并冻结", "because", "**Why:** x reason", "```\ncode\n```", "| a | b |\n|---|---|\n| 1 | 2 |", "\r\n", "\n\n", "# Head"]  # fmt: skip
bodies = st.lists(st.sampled_from(WORDS), min_size=0, max_size=12).map(" ".join)
names = st.sampled_from(
    [f"{t}_{x}" for t in ("project", "user") for x in "abc"] + ["odd name", "team/project_t"]
)


@st.composite
def directories(draw: Any) -> dict[str, str]:
    files: dict[str, str] = {}
    for name in draw(st.lists(names, max_size=6, unique=True)):
        body = draw(bodies)
        files[f"{name}.md"] = (
            body
            if draw(st.booleans()) and draw(st.booleans())
            else memory(draw(st.sampled_from(["A", "B", ": odd"])), body)
        )
    entries = draw(st.lists(st.sampled_from([f"- [T]({n}.md) — hook {n}" for n in ("project_a", "user_b", "gone")] + ["prose line", "", "## Section", f"- [Long](project_a.md) — {LONG} {LONG}", "| [t](user_a.md) | x |"]), max_size=12))  # fmt: skip
    if draw(st.booleans()):
        files["MEMORY.md"] = "\n".join(entries)
    if draw(st.booleans()):
        files["logs/2026/03/2026-03-09.md"] = LOG + draw(bodies)
    return files


@settings(max_examples=120, deadline=None)
@given(directories())
def test_any_directory_settles_and_loses_no_statement(files: dict[str, str]) -> None:
    context = context_of(files, index_lines=8)
    found = consolidate(context)
    after = result(context, found)
    assert {r: t for r, t in after.items() if r.startswith("logs/")} == {
        r: t for r, t in files.items() if r.startswith("logs/")
    }
    old = {d.rel: d for d in context.directory}
    merged = [rel[:-3] for rel in files if rel not in after]  # links to these lead elsewhere: no statement
    undated = [
        x
        for x in losses(old, {r: Document(f"{ROOT}/{r}", r, t) for r, t in after.items()}).gone
        if "Thursday" not in x.text and x.rel != "MEMORY.md"  # hooks of entries that go are shown to a person
        if not any(stem in x.text for stem in merged)
    ]
    assert not undated
    again = consolidate(context_of(after, index_lines=8))
    twice = result(context_of(after, index_lines=8), again)
    assert not consolidate(context_of(twice, index_lines=8)).outcomes


@pytest.mark.parametrize("agreed", [(), None])
def test_partial_consent_on_an_empty_directory(agreed: Any) -> None:
    context = context_of({})
    assert not with_consent(consolidate(context), context.directory, context.settings, agreed)
