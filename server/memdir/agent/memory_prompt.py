"""The memory section for an agent's system prompt: `prompts/memory_section.md`, filled in.

The same bytes on every day and in every session of a directory, so that a provider can cache the prompt they are part
of: the text names the pattern of a date, never a date. Types and what is not kept come from `core.taxonomy`.
"""

from __future__ import annotations

import re

from memdir.agent.client_prompts import prompt
from memdir.core.taxonomy import NOT_KEPT, TYPES, MemoryType

_BLOCK = re.compile(r"^\{\{(?P<sign>[#^])(?P<name>\w+)\}\}\n(?P<text>.*?)^\{\{/(?P=name)\}\}\n", re.S | re.M)
_VALUE = re.compile(r"\{\{(\w+)\}\}")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")  # of an example
_BLANKS = re.compile(r"\n{3,}")


def memory_section(memory_dir: str, *, team_dir: str | None = None, log_mode: bool = False) -> str:
    """The section in English, with a line break at its end.

    `team_dir` adds the scopes; `log_mode` replaces the saving of memories by a daily log that is only appended to.
    """
    flags = {"team": team_dir is not None, "log": log_mode}
    values = {
        "memory_dir": memory_dir.rstrip("/\\"),
        "team_dir": (team_dir or "").rstrip("/\\"),
        "types": types_text(scopes=team_dir is not None),
        "not_kept": not_kept_text(),
    }
    text = _BLOCK.sub(
        lambda m: m["text"] if flags[m["name"]] is (m["sign"] == "#") else "", prompt("memory_section") + "\n"
    )
    text = _VALUE.sub(lambda m: values[m[1]], text)  # one pass: what a path holds is never filled in
    return _BLANKS.sub("\n\n", text).strip() + "\n"


def types_text(*, scopes: bool) -> str:
    """The four types for a model, without any date; `scopes` adds where each one lives."""
    return _DATE.sub("YYYY-MM-DD", "\n\n".join(_type(t, scopes=scopes) for t in TYPES.values()))


def not_kept_text() -> str:
    """What is no memory, as a list."""
    return "\n".join(f"- {n.what}" for n in NOT_KEPT)


def _type(type_: MemoryType, *, scopes: bool) -> str:
    lines = [
        f"**{type_.name}**: {type_.holds}",
        f"- When: {type_.when}",
        f"- How: {type_.body}",
    ]
    if type_.parts:
        lines[-1] += " Then " + " and ".join(f"`{p.label}` ({p.hint})" for p in type_.parts) + "."
    if scopes:
        lines.append(f"- Where: {type_.scope_rule}")
    lines.append("- For example: " + " / ".join(f"“{b}”" for b in type_.belongs))
    lines.append("- Not: " + " ".join(str(e) for e in type_.elsewhere))
    return "\n".join(lines)
