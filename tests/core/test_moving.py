"""Moving a memory between private and team: the files afterwards, as the rule's fix and the refactoring leave them."""

from __future__ import annotations

import pytest

from memdir.core.changes import project
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import ChangeSet
from memdir.core.moving import move, relative_path
from memdir.core.rule import Context
from memdir.core.rules import user_memory_in_team
from tests.conftest import NOW

JO = "---\nname: Jo\ndescription: Likes tests\ntype: user\n---\n"


def world(files: dict[str, str]) -> Context:
    return Context(Directory("/m", [Document(f"/m/{rel}", rel, text) for rel, text in files.items()]), NOW)


def moved(files: dict[str, str], rel: str, *, team: bool) -> dict[str, str | None]:
    """What the move of `rel` changes: relative path -> text, None for the file that went."""
    context = world(files)
    document = context.directory.get(rel)
    assert document is not None
    changes = move(document, context.directory, context.settings, team=team)
    before = {d.path: d.content for d in context.directory}
    outcomes, clashes = project(ChangeSet(msg("Move"), changes, "action"), before.get)
    assert not clashes
    return {o.path[3:]: None if o.after is None else o.after.decode() for o in outcomes}


def test_the_rules_fix_takes_every_link_along() -> None:
    files = {
        "team/user_jo.md": JO + "With [tests](project_tests.md), [again](#x), [self](user_jo.md#x).\n",
        "team/project_tests.md": "Asked for by [Jo](user_jo.md#why) and [[user_jo]].\n",
        "project_b.md": "See [Jo](<team/user_jo.md>) and [Jo](./team/user_jo.md).\n",
        "team/MEMORY.md": "- [Jo](user_jo.md) — x\n- [Tests](project_tests.md), for [Jo](user_jo.md)\n",
        "MEMORY.md": "- [B](project_b.md) — hook",
    }
    after = moved(files, "team/user_jo.md", team=False)
    assert after == {
        "team/user_jo.md": None,
        "user_jo.md": JO + "With [tests](team/project_tests.md), [again](#x), [self](user_jo.md#x).\n",
        "team/project_tests.md": "Asked for by [Jo](../user_jo.md#why) and [[user_jo]].\n",
        "project_b.md": "See [Jo](<user_jo.md>) and [Jo](./user_jo.md).\n",
        "team/MEMORY.md": "- [Tests](project_tests.md), for [Jo](../user_jo.md)\n",
        "MEMORY.md": "- [B](project_b.md) — hook\n- [Jo](user_jo.md) — Likes tests",
    }
    context = world(files)
    document = context.directory.get("team/user_jo.md")
    assert document is not None
    (finding,) = user_memory_in_team.RULE.check(document, context)
    assert finding.fixes[0].changes == move(document, context.directory, context.settings, team=False)


def test_wikilinks_follow_a_file_that_gets_a_number() -> None:
    after = moved(
        {
            "team/user_jo.md": JO + "I am [[user_jo]].\n",
            "team/project_tests.md": "Asked for by [[user_jo]] and [[user_jo|Jo]].\n",
            "project_b.md": "Mine: [[user_jo]].\n",
            "user_jo.md": "mine",
        },
        "team/user_jo.md",
        team=False,
    )
    assert after == {
        "team/user_jo.md": None,
        "user_jo_2.md": JO + "I am [[user_jo_2]].\n",
        "team/project_tests.md": "Asked for by [[user_jo_2]] and [[user_jo_2|Jo]].\n",
        "MEMORY.md": "- [Jo](user_jo_2.md) — Likes tests\n",
    }


def test_paths_that_a_link_cannot_hold_are_escaped() -> None:
    after = moved(
        {
            "berth plan.md": "x\n",
            "a.md": "[P](berth%20plan.md) and [P](<berth plan.md>)\n",
            "MEMORY.md": "- [P](<berth plan.md>)\n- [Q](b.md)\n- [R](c.md)\n",
        },
        "berth plan.md",
        team=True,
    )
    assert after["a.md"] == "[P](team/berth%20plan.md) and [P](<team/berth plan.md>)\n"
    assert after["MEMORY.md"] == "- [Q](b.md)\n- [R](c.md)\n"


def test_two_last_lines_of_an_index_go_together() -> None:
    after = moved({"a.md": JO, "MEMORY.md": "- [B](b.md)\n- [A](a.md)\n- [A again](a.md)"}, "a.md", team=True)
    assert after["MEMORY.md"] == "- [B](b.md)\n"


@pytest.mark.parametrize(
    ("source", "target", "path"),
    [
        ("a.md", "b.md", "b.md"),
        ("team/a.md", "b.md", "../b.md"),
        ("a.md", "team/b.md", "team/b.md"),
        ("x/y/a.md", "x/z/b.md", "../z/b.md"),
    ],
)
def test_relative_paths(source: str, target: str, path: str) -> None:
    assert relative_path(source, target) == path
