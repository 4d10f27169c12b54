"""What is asked and advised before saving, and what is refused."""

from __future__ import annotations

import pytest

from memdir.core.save import SaveError
from tests.core.saving import BODY, FILES, INDEX, memory, save


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
        save(FILES, team=True, **request)
    plan, _ = save(FILES, team=True, scope="private", **request)
    assert plan.advice
