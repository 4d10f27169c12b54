"""Where the keys of a TOML text are: `tomllib` gives values without positions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memdir.core.json_positions import Path, Place
from memdir.core.model import Span

_BLANK = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BASIC = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL = re.compile(r"'[^'\n]*'")
_MULTI_BASIC = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}', re.DOTALL)
_MULTI_LITERAL = re.compile(r"'''.*?'{3,5}", re.DOTALL)
_SCALAR = re.compile(r"[^,\]}#\r\n]+")
_SYNTAX_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")


class _OddError(Exception):
    """The text is not what the parser accepted; what was found so far is kept."""


@dataclass(slots=True)
class _Scanner:
    text: str
    pos: int = 0
    found: dict[Path, Place] = field(default_factory=dict)
    arrays: dict[Path, int] = field(default_factory=dict)  # [[array]] -> index of its last table

    def run(self) -> None:
        base: Path = ()
        while True:
            self.skip(_GAP)
            if self.pos >= len(self.text):
                return
            if self.text.startswith("[", self.pos):
                base = self.header()
            else:
                self.pair(base)

    def skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.pos)
        if match:
            self.pos = match.end()

    def expect(self, token: str) -> None:
        if not self.text.startswith(token, self.pos):
            raise _OddError
        self.pos += len(token)

    def match(self, pattern: re.Pattern[str]) -> Span:
        match = pattern.match(self.text, self.pos)
        if match is None:
            raise _OddError
        self.pos = match.end()
        return Span(match.start(), match.end())

    def header(self) -> Path:
        array = self.text.startswith("[[", self.pos)
        self.expect("[[" if array else "[")
        parts = self.keys()
        self.expect("]]" if array else "]")
        path: Path = ()
        for i, (name, span) in enumerate(parts):
            path = (*path, name)
            self.found.setdefault(path, Place(span, span))
            if array and i == len(parts) - 1:
                self.arrays[path] = self.arrays.get(path, -1) + 1
            if path in self.arrays:
                path = (*path, self.arrays[path])
                self.found.setdefault(path, Place(span, span))
        return path

    def keys(self) -> list[tuple[str, Span]]:
        parts: list[tuple[str, Span]] = []
        while True:
            self.skip(_BLANK)
            char = self.text[self.pos : self.pos + 1]
            span = self.match(_BASIC if char == '"' else _LITERAL if char == "'" else _BARE)
            parts.append((self.name(span), span))
            self.skip(_BLANK)
            if not self.text.startswith(".", self.pos):
                return parts
            self.pos += 1

    def name(self, span: Span) -> str:
        raw = self.text[span.start : span.end]
        if raw[0] == "'":
            return raw[1:-1]
        if raw[0] == '"':
            import tomllib

            return "".join(tomllib.loads(f"{raw} = 0")) if "\\" in raw else raw[1:-1]
        return raw

    def pair(self, base: Path) -> None:
        parts = self.keys()
        self.expect("=")
        self.skip(_BLANK)
        path = base
        for name, span in parts[:-1]:
            path = (*path, name)
            self.found.setdefault(path, Place(span, span))
        self.value((*path, parts[-1][0]), parts[-1][1])

    def value(self, path: Path, key: Span | None) -> None:
        start, char = self.pos, self.text[self.pos : self.pos + 1]
        if char == "[":
            self.pos += 1
            for index in range(len(self.text)):
                self.skip(_GAP)
                if self.text.startswith("]", self.pos):
                    break
                self.value((*path, index), None)
                self.skip(_GAP)
                if self.text.startswith(",", self.pos):
                    self.pos += 1
            self.expect("]")
        elif char == "{":
            self.pos += 1
            self.skip(_GAP)
            while not self.text.startswith("}", self.pos):
                self.pair(path)
                self.skip(_GAP)
                if self.text.startswith(",", self.pos):
                    self.pos += 1
                    self.skip(_GAP)
            self.pos += 1
        elif self.text.startswith('"""', self.pos):
            self.match(_MULTI_BASIC)
        elif self.text.startswith("'''", self.pos):
            self.match(_MULTI_LITERAL)
        elif char in ('"', "'"):
            self.match(_BASIC if char == '"' else _LITERAL)
        else:
            span = self.match(_SCALAR)
            self.pos = start + len(self.text[span.start : span.end].rstrip())
            if self.pos == start:
                raise _OddError
        span = Span(start, self.pos)
        self.found[path] = Place(key or span, span)


def toml_positions(text: str) -> dict[Path, Place]:
    """Path of every key, table and list item -> its place (a table's place is its name in the header).

    `text` should be TOML that `tomllib` accepts; of anything else the part before the first oddity is given.
    """
    scanner = _Scanner(text)
    try:
        scanner.run()
    except (_OddError, ValueError, RecursionError):
        pass
    return scanner.found


def syntax_place(text: str, error: str) -> Span:
    """The place that `tomllib` names in its message, on to the end of that line; the whole last line for the end."""
    found = _SYNTAX_PLACE.search(error)
    lines = text.split("\n")
    line = min(int(found[1]), len(lines)) if found else len(lines)
    start = sum(len(part) + 1 for part in lines[: line - 1])
    end = start + len(lines[line - 1])
    if found:
        at = min(start + int(found[2]) - 1, end)
        start = at if at < end else start
    return Span(start, end)
