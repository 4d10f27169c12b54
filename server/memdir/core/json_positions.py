"""Where the members of a JSON text are: the standard parser gives values without positions."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TypeAlias

from memdir.core.model import Span

Path: TypeAlias = "tuple[str | int, ...]"

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r"[^\s,\]}]+")


@dataclass(frozen=True, slots=True)
class Place:
    """Spans of a member: its key (for an item of a list, the item itself) and its value."""

    key: Span
    value: Span


def json_positions(text: str) -> dict[Path, Place]:
    """Path of every member -> its place. Of duplicate keys the last one counts, as for the parser.

    `text` should be JSON that `json.loads` accepts; of anything else the part before the first oddity is given.
    Nesting costs no recursion.
    """
    found: dict[Path, Place] = {}
    # one frame per open container: path, start, key span in its parent, next index (None in an object)
    stack: list[tuple[Path, int, Span, int | None]] = []
    pos = 0

    def skip(at: int) -> int:
        match = _SPACE.match(text, at)
        return match.end() if match else at

    path: Path = ()
    key = Span(0, 0)
    pos = skip(pos)
    while True:
        # a value starts at pos; `path` and `key` say whose it is
        start, char = pos, text[pos : pos + 1]
        if char in ("{", "["):
            stack.append((path, start, key, 0 if char == "[" else None))
            pos = skip(pos + 1)
            closing = text[pos : pos + 1] in ("}", "]")
        else:
            match = _STRING.match(text, pos) if char == '"' else _SCALAR.match(text, pos)
            if match is None:
                return found
            pos = match.end()
            span = Span(start, pos)
            found[path] = Place(key if stack and stack[-1][3] is None else span, span)
            pos = skip(pos)
            closing = False
            if text[pos : pos + 1] == ",":
                pos = skip(pos + 1)
            else:
                closing = True
        while closing:
            if not stack or text[pos : pos + 1] not in ("}", "]"):
                return found
            opened, begin, own_key, _ = stack.pop()
            pos += 1
            span = Span(begin, pos)
            found[opened] = Place(own_key if stack and stack[-1][3] is None else span, span)
            pos = skip(pos)
            closing = text[pos : pos + 1] != ","
            if not closing:
                pos = skip(pos + 1)
        if not stack:
            return found
        base, begin, own_key, index = stack[-1]
        if index is None:
            match = _STRING.match(text, pos)
            if match is None:
                return found
            key = Span(pos, match.end())
            try:
                name = json.loads(match.group(), strict=False)
            except ValueError:
                return found
            path = (*base, str(name))
            pos = skip(match.end())
            if text[pos : pos + 1] != ":":
                return found
            pos = skip(pos + 1)
        else:
            path, key = (*base, index), Span(pos, pos)
            stack[-1] = (base, begin, own_key, index + 1)
