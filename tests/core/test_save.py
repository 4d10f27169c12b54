"""Saving a memory: its file and its line in the index."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.index import resolve
from memdir.core.naming import memory_rel
from memdir.core.settings import Settings
from tests.core.saving import BODY, DB, FILES, INDEX, TRACKER, memory, save


def test_two_steps_in_one_change_set() -> None:
    plan, files = save(
        FILES,
        type="feedback",
        name="Small commits",
        description="One commit per step, reviewed on the train",
        body=BODY,
    )
    assert (plan.rel, plan.scope, plan.questions, plan.advice) == (
        "feedback_small_commits.md",
        "private",
        (),
        (),
    )
    assert files[plan.rel] == memory(
        "Small commits", "One commit per step, reviewed on the train", "feedback", BODY
    )
    assert files["MEMORY.md"] == INDEX.replace(
        "mocks\n",
        "mocks\n- [Small commits](feedback_small_commits.md) — One commit per step, reviewed on the train\n",
    )
    assert str(plan.change_set.title) == "Save “Small commits”" and plan.change_set.origin == "save"


def test_the_index_never_gets_content() -> None:
    long = "word " * 100
    _, files = save(FILES, type="user", name="Editor", description=long, body="A secret habit.\n" * 50)
    (line,) = [row for row in files["MEMORY.md"].splitlines() if "user_editor.md" in row]
    assert (
        len(line) <= 150
        and "habit" not in files["MEMORY.md"]
        and files["MEMORY.md"].count("\n") == INDEX.count("\n") + 1
    )
    _, files = save(
        FILES, type="user", name="Two\nlines", description="first\n- [x](y.md)\r\n second", body="b"
    )
    assert files["MEMORY.md"].count("\n") == INDEX.count("\n") + 1


@pytest.mark.parametrize(
    ("type_", "team", "scope", "rel"),
    [
        ("project", True, None, "team/project_freeze.md"),
        ("project", False, None, "project_freeze.md"),
        ("project", True, "private", "project_freeze.md"),
        ("feedback", True, None, "feedback_freeze.md"),
        ("feedback", True, "team", "team/feedback_freeze.md"),
        ("user", True, None, "user_freeze.md"),
    ],
)
def test_where_it_goes(type_: str, team: bool, scope: str | None, rel: str) -> None:
    files = {**FILES, "team/MEMORY.md": "- [X](x.md) — y\n", "team/x.md": memory("X", "y", "project")}
    plan, result = save(
        files,
        team=team,
        type=type_,
        name="Freeze",
        description="Export format 2 stays until 2026-04-30",
        body=BODY,
        scope=scope,
    )
    assert plan.rel == rel and rel in result
    index = "team/MEMORY.md" if rel.startswith("team/") else "MEMORY.md"
    assert f"]({rel.removeprefix('team/')})" in result[index]


def test_an_update_changes_file_and_entry() -> None:
    files = {**FILES, "feedback_db.md": DB.replace("type:", "modified: 2026-01-02\ntype:")}
    plan, result = save(
        files,
        type="",
        name="Real databases",
        description="Tests of storage hit PostgreSQL and SQLite",
        body="New.\n" + BODY,
        update="feedback_db.md",
    )
    assert plan.rel == "feedback_db.md" and plan.questions == ()
    assert result["feedback_db.md"].startswith(
        "---\nname: Real databases\ndescription: Tests of storage hit PostgreSQL and SQLite\nmodified: 2026-03-11\ntype: feedback\n---\n"
    )
    assert result["feedback_db.md"].endswith("New.\n" + BODY + "\n")
    assert (
        "- [Real databases](feedback_db.md) — Tests of storage hit PostgreSQL and SQLite\n"
        in result["MEMORY.md"]
    )
    assert len(result) == len(files)


def test_an_update_leaves_wording_of_the_index_alone() -> None:
    _, result = save(
        FILES,
        type="",
        name="",
        description="Import faults: Linear TIDE, label import",
        update="reference_tracker.md",
    )
    assert "- [Tracker](reference_tracker.md) — where import faults are\n" in result["MEMORY.md"]
    assert result["reference_tracker.md"].endswith("---\n\nText.\n")


def test_an_update_lists_what_was_unlisted_and_adds_a_header() -> None:
    files = {"MEMORY.md": "# Memory\n", "notes.md": "Just text.\r\n"}
    _, result = save(
        files, type="project", name="Notes", description="What was said in the kick-off", update="notes.md"
    )
    assert result["notes.md"].startswith("---\r\nname: Notes\r\n") and result["notes.md"].endswith(
        "Just text.\r\n"
    )
    assert "[Notes](notes.md)" in result["MEMORY.md"]


def test_a_new_index_lists_every_memory() -> None:
    files = {"feedback_db.md": DB, "reference_tracker.md": TRACKER, "team/t.md": memory("T", "t", "project")}
    _, result = save(files, type="user", name="Role", description="Maintains the codec", body="x")
    assert [line.partition("(")[2].partition(")")[0] for line in result["MEMORY.md"].splitlines()] == [
        "user_role.md",
        "feedback_db.md",
        "reference_tracker.md",
    ]


def test_the_shape_of_the_directory_is_kept() -> None:
    nested = "---\nname: a\ndescription: b\nmetadata:\n  type: user\n---\nx\n"
    _, result = save({"a.md": nested}, type="user", name="C", description="d e f", body="y")
    assert result["user_c.md"] == "---\nname: C\ndescription: d e f\nmetadata:\n  type: user\n---\n\ny\n"


def test_further_types_of_the_settings() -> None:
    plan, _ = save(
        FILES,
        settings=Settings(extend_types=("decision",)),
        type="decision",
        name="Bus",
        description="Events go through one bus",
        body="x",
    )
    assert plan.rel == "decision_bus.md" and plan.scope == "private"


@given(st.text(max_size=120), st.sampled_from(["user", "feedback"]), st.booleans())
def test_names_make_safe_files(name: str, type_: str, team: bool) -> None:
    rel = memory_rel(type_, name, {}, team=team)
    stem = rel.removeprefix("team/")
    assert rel.startswith("team/") is team and stem.startswith(type_) and stem.endswith(".md")
    assert resolve("MEMORY.md", rel) == rel and len(stem.encode("utf-8", "replace")) <= 83
    assert not set(stem) & set('/\\:*?"<>| .\0\n') - {"."}
    assert memory_rel(type_, name, {rel}, team=team) != rel


def test_names_in_other_scripts() -> None:
    assert (
        memory_rel("feedback", "\u96c6\u6210\u6d4b\u8bd5 \u7528\u771f\u5b9e\u6570\u636e\u5e93", {})
        == "feedback_\u96c6\u6210\u6d4b\u8bd5_\u7528\u771f\u5b9e\u6570\u636e\u5e93.md"
    )
    assert memory_rel("user", "User: Gr\u00f6\u00dfe & Co.", {}) == "user_gr\u00f6sse_co.md"
    assert memory_rel("user", "!!!", {"user.md"}) == "user_2.md"
