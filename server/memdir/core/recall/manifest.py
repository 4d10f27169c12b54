"""The manifest: one line per memory, what a model chooses from.

Each line is a JSON object with file name, type, age in words and description. JSON keeps a description on its line, and
`<` is escaped, so that nothing a memory says can close the quotation it stands in.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memdir.core.age import age_words, days_old
from memdir.core.document import Document
from memdir.core.recall.defuse import defuse
from memdir.core.recall.weights import Fields

MAX_DESCRIPTION = 300  # 98 % of real descriptions are shorter (corpus statistics: 90th percentile 208)
MAX_BODY = 1500  # characters of a body that the lexical index reads: it says early what it is about
MAX_MANIFEST = 60_000  # characters, about 15,000 tokens: 200 memories of 300 characters


@dataclass(frozen=True, slots=True)
class Candidate:
    """What recall knows of one memory. `description` is defused; `addressed` says that something was cut out.

    `days` is the age in calendar days, `modified` POSIX seconds (0 when unknown).
    """

    rel: str
    name: str
    type: str
    description: str
    modified: float
    days: int
    addressed: bool = False


def candidate(document: Document, now: datetime) -> Candidate:
    """The candidate a topic file is."""
    description, addressed = defuse(document.description)
    name, in_name = defuse(document.name)
    modified = document.mtime or 0.0
    days = days_old(modified, now) if modified else 0
    return Candidate(document.rel, name, document.type, description, modified, days, addressed or in_name)


def candidates(
    documents: Iterable[Document], now: datetime, limit: int, exclude: Collection[str] = ()
) -> list[Candidate]:
    """The newest `limit` memories, newest first: no indexes, no logs, none of `exclude`."""
    topics = [d for d in documents if d.kind == "topic" and d.rel not in exclude]
    topics.sort(key=lambda d: (-(d.mtime or 0.0), d.rel))
    return [candidate(d, now) for d in topics[:limit]]


def fields_of(document: Document, found: Candidate, *, body: bool = True) -> Fields:
    """What the lexical index sees of a memory."""
    text = document.body[:MAX_BODY] if body else ""
    headings = " ".join(h.text for h in document.markdown.headings) if "#" in text else ""
    return Fields(
        found.name,
        found.description,
        document.stem.replace("_", " "),
        found.type,
        headings,
        text,
        found.modified,
    )


def manifest(found: Sequence[Candidate], cap: int = MAX_MANIFEST) -> tuple[str, int]:
    """(the lines, how many candidates they hold). What does not fit into `cap` characters is left out, oldest first."""
    lines: list[str] = []
    size = 0
    for one in found:
        line = _line(one)
        size += len(line) + 1
        if size > cap:
            break
        lines.append(line)
    return "\n".join(lines), len(lines)


def _line(one: Candidate) -> str:
    entry = {"file": one.rel, "type": one.type or "unknown"}
    if one.days or one.modified:
        entry["age"] = str(age_words(one.days))
    text = " ".join(one.description.split()) or " ".join(one.name.split())
    if len(text) > MAX_DESCRIPTION:
        text = text[: MAX_DESCRIPTION - 1].rstrip() + "…"
    entry["description"] = text
    line = json.dumps(entry, ensure_ascii=False).replace("<", "\\u003c")
    return line.encode("utf-8", "replace").decode()
