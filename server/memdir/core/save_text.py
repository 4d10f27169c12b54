"""The texts that saving writes: a new memory in its directory's own shape, the edits that update one."""

from __future__ import annotations

from datetime import datetime
from itertools import islice

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.header_edit import new_header, quote, set_field
from memdir.core.index import resolve
from memdir.core.model import Edit, EditFile, Span
from memdir.core.prose import shorten
from memdir.core.settings import Settings

_SAMPLE = 500  # memories whose header is looked at: a menu asks for this at every move of the cursor
_DATED = ("modified", "updated")  # header keys that say when a memory was last changed
_TITLE_MARKS = str.maketrans({"[": r"\[", "]": r"\]"})


def new_text(directory: Directory, name: str, description: str, type_: str, body: str) -> str:
    """A complete memory. The header has the shape that most memories of the directory have; the body is never empty."""
    topics = [d.frontmatter for d in islice(directory.topics(), _SAMPLE) if d.frontmatter is not None]
    nested = sum(any(f.path == ("metadata", "type") for f in header.fields) for header in topics)
    if nested * 2 > len(topics):
        lines = [
            "---",
            f"name: {quote(name)}",
            f"description: {quote(description)}",
            "metadata:",
            f"  type: {quote(type_)}",
            "---",
            "",
        ]
        header = "\n".join(lines)
    else:
        header = new_header(name, description, type_)
    return f"{header}\n{body or description}\n"


def updated_edits(
    present: Document, *, name: str, description: str, type_: str, body: str, now: datetime
) -> list[Edit]:
    """The edits that give a memory a new name, description, type or body (empty ones stay), and its date if it has one."""
    text, newline = present.text, present.newline
    body = newline.join(body.splitlines())
    edits: list[Edit] = []
    header = present.frontmatter
    if header is None:
        edits.append(
            Edit(Span(0, 0), new_header(name or present.title, description, type_, newline) + newline)
        )
    else:
        for key, value in (("name", name), ("description", description), ("type", type_)):
            field = header.find(key)
            if value and (field is None or field.value.strip() != value):
                edits.append(set_field(text, header, key, value, newline=newline))
        for key in _DATED:
            field = header.find(key)
            if field is not None and field.style != "map":
                stamp = (
                    now.date().isoformat()
                    if len(field.value.strip()) <= 10
                    else now.isoformat(timespec="seconds")
                )
                plain = field.style == "plain"  # a date needs no quotes where it had none
                edits.append(Edit(field.value_span, stamp) if plain else set_field(text, header, key, stamp))
    if body:
        start = present.body_start
        lead = "" if start and text[:start].endswith(("\n", "\r")) else newline
        edits.append(Edit(Span(start, len(text)), f"{lead}{newline if start else ''}{body}{newline}"))
    return edits


def updated_entry(
    directory: Directory, index: Document, before: Document, after: Document, settings: Settings
) -> EditFile | None:
    """The change of an index whose entry shows the old name or description; wording of its own stays as it is."""
    edits: list[Edit] = []
    for entry in directory.entries(index):
        if len(entry.targets) != 1 or resolve(index.rel, entry.targets[0].path) != before.rel:
            continue
        if (
            after.title != before.title
            and entry.title == before.title
            and entry.title_span != entry.targets[0].span
        ):
            edits.append(Edit(entry.title_span, after.title.translate(_TITLE_MARKS)))
        old = " ".join(before.description.split())
        shows_old = bool(entry.hook) and (
            entry.hook == old or old.startswith(entry.hook.rstrip("…").rstrip())
        )
        if after.description != before.description and shows_old:
            at = index.text.rfind(entry.hook, entry.targets[0].span.end, entry.span.end)
            if at < 0:
                continue
            room = settings.entry_info - (len(entry.span) - len(entry.hook))
            edits.append(
                Edit(
                    Span(at, at + len(entry.hook)),
                    shorten(" ".join(after.description.split()), max(room, 20)),
                )
            )
    return index.edit(*edits) if edits else None
