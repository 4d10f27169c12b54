"""`index-broken-link`: an entry for a file that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.fixing import line_deletion, safe, unsafe
from memdir.core.i18n import msg
from memdir.core.index import Entry, Target, resolve
from memdir.core.link_repair import dead_target, renamed
from memdir.core.model import Edit, Finding, Fix, Safety, Severity
from memdir.core.rule import Context, Example, Reads, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    directory = context.directory
    for entry in directory.entries(document):
        for target in entry.targets:
            if target.external:
                continue
            rel = resolve(document.rel, target.path)
            if rel is None or rel in directory:
                continue
            if rel + ".md" in directory:
                fix = safe(
                    msg("Add “.md”"), document.edit(_pointing(document, directory, target, rel + ".md"))
                )
                yield Finding(
                    target.span,
                    msg("There is no file {path}; the memory is called {path}.md.", path=target.path),
                    (fix,),
                )
                continue
            dead = dead_target(context, document, target.path)
            if dead is not None:
                message = msg(
                    "There is no file {path}: the agent is sent to nothing. Point to the renamed file, or remove the entry.",
                    path=target.path,
                )
                yield Finding(target.span, message, tuple(_fixes(document, directory, entry, target, dead)))


def _fixes(
    document: Document, directory: Directory, entry: Entry, target: Target, dead: str
) -> Iterator[Fix]:
    found = renamed(directory, dead)
    if found is not None:
        other, certain = found
        make = safe if certain and other.rel not in directory.reachable else unsafe
        yield make(
            msg("Point to {path}", path=other.rel),
            document.edit(_pointing(document, directory, target, other.rel)),
        )
    if len(entry.targets) == 1:
        yield unsafe(msg("Remove this entry"), document.edit(line_deletion(document, entry.line)))


def _pointing(document: Document, directory: Directory, target: Target, rel: str) -> Edit:
    from memdir.core.index_edit import link_path, target_edit

    return target_edit(document, target.span, link_path(document, directory.documents[rel]))


RULE = Rule(
    name="index-broken-link",
    severity=Severity.WARNING,
    summary=msg("An index entry names a file that is not there."),
    rationale=msg(
        "A dead entry costs a line of the index and sends the agent to read a file that does not exist. It stays behind "
        "when a memory is renamed, merged or deleted without its second step, the index line. Where a memory of nearly "
        "the same name is not listed, the fix points to it; removing the entry is offered too. A file may be missing in "
        "this checkout only (an ignore rule, a partial commit), so nothing is removed unasked."
    ),
    check=check,
    kinds=frozenset({"index"}),
    reads=Reads.DIRECTORY | Reads.PROJECT,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "MEMORY.md",
            bad="- [Tracker](reference_trackers.md) — Linear project TIDE\n",
            good="- [Tracker](reference_tracker.md) — Linear project TIDE\n",
            files={
                "reference_tracker.md": "---\nname: Tracker\ndescription: Faults of the import are in Linear, project TIDE\ntype: reference\n---\nThere.\n"
            },
        ),
        Example(
            "MEMORY.md",
            bad="# Memory\n\n- [Old plan](project_old_plan.md) — dropped in October\n- [Tracker](reference_tracker.md) — Linear\n",
            good="# Memory\n\n- [Tracker](reference_tracker.md) — Linear\n",
            files={
                "reference_tracker.md": "---\nname: Tracker\ndescription: Faults of the import are in Linear, project TIDE\ntype: reference\n---\nThere.\n"
            },
        ),
    ),
)
