"""Answers to editor questions."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "**{name}**: {summary}\n\n{rationale}\n\n[All about this rule]({url})": "**{name}**：{summary}\n\n{rationale}\n\n[关于此规则]({url})",
}
