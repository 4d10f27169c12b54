"""`index-over-size-limit`: entries beyond the size that the agent loads."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    settings = context.settings
    loaded = context.directory.loaded(document, settings.index_lines, settings.index_size)
    if loaded.utf16 <= settings.index_size:
        return
    from memdir.core.index_lost import lost_finding

    said = msg(
        "From here on the agent sees nothing: the index has {size} characters and {limit} are loaded.",
        size=loaded.utf16,
        limit=settings.index_size,
    )
    yield lost_finding(context, document, "size", said)


RULE = Rule(
    name="index-over-size-limit",
    severity=Severity.ERROR,
    summary=msg("The index is larger than what the agent loads."),
    rationale=msg(
        "Of `MEMORY.md` the agent gets 25,000 characters (UTF-16 code units, as the client counts them; Chinese text counts "
        "one per character), cut at the last whole line. What follows is lost in silence. The rule marks the first entry "
        "that is lost and lists all others. Shorten hooks, and move content into the memories."
    ),
    check=check,
    kinds=frozenset({"index"}),
    examples=(
        Example(
            "MEMORY.md",
            bad="# Memory\n\n"
            + "".join(
                f"- [Note {i}](project_note_{i}.md) — {'a long story ' * 12}{i}\n" for i in range(1, 141)
            ),
            good="# Memory\n\n"
            + "".join(f"- [Note {i}](project_note_{i}.md) — decision number {i}\n" for i in range(1, 141)),
        ),
    ),
)
