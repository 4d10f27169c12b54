"""`index-orphan`: a memory that no index lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memdir.core.directory import TEAM_INDEX, Directory
from memdir.core.document import INDEX_NAME, Document
from memdir.core.fixing import header_span, safe, unsafe
from memdir.core.i18n import Message, msg
from memdir.core.index import entries
from memdir.core.model import CreateFile, Edit, Finding, Fix, Related, Safety, Severity, Span
from memdir.core.rule import Context, Example, Reads, Rule
from memdir.core.text import apply_edits

_SHOWN = 3
_MAX_RELATED = 20


def check(document: Document, context: Context) -> Iterator[Finding]:
    directory = context.directory
    grouped = directory.orphan_count > context.settings.orphan_group
    if document.kind == "index":
        if grouped:
            yield from _group(document, context)
        return
    if grouped or not directory.is_orphan(document):
        return
    index = directory.index_for(document)
    name = TEAM_INDEX if document.rel.startswith("team/") else INDEX_NAME
    fix = _listing(index, (document,), context) if index else _first_entry(document, context, name)
    yield Finding(header_span(document), _message(index, name, fix, context), (fix,) if fix else ())


def _message(index: Document | None, name: str, fix: Fix | None, context: Context) -> Message:
    if fix is not None:
        return msg(
            "No index lists this memory, so the agent does not know of it. Add an entry to {index}.",
            index=name,
        )
    if index is not None and not _full(index, 1, context):
        return msg(
            "No index lists this memory. {index} ends in a code block or comment that is never closed; close it, then add an entry.",
            index=name,
        )
    return msg(
        "No index lists this memory, and {index} is full. Merge or archive entries first, then add this one.",
        index=name,
    )


def _full(index: Document, count: int, context: Context) -> bool:
    """True when `count` more lines would not be loaded."""
    settings = context.settings
    loaded = context.directory.loaded(index, settings.index_lines, settings.index_size)
    return (
        loaded.truncated is not None
        or loaded.lines + count > settings.index_lines
        or loaded.utf16 + count * settings.entry_info > settings.index_size
    )


def _group(index: Document, context: Context) -> Iterator[Finding]:
    directory = context.directory
    has_team = TEAM_INDEX in directory
    mine = [
        d
        for d in directory.orphans()
        if (d.rel.startswith("team/") and has_team) == (index.rel == TEAM_INDEX)
    ]
    if not mine:
        return
    shown = ", ".join(d.rel for d in mine[:_SHOWN])
    related = tuple(Related(d.path, Span(0, 0), msg("not listed")) for d in mine[:_MAX_RELATED])
    fix = _listing(index, mine, context)
    message = (
        msg(
            "{count} memories are in no index, among them {files}. The agent does not know of them.",
            count=len(mine),
            files=shown,
        )
        if fix
        else msg(
            "{count} memories are in no index, among them {files}. Not all fit into this one: merge them, or list them in a second file that one entry points to.",
            count=len(mine),
            files=shown,
        )
    )
    yield Finding(
        header_span(index), message, (fix,) if fix else (), related, {"orphans": [d.rel for d in mine]}
    )


def _listing(index: Document, documents: Sequence[Document], context: Context) -> Fix | None:
    """The entries added to `index`; None when they would not be loaded any more.

    Safe when there is room for every orphan there is: else it is a person's choice which ones get in.
    """
    from memdir.core.index_edit import additions, fits

    settings, directory = context.settings, context.directory
    loaded = directory.loaded(index, settings.index_lines, settings.index_size)
    if loaded.lines + len(documents) > settings.index_lines or loaded.truncated:
        return None
    edits = additions(directory, index, documents, settings)
    if not fits(directory, index, edits, settings) or not _would_count(directory, index, edits):
        return None
    waiting = directory.orphan_count
    make = safe if len(documents) == waiting or not _full(index, waiting, context) else unsafe
    title = (
        msg("Add it to {index}", index=index.rel)
        if len(documents) == 1
        else msg("Add {count} entries to {index}", count=len(documents), index=index.rel)
    )
    return make(title, index.edit(*edits))


def _would_count(directory: Directory, index: Document, edits: Sequence[Edit]) -> bool:
    """False when the entries would end up in a code block or comment that is never closed."""
    if directory.entries(index):
        return True  # they stand behind one that counts
    return bool(entries(Document(index.path, index.rel, apply_edits(index.text, edits))))


def _first_entry(document: Document, context: Context, name: str) -> Fix:
    """A new index with this one entry, where its scope has none."""
    from memdir.core.index_edit import Shape, entry_line, link_path

    directory = context.directory
    empty = Document(directory.path_of(name), name, b"")
    line = entry_line(Shape(), link_path(empty, document), document, context.settings.entry_info)
    return safe(
        msg("Create {index} with an entry for it", index=name), CreateFile(empty.path, (line + "\n").encode())
    )


RULE = Rule(
    name="index-orphan",
    severity=Severity.WARNING,
    summary=msg("No index lists a memory."),
    rationale=msg(
        "The index is the only part of memory that is always in front of the agent, and a client that finds an index "
        "leaves it as it is: a memory that is not listed stays unknown until somebody searches for it. Saving has two "
        "steps, the file and the line, and the second is easily forgotten. What a second-level index lists is reached, as "
        "long as an entry leads to it. The fix adds the entry in the shape and the section that the index uses. Above 20 "
        "orphans (`orphan-group`) one message on the index stands for all."
    ),
    check=check,
    kinds=frozenset({"topic", "index"}),
    reads=Reads.DIRECTORY,
    fix=Safety.SAFE,
    examples=(
        Example(
            "MEMORY.md",
            bad="- [Tracker](reference_tracker.md) — Linear project TIDE\n",
            good="- [Tracker](reference_tracker.md) — Linear project TIDE\n- [Logging](feedback_logging.md) — structured logs only\n",
            files={
                "feedback_logging.md": "---\nname: Logging\ndescription: Structured logs only, the collector drops free text\ntype: feedback\n---\nNo print.\n",
                "reference_tracker.md": "---\nname: Tracker\ndescription: Faults of the import are in Linear, project TIDE\ntype: reference\n---\nThere.\n",
            },
        ),
    ),
)
