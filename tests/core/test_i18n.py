"""Messages: every template of the source is translated, with the same arguments and the same marks."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

from memdir.core.i18n import Message, files, msg, normalise_locale, render
from memdir.core.i18n.zh_cn import MESSAGES

SOURCE = Path(__file__).resolve().parents[2] / "server/memdir"


def templates() -> dict[str, list[str]]:
    """Template -> places ('core/rules/name_missing.py:20') of every literal `msg("...")`."""
    found: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "msg":
                continue
            place = f"{path.relative_to(SOURCE)}:{node.lineno}"
            for literal in literals(node.args[0]) if node.args else ():
                found.setdefault(literal, []).append(place)
    return found


def literals(node: ast.expr) -> list[str]:
    """The strings an argument can be; a template that isn't written out can't be translated."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    return []


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


TEMPLATES = templates()


def test_every_template_is_translated() -> None:
    missing: dict[str, list[str]] = {}
    for template, places in TEMPLATES.items():
        if template not in MESSAGES:
            missing.setdefault(places[0].rsplit("/", 1)[0], []).append(f"{places[0]}: {template}")
    report = "\n".join(
        f"{area}: {len(rows)}\n  " + "\n  ".join(rows[:5]) for area, rows in sorted(missing.items())
    )
    assert not missing, "no Chinese for\n" + report


def test_templates_are_literals() -> None:
    """`msg(variable)` would escape translation; forwarding functions are named otherwise."""
    loose = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "msg":
                if not node.args or not literals(node.args[0]):
                    loose.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert not loose


@pytest.mark.parametrize("template", sorted(MESSAGES), ids=range(len(MESSAGES)))
def test_translations_keep_the_arguments(template: str) -> None:
    translation = MESSAGES[template]
    assert fields(translation) == fields(template), template
    assert translation.strip(), template


def test_no_translation_without_a_template() -> None:
    idle = sorted(set(MESSAGES) - set(TEMPLATES))
    assert not idle, "no msg() has the template\n" + "\n".join(idle)


def test_code_and_names_are_not_translated() -> None:
    """What stands in back-ticks is code: the reader types or greps it."""
    import re

    code = re.compile(r"`([^`\n]+)`")
    for template, translation in MESSAGES.items():
        assert sorted(code.findall(translation)) == sorted(code.findall(template)), template


@pytest.mark.parametrize(
    ("count", "english", "chinese"),
    [(0, "0 files", "0 个文件"), (1, "1 file", "1 个文件"), (12, "12 files", "12 个文件")],
)
def test_one_file_is_no_files(count: int, english: str, chinese: str) -> None:
    assert render(files(count)) == english
    assert render(files(count), "zh-cn") == chinese


def test_rendering() -> None:
    inner = msg("yesterday")
    message = msg("{path} changed {changed}", path="a.md", changed=inner)
    assert str(message) == "a.md changed yesterday"
    assert str(msg("50 %")) == "50 %"
    assert str(msg("{{literal}} braces")) == "{literal} braces"
    assert message.get("path") == "a.md"
    assert message.get("nothing") is None
    assert render(Message("not translated"), "zh-cn") == "not translated"
    assert "\ud800" not in render(msg("{x}", x="a\ud800"))


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("zh_CN.UTF-8", "zh-cn"),
        ("zh-Hans", "zh-cn"),
        ("zh", "zh-cn"),
        ("zh-TW", "en"),
        ("zh_Hant_HK", "en"),
        ("de", "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_locales(locale: str | None, expected: str) -> None:
    assert normalise_locale(locale) == expected
