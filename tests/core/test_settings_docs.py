"""The generated pages say what the table says, and the files in the repository are current."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memdir.core.rules import TABLE
from memdir.core.settings import GROUPS, settings_keys
from memdir.core.settings_docs import (
    camel,
    editor_properties,
    json_schema,
    markdown,
    restricted_properties,
    schema_text,
)
from memdir.core.settings_parse import parse_mapping

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("file", ["docs/configuration.md", "docs/memdir.schema.json"])
def test_files_are_current(file: str) -> None:
    wanted = markdown() if file.endswith(".md") else schema_text(list(TABLE))
    assert (ROOT / file).read_text("utf-8") == wanted, f"{file} is stale: run scripts/generate_docs.py"


def test_schema_has_every_setting() -> None:
    schema = json_schema(["a-rule"])
    names = []
    for name, entry in schema["properties"].items():
        names += [f"{name}.{leaf}" for leaf in entry["properties"]] if name in GROUPS else [name]
    assert sorted(names) == sorted(settings_keys())
    assert schema["properties"]["stale-days"] == {
        "description": "Age in days from which a memory is reported as old.",
        "type": "integer",
        "default": 30,
        "minimum": 1,
        "maximum": 36500,
    }
    assert schema["properties"]["ignore"]["items"]["enum"] == ["a-rule"]
    assert schema["properties"]["severity"]["properties"] == {
        "a-rule": {"enum": ["off", "error", "warning", "information", "hint"]}
    }
    assert schema["properties"]["extract"]["properties"]["auto"]["enum"] == ["off", "suggest", "apply"]


def test_page_describes_every_setting() -> None:
    page = markdown()
    for name, (key, _) in settings_keys().items():
        assert f"### `{name}`\n\n{key.description}\n" in page


def test_editor_properties_only_send_what_a_person_sets() -> None:
    properties = editor_properties()
    assert len(properties) == len(settings_keys())
    assert all(p["default"] is None and "null" in p["type"] for p in properties.values())
    assert (
        properties["memdir.recall.maxCandidates"]["description"]
        == "How many memories, newest first, are considered. Default: 200"
    )
    assert properties["memdir.allowProjectDirectory"]["scope"] == "application", "a workspace may not set it"
    assert "默认值：200" in editor_properties(locale="zh-cn")["memdir.recall.maxCandidates"]["description"]


def test_editor_names_are_read_back() -> None:
    for name, (key, default) in settings_keys().items():
        if name == "severity":
            continue
        value = list(default) if isinstance(default, tuple) else default
        group, _, leaf = camel(name).rpartition(".")
        layer, problems = parse_mapping({group: {leaf: value}} if group else {leaf: value}, "editor")
        assert problems == []
        assert dict(layer.values) == {name: default}, key


def test_what_needs_trust_is_restricted_in_the_editor() -> None:
    assert "memdir.team.url" in restricted_properties()
    assert "memdir.extract.auto" in restricted_properties()
    assert "memdir.staleDays" not in restricted_properties()


def test_schema_text_is_json() -> None:
    assert json.loads(schema_text()) == json_schema()
