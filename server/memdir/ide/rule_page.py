"""What to show of a rule: in a hover, in a tooltip."""

from __future__ import annotations

from memdir.core.i18n import Message, msg
from memdir.core.rule import Rule
from memdir.core.rules import TABLE


def rule_card(name: str) -> Message | None:
    """Markdown: name, summary, why, and a link to the page; None for a rule that does not exist."""
    rule = TABLE.get(name)
    return None if rule is None else _card(rule)


def _card(rule: Rule) -> Message:
    return msg(
        "**{name}**: {summary}\n\n{rationale}\n\n[All about this rule]({url})",
        name=rule.name,
        summary=rule.summary,
        rationale=rule.rationale,
        url=rule.url,
    )
