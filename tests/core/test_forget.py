"""Forgetting: which memory is meant, and every pointer to it goes along."""

from __future__ import annotations

from memdir.core.forget import plan_forget
from tests.core.saving import FILES, after, context, memory

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
