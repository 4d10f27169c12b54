"""Changing one key of a header and nothing else."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.document import Document
from memdir.core.frontmatter import find_frontmatter
from memdir.core.header_edit import new_header, quote, set_field
from memdir.core.text import apply_edits


def changed(text: str, key: str, value: str) -> str:
    document = Document("/m/a.md", "a.md", text)
    assert document.frontmatter is not None
    edit = set_field(document.text, document.frontmatter, key, value, newline=document.newline)
    return apply_edits(document.text, [edit])


@pytest.mark.parametrize(
    ("text", "key", "value", "expected"),
    [
        ("---\nname: a\ntype: user\n---\n", "name", "b", "---\nname: b\ntype: user\n---\n"),
        ("---\nname: 'a'  \ntype: user\n---\n", "name", "b: c", '---\nname: "b: c"  \ntype: user\n---\n'),
        ("---\nname:\ntype: user\n---\n", "name", "b", "---\nname: b\ntype: user\n---\n"),
        ("---\nname: \ntype: user\n---\n", "name", "b", "---\nname: b\ntype: user\n---\n"),
        ("---\nname: a\n---\n", "type", "user", "---\nname: a\ntype: user\n---\n"),
        (
            "---\nname: a\nmetadata: \n  node_type: memory\n---\n",
            "type",
            "user",
            "---\nname: a\nmetadata: \n  type: user\n  node_type: memory\n---\n",
        ),
        ("---\nmetadata:\n  type: x\n---\n", "type", "user", "---\nmetadata:\n  type: user\n---\n"),
        ("---\r\nname: a\r\n---\r\n", "type", "user", "---\r\nname: a\r\ntype: user\r\n---\r\n"),
        (
            "---\nname: a\ndescription: |\n  b\n  c\ntype: user\n---\n",
            "description",
            "d",
            "---\nname: a\ndescription: d\ntype: user\n---\n",
        ),
        ("---\n---\nBody", "name", "a", "---\nname: a\n---\nBody"),
        ("---\nname: a\ndescription: x", "type", "user", "---\nname: a\ndescription: x\ntype: user\n"),
    ],
)
def test_set_field(text: str, key: str, value: str, expected: str) -> None:
    assert changed(text, key, value) == expected


@pytest.mark.parametrize(
    "value",
    ["plain words", "it's fine", "ends with colon:", "a: b", "a #b", "#x", "yes", "NULL", "12", "1.5", "2026-03-05", "", " x", "x ", "- a",
     "@mara", "`x`", '"q"', "tab\there", "line\nbreak", "中文：冒号", "😀", "\u2028", "\x85", "~", "[a]", "{a}", "*a", "&a", "!a", "%a", "|", ">", "back\\slash", "\x00"],
)  # fmt: skip
def test_quoted_values_read_back(value: str) -> None:
    assert yaml.safe_load(f"k: {quote(value)}\n") == {"k": value}


@given(st.text(max_size=30))
def test_any_value_reads_back_as_text_on_one_line(value: str) -> None:
    line = quote(value)
    assert "\n" not in line
    assert "\r" not in line
    clean = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)
    assert yaml.safe_load(f"k: {line}\n") == {"k": clean}


HEADERS = st.lists(
    st.sampled_from(
        ["name: a\n", "name: 'a'\n", "description: b # c\n", "description: >\n  x\n  y\n", "type: user\n", "metadata:\n  node_type: memory\n",
         "metadata: {type: user}\n", "tags: [a, b]\n", "# comment\n", "\n", "x: |\n  t\n", "name: \"q\"   # c\n", "modified: 2026-01-01\n"]
    ),
    max_size=6,
)  # fmt: skip


@given(
    HEADERS,
    st.sampled_from(["name", "description", "type"]),
    st.sampled_from(["v", "a: b", "x # y", "12"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_every_other_byte_stays(parts: list[str], key: str, value: str, newline: str) -> None:
    text = ("---\n" + "".join(parts) + "---\nBody: text\n").replace("\n", newline)
    header = find_frontmatter(text)
    assert header is not None
    edit = set_field(text, header, key, value, newline=newline)
    new = apply_edits(text, [edit])
    assert new[: edit.span.start] == text[: edit.span.start]
    assert new[edit.span.start + len(edit.text) :] == text[edit.span.end :]
    if not [p for p in header.problems if p.code in ("invalid-yaml", "duplicate-key")]:
        again = find_frontmatter(new)
        assert again is not None
        assert again.get(key) == value
        for other in {"name", "description", "type"} - {key}:
            assert again.get(other) == header.get(other)


def test_new_header_is_valid_yaml() -> None:
    text = new_header("Auth: rewrite", "Issue #4 from legal", "project")
    assert yaml.safe_load(text.strip("-\n")) == {
        "name": "Auth: rewrite",
        "description": "Issue #4 from legal",
        "type": "project",
    }
    assert text.startswith("---\n")
    assert text.endswith("\n---\n")
