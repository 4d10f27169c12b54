"""The table of settings and merging: precedence, lists, severities, what needs trust."""

from __future__ import annotations

import dataclasses

import pytest

from memdir.core.model import Severity
from memdir.core.settings import (
    DEFAULTS,
    GROUPS,
    Layer,
    Settings,
    merge,
    settings_keys,
    withheld_keys,
)


def test_defaults_of_the_facts() -> None:
    assert (DEFAULTS.stale_days, DEFAULTS.index_lines, DEFAULTS.index_size, DEFAULTS.near_limit) == (
        30,
        200,
        25_000,
        0.8,
    )
    assert (DEFAULTS.entry_info, DEFAULTS.entry_warn, DEFAULTS.orphan_group) == (150, 200, 20)
    assert (DEFAULTS.recall.max_candidates, DEFAULTS.recall.limit, DEFAULTS.recall.records) == (200, 5, True)
    assert (DEFAULTS.consolidate.hours, DEFAULTS.consolidate.sessions) == (24, 5)
    assert (DEFAULTS.notes.first_tokens, DEFAULTS.notes.step_tokens, DEFAULTS.notes.tool_calls) == (
        10_000,
        5_000,
        3,
    )
    assert (DEFAULTS.extract.auto, DEFAULTS.consolidate.auto, DEFAULTS.team.transport) == (
        "suggest",
        "propose",
        "off",
    )
    assert DEFAULTS.allow_project_directory is False


def test_every_setting_is_described_and_its_default_is_allowed() -> None:
    for name, (key, default) in settings_keys().items():
        assert str(key.description).endswith("."), name
        if key.choices:
            assert default in key.choices, name
        if isinstance(default, (int, float)) and not isinstance(default, bool):
            assert key.minimum is not None and key.maximum is not None, name
            assert key.minimum <= default <= key.maximum, name


def test_every_field_is_a_setting() -> None:
    count = sum(len(dataclasses.fields(getattr(DEFAULTS, g))) for g in GROUPS)
    assert len(settings_keys()) == count + len(dataclasses.fields(Settings)) - len(GROUPS)


def test_later_layers_win() -> None:
    layers = [
        Layer("user", "", {"stale-days": 10, "recall.limit": 2, "exclude": ("a",)}),
        Layer("project", "", {"stale-days": 20, "exclude": ("b",)}),
        Layer("editor", "", {"stale-days": 40}),
        Layer("flag", "", {"ignore": ("x",)}),
    ]
    found = merge(layers)
    assert (found.stale_days, found.recall.limit, found.exclude, found.ignore) == (40, 2, ("b",), ("x",))
    assert merge(layers[:2]).stale_days == 20
    assert merge([]) == DEFAULTS


def test_severities_merge_per_rule_and_types_add_up() -> None:
    found = merge(
        [
            Layer("user", "", {"severity": {"a": None, "b": Severity.HINT}, "extend-types": ("decision",)}),
            Layer("project", "", {"severity": {"b": Severity.ERROR}, "extend-types": ("draft", "decision")}),
        ]
    )
    assert dict(found.severity) == {"a": None, "b": Severity.ERROR}
    assert found.extend_types == ("decision", "draft")


@pytest.mark.parametrize(
    ("settings", "rule", "default", "severity"),
    [
        (Settings(), "r", Severity.WARNING, Severity.WARNING),
        (Settings(), "r", None, None),
        (Settings(severity={"r": Severity.HINT}), "r", None, Severity.HINT),
        (Settings(severity={"r": None}), "r", Severity.ERROR, None),
        (Settings(select=("q",)), "r", Severity.ERROR, None),
        (Settings(select=("r",)), "r", Severity.ERROR, Severity.ERROR),
        (Settings(select=("r",), ignore=("r",)), "r", Severity.ERROR, None),
    ],
)
def test_severity_of_a_rule(
    settings: Settings, rule: str, default: Severity | None, severity: Severity | None
) -> None:
    assert settings.severity_of(rule, default) == severity


RISKY = {
    "extract.auto": "apply",
    "consolidate.auto": "apply",
    "team.transport": "service",
    "team.url": "https://evil.example",
    "team.repository": "victim",
    "recall.model": "costly",
    "agent.model": "costly",
    "notes.enabled": True,
}


@pytest.mark.parametrize(("name", "value"), list(RISKY.items()))
def test_a_repository_can_not_spend_or_send_without_trust(name: str, value: object) -> None:
    layer = Layer("project", "/p/memdir.toml", {name: value, "stale-days": 7})
    assert list(withheld_keys(layer)) == [name]
    untrusted = merge([layer])
    assert untrusted.stale_days == 7
    assert dataclasses.replace(untrusted, stale_days=30) == DEFAULTS
    group, field = name.split(".")
    assert getattr(getattr(merge([layer], trusted=True), group), field.replace("-", "_")) == value
    assert (
        getattr(getattr(merge([Layer("user", "", {name: value})]), group), field.replace("-", "_")) == value
    )


def test_switching_off_needs_no_trust() -> None:
    layer = Layer("project", "", {"extract.auto": "off", "notes.enabled": False, "consolidate.auto": "off"})
    found = merge([layer])
    assert (found.extract.auto, found.notes.enabled, found.consolidate.auto) == ("off", False, "off")
