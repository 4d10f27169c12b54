"""The generated pages: complete, with the fixed headings, and not stale."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from memdir.core.rule_docs import page, rule_pages
from memdir.core.rules import RULES, TABLE

ROOT = Path(__file__).resolve().parents[2]


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "scripts/generate_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_rule_pages_are_up_to_date() -> None:
    stale = [
        path
        for path, text in rule_pages().items()
        if not (ROOT / path).is_file() or (ROOT / path).read_text("utf-8") != text
    ]
    assert not stale, "run scripts/generate_docs.py"


def test_no_page_is_left_of_a_rule_that_is_gone() -> None:
    pages = {p.stem for p in (ROOT / "docs/rules").glob("*.md")} - {"README"}
    assert pages == set(TABLE)


def test_the_generator_knows_the_rules() -> None:
    assert "docs/rules/README.md" in generator().rules()


@pytest.mark.parametrize("name", ["relative-date", "index-over-line-limit", "not-utf8", "config-invalid"])
def test_headings(name: str) -> None:
    text = page(TABLE[name])
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["## What it does", "## Why it matters", "## Example", "## How to fix", "## Configure"]
    assert f"memdir: ignore {name}" in text
    text.encode()


def test_the_index_lists_every_rule() -> None:
    index = rule_pages()["docs/rules/README.md"]
    for rule in RULES:
        assert f"[{rule.name}]({rule.name}.md)" in index


def test_long_examples_are_shortened() -> None:
    assert "more lines" in page(TABLE["index-over-line-limit"])
    assert len(page(TABLE["index-over-line-limit"]).splitlines()) < 90
