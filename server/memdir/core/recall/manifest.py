"""The manifest: one line per memory, what a model chooses from.

Each line is a JSON object with file name, type, age in words and description. JSON keeps a description on its line, and
`<` is escaped, so that nothing a memory says can close the quotation it stands in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from memdir.core.age import age_words, days_old
from memdir.core.document import Document
from memdir.core.frontmatter import SCAN_WINDOW
from memdir.core.recall.defuse import defuse
from memdir.core.recall.weights import Fields
from memdir.core.staleness import written

MAX_DESCRIPTION = 300  # 98 % of real descriptions are shorter (corpus statistics: 90th percentile 208)
MAX_BODY = 1500  # characters of a body that the lexical index reads: it says early what it is about
MAX_MANIFEST = 60_000  # characters, about 15,000 tokens: 200 memories of 300 characters


@dataclass(frozen=True, slots=True)
class Candidate:
    """What recall knows of one memory. `description` is defused; `addressed` says that something was cut out.

    `modified`: POSIX seconds, 0 when unknown.
    """

    rel: str
    name: str
    type: str
    description: str
    modified: float
    addressed: bool = False

    def days(self, now: datetime) -> int:
        """Age in calendar days; unknown ages count as today."""
        return days_old(self.modified, now) if self.modified else 0


def candidate(document: Document, zone: tzinfo | None = None) -> Candidate:
    """The candidate a topic file is: its header as far as it lies in the file's first 30 lines."""
    description, addressed = defuse(_seen(document, "description"))
    name, in_name = defuse(_seen(document, "name"))
    when = written(document, zone)
    modified = when.at.timestamp() if when else 0.0
    return Candidate(document.rel, name, _seen(document, "type"), description, modified, addressed or in_name)


def _seen(document: Document, key: str) -> str:
    """A header value, unless it stands below what recall reads."""
    header = document.frontmatter
    if header is None:
        return ""
    if header.span.end > SCAN_WINDOW:  # fewer characters than lines: surely inside
        found = header.find(key)
        if found is not None and document.lines.line_of(found.value_span.start) >= SCAN_WINDOW:
            return ""
    return header.get(key).strip()


def newest(found: Iterable[Candidate], limit: int) -> list[Candidate]:
    """The newest `limit` candidates, newest first, equal ones by name."""
    return sorted(found, key=lambda c: (-c.modified, c.rel))[:limit]


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


def manifest(found: Sequence[Candidate], now: datetime, cap: int = MAX_MANIFEST) -> tuple[str, int]:
    """(the lines, how many candidates they hold). What does not fit into `cap` characters is left out, oldest first."""
    lines: list[str] = []
    size = 0
    for one in found:
        line = _line(one, now)
        size += len(line) + 1
        if size > cap:
            break
        lines.append(line)
    return "\n".join(lines), len(lines)


def _line(one: Candidate, now: datetime) -> str:
    entry = {"file": one.rel, "type": one.type or "unknown"}
    if one.modified:
        entry["age"] = str(age_words(one.days(now)))
    text = " ".join(one.description.split()) or " ".join(one.name.split())
    if len(text) > MAX_DESCRIPTION:
        text = text[: MAX_DESCRIPTION - 1].rstrip() + "…"
    entry["description"] = text
    line = json.dumps(entry, ensure_ascii=False).replace("<", "\\u003c")
    return line.encode("utf-8", "replace").decode()
