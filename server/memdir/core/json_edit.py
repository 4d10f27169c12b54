"""Small changes to a JSON text that leave every other byte alone: add a member or an item, remove, replace.

For settings files that belong to another program: parsing and writing them anew would lose their layout, and with it
the person's trust. Texts must be valid JSON (`json.loads`); the functions give edits against them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from memdir.core.json_positions import Path, json_positions
from memdir.core.model import Edit, Span

_INDENT = re.compile(r"\n([ \t]+)\S")


def indent_of(text: str) -> str:
    """The indentation of one level: that of the first indented line, two blanks by default."""
    found = _INDENT.search(text)
    return found.group(1) if found else "  "


def add(text: str, path: Path, value: Any, key: str | None = None) -> Edit:
    """Add `value` at the end of the container at `path`: an object's member `key`, or an item of a list.

    Raises KeyError when there is no such container.
    """
    places = json_positions(text)
    span = places[path].value
    unit, newline = indent_of(text), "\r\n" if "\r\n" in text else "\n"
    level = _level(text, span.start, unit)
    inner = newline + unit * (level + 1)
    body = _dump(value, unit, level + 1, newline)
    member = (json.dumps(key, ensure_ascii=False) + ": " if key is not None else "") + body
    children = [
        p.value.end for at, p in places.items() if len(at) == len(path) + 1 and at[: len(path)] == path
    ]
    if children:
        last = max(children)
        return Edit(Span(last, last), "," + inner + member)
    return Edit(span, text[span.start] + inner + member + newline + unit * level + text[span.end - 1])


def remove(text: str, path: Path) -> Edit:
    """Remove the member or item at `path` with its comma and its line. Raises KeyError when it is not there."""
    places = json_positions(text)
    here = places[path]
    start = min(here.key.start, here.value.start)
    end = here.value.end
    after = re.compile(r"\s*,").match(text, end)
    if after:  # take the comma behind and what leads up to the next member
        end = after.end()
        blank = re.compile(r"[ \t]*(?:\r?\n)?[ \t]*").match(text, end)
        end = blank.end() if blank else end
        return Edit(Span(start, end), "")
    before = start
    while before > 0 and text[before - 1] in " \t\r\n":
        before -= 1
    if before > 0 and text[before - 1] == ",":
        return Edit(Span(before - 1, end), "")
    # the only one: the container becomes empty, without the blanks around
    behind = re.compile(r"\s*").match(text, end)
    return Edit(Span(before, behind.end() if behind else end), "")


def replace(text: str, path: Path, value: Any) -> Edit:
    """Replace the value at `path`. Raises KeyError when it is not there."""
    span = json_positions(text)[path].value
    unit = indent_of(text)
    return Edit(span, _dump(value, unit, _level(text, span.start, unit), "\r\n" if "\r\n" in text else "\n"))


def _level(text: str, offset: int, unit: str) -> int:
    """How deep the line of `offset` is indented, in units."""
    line = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    width = 0
    while line + width < len(text) and text[line + width] in " \t":
        width += 1
    return width // len(unit) if text[line : line + width] else 0


def _dump(value: Any, unit: str, level: int, newline: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    return newline.join([lines[0], *(unit * level + line for line in lines[1:])])
