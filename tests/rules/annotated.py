"""Rule tests as annotated memory files.

`tests/rules/<rule>.md` holds cases: a heading `## what it shows`, then fences of four tildes, one per file:

    ~~~~ feedback_db.md
    [the runbook](gone.md)
                  ^^^^^^^ There is no memory
    ~~~~

A line of carets marks what the rule underlines in the line above (of a longer span, the part in its first line), with
the beginning of the message, or a part of it behind `...`, if that matters. Every finding of the rule must be marked,
and nothing else may be. `{U+200B}` stands for a character that can't be seen. Other fences: `repo` (path, lines, day of
the last change; 0 lines: gone, last seen on that day), `settings` (TOML), `escapes` (link, target), `written` (day).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from memdir.core.model import Diagnostic
from memdir.core.rule import Context
from memdir.core.settings import SEVERITY_NAMES, Layer, merge
from tests.rules.world import ROOT, Repo, lint, world

FOLDER = Path(__file__).parent
_MARK = re.compile(r"^( *)(\^+)(?: (.*))?$")
_CHARACTER = re.compile(r"\{U\+([0-9A-F]{4,5})\}")
_FENCE = "~~~~"


@dataclass
class Mark:
    rel: str
    start: int
    end: int
    message: str


@dataclass
class Case:
    rule: str
    title: str
    line: int
    files: dict[str, str] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)
    extra: dict[str, str] = field(default_factory=dict)

    def context(self) -> Context:
        repo = None
        if "repo" in self.extra:
            rows = [line.split() for line in self.extra["repo"].splitlines()]
            repo = Repo(
                {path: (int(lines), "".join(when)) for path, lines, *when in rows if lines != "0"},
                {path: when[0] for path, lines, *when in rows if lines == "0" and when},
            )
        values: dict[str, object] = tomllib.loads(self.extra.get("settings", ""))
        if "severity" in values:
            values["severity"] = {k: SEVERITY_NAMES[v] for k, v in values["severity"].items()}  # type: ignore[attr-defined]  # a TOML table
        values = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
        escapes = dict(line.split(" ", 1) for line in self.extra.get("escapes", "").splitlines())
        return world(
            self.files,
            repo=repo,
            settings=merge([Layer("editor", values=values)]),
            escapes=escapes,
            written=self.extra.get("written", "2026-03-10").strip(),
        )


def read_cases(path: Path) -> list[Case]:
    cases: list[Case] = []
    lines = path.read_text("utf-8").split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.startswith("## "):
            cases.append(Case(path.stem, line[3:].strip(), number))
        elif line.startswith(_FENCE) and cases:
            name = line.removeprefix(_FENCE).strip()
            block: list[str] = []
            while lines[number] != _FENCE:
                block.append(lines[number])
                number += 1
            number += 1
            if name in ("repo", "settings", "escapes", "written"):
                cases[-1].extra[name] = "\n".join(block)
            else:
                _read_file(cases[-1], name, block)
    return cases


def _read_file(case: Case, rel: str, block: list[str]) -> None:
    text, line_start, columns = "", 0, [0]
    for raw in block:
        mark = _MARK.match(raw)
        if mark and text:
            first = columns[min(mark.end(1), len(columns) - 1)]
            last = columns[min(mark.end(2), len(columns) - 1)]
            case.marks.append(Mark(rel, line_start + first, line_start + last, mark[3] or ""))
            continue
        line, columns = _characters(raw)
        line_start = len(text)
        text += line + "\n"
    case.files[rel] = text


def _characters(raw: str) -> tuple[str, list[int]]:
    """(the line with its hidden characters, offset in it for every column of the source)."""
    line, columns, at = "", [], 0
    for m in _CHARACTER.finditer(raw):
        columns += range(len(line), len(line) + m.start() - at)
        line += raw[at : m.start()]
        columns += [len(line)] * (m.end() - m.start())
        line += chr(int(m[1], 16))
        at = m.end()
    columns += range(len(line), len(line) + len(raw) - at + 1)
    return line + raw[at:], columns


def first_line_end(context: Context, diagnostic: Diagnostic) -> int:
    """End of the part of a diagnostic that lies in its first line."""
    document = context.directory.documents[diagnostic.path.removeprefix(ROOT + "/")]
    line = document.lines.span(document.lines.line_of(diagnostic.span.start))
    return min(diagnostic.span.end, max(line.end, diagnostic.span.start))


def run(case: Case) -> list[str]:
    """What differs between marks and findings; empty when all is as annotated."""
    context = case.context()
    found = {
        (d.path.removeprefix(ROOT + "/"), d.span.start, first_line_end(context, d)): d
        for d in lint(context, case.rule)
    }
    faults: list[str] = []
    for mark in case.marks:
        diagnostic = found.pop((mark.rel, mark.start, mark.end), None)
        shown = case.files[mark.rel][mark.start : mark.end]
        if diagnostic is None:
            faults.append(f"{mark.rel}: nothing is reported at {shown!r}")
            continue
        message = str(diagnostic.message)
        part = mark.message.removeprefix("...").strip()
        if not (part in message if mark.message.startswith("...") else message.startswith(part)):
            faults.append(f"{mark.rel}: {message!r} does not say {mark.message!r}")
    faults += [
        f"{rel}: {case.files[rel][start:end]!r} is reported: {d.message}"
        for (rel, start, end), d in found.items()
    ]
    return faults
