"""`broken-link`: a link in a memory to a memory that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.fixing import safe, unsafe
from memdir.core.i18n import msg
from memdir.core.link_repair import dead_target, renamed
from memdir.core.markdown import Link
from memdir.core.model import Edit, Finding, Fix, Safety, Severity
from memdir.core.rule import Context, Example, Reads, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    directory = context.directory
    missing = [t for t in directory.targets(document) if t not in directory]
    if not missing:
        return
    listed = (
        {t.span for e in directory.entries(document) for t in e.targets}
        if directory.is_listing(document)
        else set()
    )
    for link in document.markdown.links:
        if link.external or not link.path:
            continue
        dead = dead_target(context, document, link.path)
        if dead is None:
            continue
        message = (
            msg("This entry leads to no file: there is no {path}.", path=link.path)
            if link.target_span in listed
            else msg("There is no memory {path}; the link leads nowhere.", path=link.path)
        )
        yield Finding(link.target_span, message, tuple(_fixes(document, directory, link, dead)))


def _fixes(document: Document, directory: Directory, link: Link, dead: str) -> Iterator[Fix]:
    found = renamed(directory, dead)
    if found is not None and link.kind == "inline":
        from memdir.core.index_edit import target_edit
        from memdir.core.moving import relative_path

        other, certain = found
        edit = target_edit(document, link.target_span, relative_path(document.rel, other.rel))
        make = safe if certain else unsafe
        yield make(msg("Point to {path}", path=other.rel), document.edit(edit))
    if link.text.strip() and link.kind != "image":
        yield unsafe(msg("Keep the text, remove the link"), document.edit(Edit(link.span, link.text)))


RULE = Rule(
    name="broken-link",
    severity=Severity.WARNING,
    summary=msg("A link leads to a memory that is not there."),
    rationale=msg(
        "A link promises more on the matter; a dead one makes the agent search for a file that was renamed, merged or "
        "deleted. Only links to Markdown files of the memory directory are looked at: paths of the repository and web "
        "addresses are not, and links in code are no links."
    ),
    check=check,
    kinds=frozenset({"topic", "log"}),
    reads=Reads.DIRECTORY | Reads.PROJECT,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "reference_tracker.md",
            bad="---\nname: Tracker\ndescription: Faults of the import are in Linear, project TIDE\ntype: reference\n---\nMore in [the import runbook](runbook_import.md).\n",
            good="---\nname: Tracker\ndescription: Faults of the import are in Linear, project TIDE\ntype: reference\n---\nMore in [the import runbook](reference_import_runbook.md).\n",
            files={
                "reference_import_runbook.md": "---\nname: Import runbook\ndescription: What to check when the tide import stops\ntype: reference\n---\nThe counts.\n"
            },
        ),
    ),
)
