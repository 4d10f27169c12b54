"""Text edits carried out as an editor does, independent of the server's own conversion."""

from __future__ import annotations

from pathlib import Path

from tests.lsp.profiles import Json


def to_path(uri: str) -> Path:
    from urllib.parse import unquote, urlsplit

    return Path(unquote(urlsplit(uri).path))


def apply_edits(text: str, edits: list[Json], encoding: str) -> str:
    """`text` after LSP text edits; asserts that positions lie inside the text and edits don't overlap."""
    spans = sorted(
        (
            (
                offset(text, e["range"]["start"], encoding),
                offset(text, e["range"]["end"], encoding),
                e["newText"],
            )
            for e in edits
        ),
        key=lambda s: (s[0], s[1]),
    )
    out, pos = [], 0
    for start, end, new in spans:
        assert pos <= start <= end, "overlapping edits"
        out += [text[pos:start], new]
        pos = end
    return "".join([*out, text[pos:]])


def offset(text: str, position: Json, encoding: str) -> int:
    """Index into `text` of an LSP position; independent of the server's own conversion."""
    lines = text.replace("\r\n", "\n\0").replace("\r", "\n").split("\n")
    start = 0
    for line in lines[: position["line"]]:
        start += len(line) + 1
    assert position["line"] < len(lines), "line past the end"
    line = lines[position["line"]]
    lead = line.startswith("\0")
    line = line.removeprefix("\0")
    start += 1 if lead else 0
    width = {
        "utf-8": lambda c: len(c.encode("utf-8", "surrogatepass")),
        "utf-16": lambda c: 2 if c > "\uffff" else 1,
        "utf-32": lambda c: 1,
    }[encoding]
    used = 0
    for i, char in enumerate(line):
        if used == position["character"]:
            return start + i
        used += width(char)
    assert used == position["character"], f"character {position['character']} in a line of {used}"
    return start + len(line)
