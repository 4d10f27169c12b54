"""The rules, one file each: `memdir.core.rules.some_rule` defines `RULE`, named `some-rule`.

`RULES` is their fixed order (frontmatter, index, body, staleness, safety, suppression); pages, settings and the JSON
schema are generated from it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdir.core.rule import Rule

_NAMES = (
    # frontmatter
    "frontmatter_missing",
    "frontmatter_unclosed",
    "frontmatter_invalid_yaml",
    "frontmatter_cut_by_comment",
    "frontmatter_duplicate_key",
    "frontmatter_below_scan_window",
    "name_missing",
    "name_duplicate",
    "description_missing",
    "description_vague",
    "description_weak",
    "description_multiline",
    "type_missing",
    "type_unknown",
    # index
    "index_over_line_limit",
    "index_over_size_limit",
    "index_near_limit",
    "index_entry_too_long",
    "index_entry_malformed",
    "index_broken_link",
    "index_duplicate_entry",
    "index_orphan",
    "index_holds_content",
    "index_link_escapes",
    # body
    "relative_date",
    "feedback_without_why",
    "feedback_without_how_to_apply",
    "project_without_why",
    "broken_link",
    "broken_wikilink",
    "filename_type_mismatch",
    "derivable_content",
    "not_utf8",
    "invisible_characters",
    "file_too_large",
    # staleness
    "memory_stale",
    "deadline_passed",
    "citation_broken",
    "citation_drifted",
    # memories against each other and against the instructions
    "near_duplicate",
    "duplicates_instructions",
    "contradicts_team",
    # daily logs
    "log_path",
    "log_entry_format",
    "log_rewritten",
    # safety
    "secret_in_memory",
    "personal_data_in_team",
    "user_memory_in_team",
    "injected_instructions",
    # settings files: reported by the store, no memory is looked at
    "config_invalid",
    "settings_project_directory",
    "settings_unreadable",
    "agent_memory_misplaced",
    # suppression: run by the driver, after the others
    "suppression_unknown_rule",
    "suppression_unused",
)


# Names as they are written in settings, in the same order; knowing them loads no rule.
NAMES: tuple[str, ...] = tuple(name.replace("_", "-") for name in _NAMES)
RULES: tuple[Rule, ...]
TABLE: dict[str, Rule]


def __getattr__(name: str) -> object:
    """`RULES` and `TABLE` load with the first question for either."""
    if name not in ("RULES", "TABLE"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    rules = tuple(_load(module) for module in _NAMES)
    found = {"RULES": rules, "TABLE": {rule.name: rule for rule in rules}}
    globals().update(found)
    return found[name]


def _load(module: str) -> Rule:
    rule: Rule = importlib.import_module(f"{__name__}.{module}").RULE
    return rule
