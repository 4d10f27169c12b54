"""`index-over-line-limit`: entries below the last line that the agent loads."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    settings = context.settings
    loaded = context.directory.loaded(document, settings.index_lines, settings.index_size)
    if loaded.lines <= settings.index_lines:
        return
    from memdir.core.index_lost import lost_finding

    said = msg(
        "From here on the agent sees nothing: the index has {lines} lines and the first {limit} are loaded.",
        lines=loaded.lines,
        limit=settings.index_lines,
    )
    yield lost_finding(context, document, "lines", said)


RULE = Rule(
    name="index-over-line-limit",
    severity=Severity.ERROR,
    summary=msg("The index has more lines than the agent loads."),
    rationale=msg(
        "Of `MEMORY.md` the agent gets the first 200 lines, counted after the header and HTML comments are taken out. The "
        "rest is cut off without an error anybody sees: the memories listed there are never thought of again. The rule "
        "marks the first entry that is lost and lists all others. Make entries out of content, merge memories on one "
        "matter, or move old ones into a second-level index (`archive.md`, say) that one entry points to."
    ),
    check=check,
    kinds=frozenset({"index"}),
    examples=(
        Example(
            "MEMORY.md",
            bad="# Memory\n\n"
            + "".join(f"- [Note {i}](project_note_{i}.md) — decision number {i}\n" for i in range(1, 202)),
            good="# Memory\n\n"
            + "".join(f"- [Note {i}](project_note_{i}.md) — decision number {i}\n" for i in range(1, 151)),
        ),
    ),
)
