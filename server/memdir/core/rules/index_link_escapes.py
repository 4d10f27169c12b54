"""`index-link-escapes`: an index entry that leads out of the memory directory."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.directory import TEAM_INDEX
from memdir.core.document import Document
from memdir.core.fixing import header_span, safe
from memdir.core.i18n import msg
from memdir.core.index import Target, resolve
from memdir.core.link_repair import in_escape
from memdir.core.model import Edit, Finding, Fix, Safety, Severity
from memdir.core.rule import Context, Example, Reads, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    if context.escapes and document.rel in context.escapes:
        yield Finding(
            header_span(document),
            msg(
                "This index is a link to {target}, outside the memory directory. Put the file itself here.",
                target=context.escapes[document.rel],
            ),
        )
    for entry in context.directory.entries(document):
        for target in entry.targets:
            if target.external and not document.slice(target.span).lower().startswith("file:"):
                continue
            rel = None if target.external else resolve(document.rel, target.path)
            if rel is None:
                yield Finding(
                    target.span,
                    msg(
                        "{path} leads out of the memory directory; the agent may not find it, or may read what is no memory.",
                        path=target.path,
                    ),
                    tuple(_inside(document, context, target)),
                )
            elif in_escape(context, rel):
                where = context.escapes.get(rel) or next(
                    t for link, t in context.escapes.items() if rel.startswith(link + "/")
                )
                yield Finding(
                    target.span,
                    msg(
                        "{path} is a symbolic link to {target}, outside the memory directory. Copy the file, or remove the entry.",
                        path=target.path,
                        target=where,
                    ),
                )
            elif document.rel == TEAM_INDEX and not rel.startswith("team/"):
                yield Finding(
                    target.span,
                    msg(
                        "{path} is a private memory; nobody else in the team has it. Move it to team/, or remove the entry.",
                        path=target.path,
                    ),
                )


def _inside(document: Document, context: Context, target: Target) -> Iterator[Fix]:
    """An absolute path of a file that is in the directory, written relative to it."""
    folder = document.path[: -len(document.rel.rsplit("/", 1)[-1])]
    path = target.path.removeprefix("file://")
    if (
        path.startswith(folder)
        and (rel := resolve(document.rel, path[len(folder) :]))
        and rel in context.directory
    ):
        yield safe(
            msg("Write it relative to the index"), document.edit(Edit(target.span, path[len(folder) :]))
        )


RULE = Rule(
    name="index-link-escapes",
    severity=Severity.WARNING,
    summary=msg("An index entry leads out of the memory directory."),
    rationale=msg(
        "An entry with an absolute path, with `..` or through a symbolic link works on one machine at best. It also makes an "
        "agent, which may read memory without asking, read any file on that machine. Memories lie in the directory; for "
        "what lies elsewhere write a reference memory that names the place."
    ),
    check=check,
    kinds=frozenset({"index"}),
    reads=Reads.DIRECTORY | Reads.DISK,
    fix=Safety.SAFE,
    examples=(
        Example(
            "MEMORY.md",
            bad="- [Tracker](/memory/reference_tracker.md) — Linear project TIDE\n",
            good="- [Tracker](reference_tracker.md) — Linear project TIDE\n",
            files={
                "reference_tracker.md": "---\nname: Tracker\ndescription: Faults of the import are in Linear, project TIDE\ntype: reference\n---\nThere.\n"
            },
        ),
    ),
)
