"""`index-entry-too-long`: an index entry that tells too much."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.fixing import unsafe
from memdir.core.i18n import msg
from memdir.core.index import Entry, resolve
from memdir.core.model import Edit, Finding, Fix, Safety, Severity, Span
from memdir.core.prose import shorten
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    settings, directory = context.settings, context.directory
    for entry in directory.entries(document):
        size = len(entry.span)  # characters: a CJK one is as much to read as a Latin one, whatever its width
        if size <= settings.entry_info:
            continue
        limit = settings.entry_warn if size > settings.entry_warn else settings.entry_info
        fix = _shortening(directory, document, entry, settings.entry_info)
        yield Finding(
            Span(entry.span.start + limit, entry.span.end),
            msg(
                "This entry has {size} characters; keep to about {limit} and let the memory tell the rest.",
                size=size,
                limit=settings.entry_info,
            ),
            (fix,) if fix else (),
            severity=Severity.WARNING if size > settings.entry_warn else Severity.INFORMATION,
        )


def _shortening(directory: Directory, document: Document, entry: Entry, limit: int) -> Fix | None:
    """The memory's own description as hook when it is short enough, else the hook cut at a word."""
    if not entry.hook or entry.kind == "table":
        return None
    at = document.text.rfind(entry.hook, entry.span.start, entry.span.end)
    room = limit - (len(entry.span) - len(entry.hook))
    if at < 0 or room < 20:
        return None
    span = Span(at, at + len(entry.hook))
    rel = resolve(document.rel, entry.targets[0].path)
    target = directory.get(rel) if rel else None
    description = " ".join(target.description.split()) if target else ""
    if description and len(description) <= room:
        return unsafe(
            msg("Use the memory's description: “{text}”", text=description),
            document.edit(Edit(span, description)),
        )
    return unsafe(
        msg("Cut the entry to {limit} characters", limit=limit),
        document.edit(Edit(span, shorten(entry.hook, room))),
    )


RULE = Rule(
    name="index-entry-too-long",
    severity=Severity.INFORMATION,
    summary=msg("An index entry is too long."),
    rationale=msg(
        "The index is a table of contents that is in front of the agent all the time. About 150 characters are enough "
        "for a title and a hook that says when to open the memory; nearly a third of real entries are longer and 13 % pass "
        "200, where a warning begins. What an entry tells beyond that is content, paid for in every conversation. "
        "Characters are counted, not columns, so Chinese text is not counted double."
    ),
    check=check,
    kinds=frozenset({"index"}),
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "MEMORY.md",
            bad="- [Logging](feedback_logging.md) — structured logs only, because the collector of the operations team drops every line that is free text, which was found out the hard way when an alarm stayed silent for nine days\n",
            good="- [Logging](feedback_logging.md) — structured logs only, the collector drops free text\n",
            files={
                "feedback_logging.md": "---\nname: Logging\ndescription: Structured logs only, the collector drops free text\ntype: feedback\n---\nNo print.\n"
            },
        ),
    ),
)
