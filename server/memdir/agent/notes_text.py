"""The notes of a running session as text: fixed headings, each with an italic line that says what belongs there.

Headings and italic lines are the frame that every update finds again; a model may write only between them. What breaks the
frame, or fills a section beyond its room, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.i18n import Message, msg
from memdir.core.tokens import estimate_tokens

NAME = "summary.md"
MAX_SECTION = 2_000  # tokens, estimated: what fits into a glance of a model, times nine
MAX_NOTES = 12_000  # tokens of all sections; a continuation must leave room for the work itself

SECTIONS: tuple[tuple[str, str], ...] = (
    ("Title", "What this session is about, in at most ten words."),
    ("State", "What is being worked on right now, what is finished, what comes next."),
    ("Task", "What the person asked for, and the decisions that shape it."),
    ("Files", "Which files and functions matter, and what for."),
    ("Workflow", "Which commands are run, in which order, and how to read what they print."),
    ("Errors", "What went wrong, how it was mended, and what must not be tried again."),
    ("Learnings", "What worked, what did not, what to watch out for."),
    ("Results", "What the person wanted to have, exactly: answers, tables, documents."),
    ("Log", "What was done, step by step, very short."),
)


@dataclass(frozen=True, slots=True)
class Section:
    """One section: `body` is what was written below the italic line, stripped."""

    heading: str
    description: str
    body: str


def template() -> str:
    """Notes in which nothing is written yet."""
    return "\n".join(f"# {heading}\n_{description}_\n" for heading, description in SECTIONS)


def sections(text: str) -> list[Section]:
    """The sections of notes, as they are found."""
    found: list[Section] = []
    lines: list[str] = []
    heading = ""
    for line, outside in _lines(text):
        if outside and line.startswith("# "):
            if heading or lines:
                found.append(_section(heading, lines))
            heading, lines = line[2:].strip(), []
        else:
            lines.append(line)
    if heading or lines:
        found.append(_section(heading, lines))
    return [s for s in found if s.heading or s.body or s.description]


def violation(text: str) -> Message | None:
    """What is wrong with the frame or the size of notes, None when nothing is."""
    found = sections(text)
    if [s.heading for s in found] != [heading for heading, _ in SECTIONS]:
        return msg("The headings of the notes were changed; they are fixed.")
    for section, (heading, description) in zip(found, SECTIONS, strict=True):
        if section.description != description:
            return msg("The italic line below “{heading}” was changed; it is fixed.", heading=heading)
        size = estimate_tokens(section.body)
        if size > MAX_SECTION:
            return msg("The section “{heading}” has about {size} tokens; there is room for {limit}. Say older things shorter.", heading=heading, size=size, limit=MAX_SECTION)  # fmt: skip
    total = estimate_tokens(text)
    if total > MAX_NOTES:
        return msg("The notes have about {size} tokens; there is room for {limit}. Say older things shorter.", size=total, limit=MAX_NOTES)  # fmt: skip
    return None


def is_empty(text: str) -> bool:
    """True when nothing was written below any heading."""
    return not any(s.body for s in sections(text))


def written(text: str) -> str:
    """The notes without the sections in which nothing is written, and without the italic lines: what a reader needs."""
    return "\n\n".join(f"## {s.heading}\n\n{s.body}" for s in sections(text) if s.body)


def _section(heading: str, lines: list[str]) -> Section:
    description = ""
    rest = lines
    if lines and lines[0].startswith("_") and lines[0].rstrip().endswith("_") and len(lines[0].rstrip()) > 2:
        description, rest = lines[0].rstrip()[1:-1], lines[1:]
    return Section(heading, description, "\n".join(rest).strip())


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Lines, and whether each stands outside a fenced block: `# …` in a quoted script is no heading."""
    fence = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        mark = line.lstrip()[:3]
        if fence:
            if mark == fence:
                fence = ""
            yield line, False
        else:
            if mark in ("```", "~~~"):
                fence = mark
            yield line, not fence
