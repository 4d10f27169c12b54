"""Edits to a header that leave every other byte as it was."""

from __future__ import annotations

import json
import re

from memdir.core.frontmatter import Frontmatter
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Span
from memdir.core.text import printable

# What YAML wants escaped in double quotes beside what JSON escapes.
_UNPRINTABLE = lazy("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_PLAIN_START = lazy(r"[^\W_]")
_AMBIGUOUS = lazy(
    r"(?:true|false|yes|no|on|off|null|~|y|n|[-+.]?\d[\d._eExXoO:+-]*|\d{4}-\d\d-\d\d.*)$", re.I
)


def quote(value: str) -> str:
    """`value` as a one-line YAML scalar: plain where every YAML reader agrees, else in double quotes."""
    value = printable(value)
    if (
        value
        and _PLAIN_START.match(value)
        and value.isprintable()
        and ": " not in value
        and " #" not in value
        and value[-1] not in ": "
        and not _AMBIGUOUS.match(value)
    ):
        return value
    return _UNPRINTABLE.sub(_escape, json.dumps(value, ensure_ascii=False))


def _escape(m: re.Match[str]) -> str:
    code = ord(m[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def set_field(text: str, header: Frontmatter, key: str, value: str, *, newline: str = "\n") -> Edit:
    """The edit that gives `key` the text `value`, where the header keeps it (top level or `metadata:`), else at its end.

    `type` goes under `metadata:` when the header has that mapping, the newer of the two shapes in use.
    """
    found = header.find(key)
    if found is not None and found.style != "map":
        if found.style == "null" and text[found.value_span.start - 1 : found.value_span.start] == ":":
            start = end = found.value_span.start
            while text[end : end + 1] in (" ", "\t"):
                end += 1
            return Edit(Span(start, end), " " + quote(value) + (" " if text[end : end + 1] == "#" else ""))
        return Edit(found.value_span, quote(value))
    parent = header.field("metadata")
    if key == "type" and parent is not None and parent.style == "map":
        children = [f for f in header.fields if len(f.path) == 2 and f.path[0] == "metadata"]
        if children:
            first = children[0]
            line_start = (
                max(text.rfind("\n", 0, first.key_span.start), text.rfind("\r", 0, first.key_span.start)) + 1
            )
            indent = text[line_start : first.key_span.start]
            if not indent.strip():
                return Edit(Span(line_start, line_start), f"{indent}{key}: {quote(value)}{newline}")
    at = header.inner.end
    lead = newline if at > 0 and text[at - 1] not in "\r\n" else ""
    return Edit(Span(at, at), f"{lead}{key}: {quote(value)}{newline}")


def new_header(name: str, description: str, type_: str, newline: str = "\n") -> str:
    """A complete header in the flat shape, the one most directories use (73 % of real files)."""
    lines = [
        "---",
        f"name: {quote(name)}",
        f"description: {quote(description)}",
        f"type: {quote(type_)}",
        "---",
        "",
    ]
    return newline.join(lines)
