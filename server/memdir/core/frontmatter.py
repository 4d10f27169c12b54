"""The header of a memory: `---`, YAML, `---`. Reading is total and keeps the position of every key and value.

Three readers, tried in this order: plain `key: value` lines are split directly (all but a few real files, and
twenty times faster than YAML), anything else goes to libyaml's event parser (iterative, so nesting cannot exhaust
the stack), and what YAML refuses is read line by line, so that name, description and type survive a broken header.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memdir.core.lazy_re import lazy
from memdir.core.model import Span

# A header larger than this is read by the line scanner only: real ones stay below 2 KB (corpus: longest
# description 738 characters), and libyaml would spend seconds on megabytes of hostile nesting.
MAX_YAML = 64_000
MAX_DEPTH = 64
SCAN_WINDOW = 30  # lines that recall reads of each file (docs/facts/memory-system.md, "Recall")

Style: TypeAlias = Literal["plain", "single", "double", "block", "flow", "map", "null"]
ProblemCode: TypeAlias = Literal["invalid-yaml", "duplicate-key", "cut-by-comment", "too-large", "too-deep"]
KNOWN_KEYS = ("name", "description", "type")
_NESTED_PARENT = "metadata"


@dataclass(frozen=True, slots=True)
class Field:
    """One key of the header. `path` is ("type",) or ("metadata", "type"); `value_span` includes quotes."""

    path: tuple[str, ...]
    key_span: Span
    value: str
    value_span: Span
    style: Style

    @property
    def key(self) -> str:
        return self.path[-1]


@dataclass(frozen=True, slots=True)
class HeaderProblem:
    """Something odd in a header; `detail` is the YAML reader's own words or the key concerned."""

    code: ProblemCode
    span: Span
    detail: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """A header: `span` from the opening fence to the end of the closing fence's line, `inner` between the fences."""

    span: Span
    inner: Span
    closed: bool
    fields: tuple[Field, ...] = ()
    problems: tuple[HeaderProblem, ...] = ()
    _by_path: dict[tuple[str, ...], Field] = field(default_factory=dict, compare=False, repr=False)
    _by_key: dict[str, Field] = field(default_factory=dict, compare=False, repr=False)

    def field(self, *path: str) -> Field | None:
        """The first field at exactly this path."""
        if not self._by_path and self.fields:
            for item in self.fields:
                self._by_path.setdefault(item.path, item)
        return self._by_path.get(path)

    def find(self, key: str) -> Field | None:
        """The field `key` at the top level, else under `metadata:`."""
        known = self._by_key
        if not known and self.fields:
            for item in self.fields:
                path = item.path
                if len(path) == 1:
                    if (before := known.get(path[0])) is None or len(before.path) > 1:
                        known[path[0]] = item
                elif path[0] == _NESTED_PARENT and len(path) == 2:
                    known.setdefault(path[1], item)
        return known.get(key)

    def get(self, key: str) -> str:
        """Text of `key` in either shape; empty when absent."""
        found = self.find(key)
        return found.value if found else ""

    @property
    def shape(self) -> Literal["flat", "nested"] | None:
        """Where `type` stands: at the top, under `metadata:`, or nowhere."""
        if self.field("type"):
            return "flat"
        return "nested" if self.field(_NESTED_PARENT, "type") or self.field(_NESTED_PARENT) else None


_OPEN = lazy(r"---[ \t]*(?:\r\n|\n|\r)")
_CLOSE = lazy(r"^---[ \t]*$", re.M)
_KEY_LINE = lazy(r"[ \t]*[^\s:#\-\[\]{},&*!|>'\"%@`][^:\r\n]{0,80}:(?:[ \t]|$)")
_MAX_INDENT = 8


def find_frontmatter(text: str) -> Frontmatter | None:
    """The header at the very start of `text` (byte-order mark already removed), or None.

    An opening fence without a closing one counts when a `key:` line follows; otherwise it is a thematic break.
    """
    if not text.startswith("---"):
        return None
    opening = _OPEN.match(text)
    if opening is None:
        return None
    start = opening.end()
    if text.startswith("---", start) and (close := _CLOSE.match(text, start)):
        return Frontmatter(Span(0, _line_end(text, close.end())), Span(start, start), True)
    end, fence_end = _closing_fence(text, start)
    if end < 0:
        if not _KEY_LINE.match(text, start):
            return None
        end = _unclosed_end(text, start)
        fields, problems = _read_fields(text, start, end)
        return Frontmatter(Span(0, end), Span(start, end), False, fields, problems)
    fields, problems = _read_fields(text, start, end)
    return Frontmatter(Span(0, _line_end(text, fence_end)), Span(start, end), True, fields, problems)


def _closing_fence(text: str, start: int) -> tuple[int, int]:
    """(start of the closing fence's line, its end), or (-1, -1)."""
    pos = text.find("---", start)
    while pos >= 0:
        if text[pos - 1] in "\r\n":
            end = pos + 3
            while end < len(text) and text[end] in " \t":
                end += 1
            if end == len(text) or text[end] in "\r\n":
                return pos, end
        pos = text.find("---", pos + 3)
    return -1, -1


def _line_end(text: str, pos: int) -> int:
    """Offset behind the line break at `pos`, if there is one."""
    if text.startswith("\r\n", pos):
        return pos + 2
    return pos + 1 if pos < len(text) and text[pos] in "\r\n" else pos


def _unclosed_end(text: str, start: int) -> int:
    """End of the run of header-like lines after an unclosed fence."""
    pos = start
    while pos < len(text):
        stop = _eol(text, pos)
        line = text[pos:stop]
        if not line.strip() or not (_KEY_LINE.match(line) or line[0] in " \t"):
            break
        pos = _line_end(text, stop)
    return pos


def _eol(text: str, pos: int) -> int:
    nl, cr = text.find("\n", pos), text.find("\r", pos)
    ends = [e for e in (nl, cr) if e >= 0]
    return min(ends) if ends else len(text)


def _read_fields(text: str, start: int, end: int) -> tuple[tuple[Field, ...], tuple[HeaderProblem, ...]]:
    simple = _read_simple(text, start, end)
    if simple is not None:
        return tuple(simple), ()
    from memdir.core import frontmatter_yaml

    if end - start > MAX_YAML:
        fields = frontmatter_yaml.read_lines(text, start, end)
        return tuple(fields), (HeaderProblem("too-large", Span(start, end), str(end - start)),)
    return frontmatter_yaml.read(text, start, end)


def _is_word(key: str) -> bool:
    """A key that YAML reads as it stands: ASCII letters, digits, `_` and inner `-`."""
    return key.isascii() and key.replace("-", "_").isidentifier() and key[0] != "-"


def _read_simple(text: str, start: int, end: int) -> list[Field] | None:
    """Fields of a header made of plain lines only; None when a line needs YAML."""
    inner = text[start:end]
    if "\r" in inner or "\t" in inner:
        return None
    fields: list[Field] = []
    seen: set[tuple[str, ...]] = set()
    parent: str | None = None
    child_indent = 0
    pos = start
    for line in inner.split("\n"):
        if not line:
            pos += 1
            continue
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        key, colon, rest = bare.partition(":")
        if not colon or (rest and rest[0] != " ") or not _is_word(key):
            return None
        if indent == 0:
            path: tuple[str, ...] = (key,)
            parent = None
        elif parent is None or indent > _MAX_INDENT or (child_indent and indent != child_indent):
            return None
        else:
            path, child_indent = (parent, key), indent
        if path in seen:
            return None
        seen.add(path)
        key_at = pos + indent
        key_span = Span(key_at, key_at + len(key))
        value = rest.strip(" ")
        style: Style = "plain"
        if not value:
            at = key_span.end + 1
            fields.append(Field(path, key_span, "", Span(at, at), "null"))
            if indent == 0:
                parent, child_indent = key, 0
            pos += len(line) + 1
            continue
        at = key_span.end + 1 + len(rest) - len(rest.lstrip(" "))
        span = Span(at, at + len(value))
        if value[0] == '"':
            value, style = value[1:-1], "double"
            if len(span) < 2 or bare.rstrip(" ")[-1] != '"' or '"' in value or "\\" in value:
                return None
        elif not value[0].isalnum() or ": " in value or " #" in value or value[-1] == ":":
            return None
        if not value.isprintable():
            return None
        fields.append(Field(path, key_span, value, span, style))
        pos += len(line) + 1
    # a parent that got children is a mapping, not an empty value
    parents = {f.path[0] for f in fields if len(f.path) == 2}
    if parents:
        fields = [
            Field(f.path, f.key_span, f.value, f.value_span, "map")
            if f.style == "null" and f.path[0] in parents and len(f.path) == 1
            else f
            for f in fields
        ]
    return fields
