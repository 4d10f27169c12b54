"""Every rule's own examples: the bad one fires, the good one doesn't, the fix mends and has nothing left to do."""

from __future__ import annotations

import re

import pytest

from memdir.core.examples import example_context
from memdir.core.model import Safety
from memdir.core.rule import Example, Rule
from memdir.core.rules import RULES
from tests.rules.world import applied, lint

# Rules that need more than a directory and a repository to fire: their own tests run the examples.
ELSEWHERE = frozenset(
    {
        "config-invalid",
        "settings-project-directory",
        "settings-unreadable",
        "agent-memory-misplaced",
        "log-path",
        "log-rewritten",
    }
)

# Their findings are about files of the store (settings, logs on disk), tested there.
CASES = [(rule, example) for rule in RULES if rule.name not in ELSEWHERE for example in rule.examples]
IDS = [
    f"{rule.name}-{n}" for rule in RULES if rule.name not in ELSEWHERE for n, _ in enumerate(rule.examples, 1)
]


def key(diagnostic: object) -> tuple[str, str]:
    return (getattr(diagnostic, "path"), str(getattr(diagnostic, "message")))  # noqa: B009


@pytest.mark.parametrize(("rule", "example"), CASES, ids=IDS)
def test_example(rule: Rule, example: Example) -> None:
    bad = example_context(example, example.bad)
    found = lint(bad, rule.name)
    assert found, "the bad example does not fire"
    assert not lint(example_context(example, example.good), rule.name), "the good example fires"
    for diagnostic in found:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end
        assert str(diagnostic.message)
    if rule.fix is None:
        assert not any(d.fix for d in found), "the rule says that it has no fix"
    for diagnostic in found:
        fix = diagnostic.fix
        if fix is None:
            continue
        left = lint(applied(bad, fix), rule.name)
        assert key(diagnostic) not in [key(d) for d in left], "the fix does not remove the finding"
        assert len(left) < len(found)
        again = [d for d in left if d.fix and d.fix.title == fix.title and d.path == diagnostic.path]
        assert not again, "the fix wants to be applied twice"


def test_every_rule_documents_itself() -> None:
    for rule in RULES:
        assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", rule.name), rule.name
        assert rule.examples or rule.name in ELSEWHERE, f"{rule.name} has no example"
        assert str(rule.summary).endswith("."), rule.name
        assert len(str(rule.rationale)) > 40, rule.name
        assert rule.url.endswith(rule.name)


def test_names_are_unique() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    "rule", [r for r in RULES if r.fix and r.name not in ELSEWHERE], ids=lambda r: r.name
)
def test_the_declared_safety_is_that_of_a_fix(rule: Rule) -> None:
    fixes = [d.fix for e in rule.examples for d in lint(example_context(e, e.bad), rule.name) if d.fix]
    assert fixes, "the rule says that it has a fix, no example shows one"
    assert rule.fix in {f.safety for f in fixes}
    if rule.fix is Safety.SAFE:
        assert {f.safety for f in fixes} == {Safety.SAFE}
