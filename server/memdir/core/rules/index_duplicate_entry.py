"""`index-duplicate-entry`: one memory listed twice."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import line_deletion, safe, unsafe
from memdir.core.i18n import msg
from memdir.core.index import Entry, resolve
from memdir.core.model import Finding, Fix, Related, Safety, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    seen: dict[str, Entry] = {}
    for entry in context.directory.entries(document):
        target = entry.targets[0]
        written = document.slice(target.span)
        if target.external or "#" in written:
            continue  # two entries for two sections of one file are meant
        rel = resolve(document.rel, target.path)
        if rel is None:
            continue
        first = seen.setdefault(rel, entry)
        if first is entry:
            continue
        same = first.hook == entry.hook or not entry.hook
        make = safe if same else unsafe
        fixes: tuple[Fix, ...] = ()
        if len(entry.targets) == 1:
            fixes = (make(msg("Remove this entry"), document.edit(line_deletion(document, entry.line))),)
        yield Finding(
            entry.span,
            msg(
                "{path} is listed already, at line {line}. Keep one entry.",
                path=target.path,
                line=first.line + 1,
            ),
            fixes,
            (Related(document.path, first.span, msg("first listed here")),),
        )


RULE = Rule(
    name="index-duplicate-entry",
    severity=Severity.WARNING,
    summary=msg("One memory is listed twice."),
    rationale=msg(
        "A second entry for the same file takes a line of the 200 and, when the two hooks differ, leaves the agent to "
        "guess which one is right. It comes from saving the same memory twice. Entries for different sections of a file "
        "(`file.md#section`) are not meant."
    ),
    check=check,
    kinds=frozenset({"index"}),
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "MEMORY.md",
            bad="- [Logging](feedback_logging.md) — structured logs only\n- [Logs](feedback_logging.md) — no print\n",
            good="- [Logging](feedback_logging.md) — structured logs only, no print\n",
            files={
                "feedback_logging.md": "---\nname: Logging\ndescription: Structured logs only, the collector drops free text\ntype: feedback\n---\nNo print.\n"
            },
        ),
    ),
)
