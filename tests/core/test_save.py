"""Saving and forgetting as change sets."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.changes import project
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.forget import plan_forget
from memdir.core.index import resolve
from memdir.core.model import ChangeSet
from memdir.core.naming import memory_rel
from memdir.core.rule import Context
from memdir.core.save import SaveError, SavePlan, SaveRequest, plan_save
from memdir.core.settings import Settings
from tests.conftest import NOW

BODY = (
    "Use the container.\n\n**Why:** mocks hid a broken default.\n\n**How to apply:** every test that writes."
)


def memory(name: str, description: str, type_: str, body: str = "Text.") -> str:
    return f"---\nname: {name}\ndescription: {description}\ntype: {type_}\n---\n\n{body}\n"


DB = memory(
    "Real database", "Integration tests must hit a real PostgreSQL, burned by mocks", "feedback", BODY
)
TRACKER = memory("Tracker", "Faults of the import are in Linear, project TIDE", "reference")
INDEX = "# Memory\n\n## Feedback\n- [Real database](feedback_db.md) — Integration tests must hit a real PostgreSQL, burned by mocks\n\n## References\n- [Tracker](reference_tracker.md) — where import faults are\n"
FILES = {"MEMORY.md": INDEX, "feedback_db.md": DB, "reference_tracker.md": TRACKER}


def context(files: dict[str, str], settings: Settings | None = None) -> Context:
    documents = [
        Document(f"/m/{rel}", rel, text, (NOW - timedelta(days=i)).timestamp())
        for i, (rel, text) in enumerate(files.items())
    ]
    return Context(Directory("/m", documents), NOW, settings or Settings())


def after(changes: ChangeSet, files: dict[str, str]) -> dict[str, str]:
    """Files as they are once `changes` is applied; fails on any clash."""
    present = {f"/m/{rel}": text.encode() for rel, text in files.items()}
    outcomes, clashes = project(changes, present.get)
    assert clashes == ()
    for outcome in outcomes:
        if outcome.after is None:
            del present[outcome.path]
        else:
            present[outcome.path] = outcome.after
    return {path.removeprefix("/m/"): content.decode() for path, content in present.items()}


def save(
    files: dict[str, str], *, team: bool = False, settings: Settings | None = None, **request: object
) -> tuple[SavePlan, dict[str, str]]:
    plan = plan_save(context(files, settings), SaveRequest(**request), team=team)  # type: ignore[arg-type]
    return plan, after(plan.change_set, files)


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


def test_an_existing_memory_is_proposed_instead() -> None:
    plan, files = save(
        FILES,
        type="feedback",
        name="DB tests",
        description="Integration tests use a real database, no mocks",
        body=BODY,
    )
    (question,) = plan.questions
    assert question.kind == "duplicate" and [c.rel for c in question.candidates] == ["feedback_db.md"]
    assert (
        "feedback_db.md" in str(question.message) and plan.rel in files
    )  # a person may save it all the same
    plan, _ = save(FILES, type="reference", name="tracker", description="Something else altogether", body="x")
    assert plan.questions[0].candidates[0].score == 1.0 and plan.rel == "reference_tracker_2.md"
    plan, _ = save(
        FILES, type="project", name="Office", description="The office moves to another floor", body=BODY
    )
    assert plan.questions == ()


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


def test_team_feedback_is_held_against_a_private_one() -> None:
    files = {
        **FILES,
        "team/MEMORY.md": "",
        "team/feedback_mocks.md": memory(
            "Mocks", "Unit tests mock the network and the clock", "feedback", BODY
        ),
    }
    plan, _ = save(
        files,
        team=True,
        type="feedback",
        name="No mocking",
        description="Never mock the network in unit tests",
        body=BODY,
    )
    kinds = {q.kind: [c.rel for c in q.candidates] for q in plan.questions}
    assert "team/feedback_mocks.md" in {rel for rels in kinds.values() for rel in rels}
    plan, _ = save(
        files,
        team=True,
        type="feedback",
        name="Branch names",
        description="Branches carry the ticket number",
        body=BODY,
    )
    assert plan.questions == ()


def test_body_structure_is_advised() -> None:
    plan, _ = save(
        FILES, type="feedback", name="Tabs", description="Indent make files with tabs", body="Tabs."
    )
    assert [str(a) for a in plan.advice] == [
        "A feedback memory says **Why:** the reason: what happened, or what the person values.",
        "A feedback memory says **How to apply:** where the rule applies, and where it ends.",
    ]


def test_derivable_content_is_questioned() -> None:
    tree = "src/\n├── app.py\n├── db.py\n└── util/\n    └── dates.py\n"
    plan, files = save(FILES, type="project", name="Layout", description="Where the modules are", body=tree)
    (question,) = plan.questions
    assert question.kind == "derivable" and str(question.message).endswith(
        "What in it would surprise somebody who has just read the code?"
    )
    assert plan.rel in files  # a person may save it all the same


def test_relative_dates_become_absolute() -> None:
    body = "Frozen until next Friday.\n\n**Why:** the audit.\n\n**How to apply:** no new columns."
    plan, files = save(FILES, type="project", name="Freeze", description="The export is frozen", body=body)
    assert "Frozen until 2026-03-20." in files["project_freeze.md"]
    assert [str(a) for a in plan.advice] == ["“next Friday” is saved as “2026-03-20”."]


def test_a_full_index_is_told() -> None:
    files = {**FILES, "MEMORY.md": INDEX + "- [x](x.md)\n" * 200}
    plan, _ = save(files, type="user", name="Role", description="Maintains the codec", body="x")
    assert any("full" in str(a) for a in plan.advice)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"type": "decision", "name": "x", "description": "y"}, "Unknown type"),
        ({"type": "user", "name": " ", "description": "y"}, "needs a name"),
        ({"type": "user", "name": "x", "description": "\n"}, "needs a description"),
        ({"type": "user", "name": "x", "description": "y z", "scope": "team"}, "always private"),
        ({"type": "user", "name": "x" * 300, "description": "y"}, "300 characters"),
        ({"type": "user", "name": "x", "description": "y", "update": "gone.md"}, "no memory"),
        ({"type": "user", "name": "x", "description": "y", "update": "MEMORY.md"}, "no memory"),
        (
            {"type": "", "name": "x", "description": "y", "update": "feedback_db.md", "scope": "team"},
            "move it first",
        ),
    ],
)
def test_what_is_refused(request_: dict[str, str], words: str) -> None:
    with pytest.raises(SaveError, match=words):
        save(FILES, team=True, **request_)


def test_no_credentials_for_the_team() -> None:
    token = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    request = {
        "type": "reference",
        "name": "CI",
        "description": "Access to the CI",
        "body": f"password: correct-horse-{token}\nurl: https://bob:hunter2secret@ci.example",
    }
    with pytest.raises(SaveError):
        save(FILES, team=True, **request)  # type: ignore[arg-type]
    plan, _ = save(FILES, team=True, scope="private", **request)  # type: ignore[arg-type]
    assert plan.advice


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


# forgetting


def test_forgetting_takes_every_pointer_along() -> None:
    files = {
        **FILES,
        "user_role.md": memory(
            "Role", "Codec", "user", "See [[real-database]] and [the rule](feedback_db.md), or [[Tracker]]."
        ),
        "archive.md": memory(
            "Archive",
            "Older ones",
            "reference",
            "- [Real database](feedback_db.md) — old\n- [Role](user_role.md) — who",
        ),
    }
    plan = plan_forget(context(files).directory, "Real database")
    result = after(plan.change_set, files)
    assert "feedback_db.md" not in result
    assert (
        result["MEMORY.md"]
        == "# Memory\n\n## Feedback\n\n## References\n- [Tracker](reference_tracker.md) — where import faults are\n"
    )
    assert result["user_role.md"].endswith("See real-database and the rule, or [[Tracker]].\n")
    assert result["archive.md"].endswith("---\n\n- [Role](user_role.md) — who\n")
    assert plan.change_set.origin == "delete" and str(plan.change_set.title) == "Forget “Real database”"


def test_a_line_with_other_links_stays() -> None:
    files = {
        **FILES,
        "MEMORY.md": "- [A](feedback_db.md), [B](reference_tracker.md) — both\n- [[Real database]] — x\n- [C](feedback_db.md)\n- [D](feedback_db.md)",
    }
    result = after(plan_forget(context(files).directory, "feedback_db.md").change_set, files)
    assert result["MEMORY.md"] == "- A, [B](reference_tracker.md) — both\n"


def test_which_one_is_meant() -> None:
    files = {**FILES, "team/x.md": memory("Real database", "For the team", "feedback")}
    directory = context(files).directory
    plan = plan_forget(directory, "real-database")
    assert not plan.change_set and [d.rel for d in plan.matches] == ["feedback_db.md", "team/x.md"]
    assert plan_forget(directory, "team/x").change_set
    plan = plan_forget(directory, "import faults in Linear")
    assert not plan.change_set and [d.rel for d in plan.matches] == ["reference_tracker.md"]
    plan = plan_forget(directory, "weather")
    assert not plan.change_set and plan.matches == ()
    assert not plan_forget(directory, "MEMORY.md").change_set


def test_a_namesake_keeps_its_wikilinks() -> None:
    files = {
        **FILES,
        "team/x.md": memory("Real database", "For the team", "feedback"),
        "u.md": memory("U", "u", "user", "[[Real database]] [[feedback_db]]"),
    }
    result = after(plan_forget(context(files).directory, "feedback_db").change_set, files)
    assert result["u.md"].endswith("---\n\n[[Real database]] feedback_db\n")
