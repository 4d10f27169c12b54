"""`index-near-limit`: an index that is nearly full."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import header_span
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    settings = context.settings
    loaded = context.directory.loaded(document, settings.index_lines, settings.index_size)
    if settings.near_limit * settings.index_lines <= loaded.lines <= settings.index_lines:
        yield Finding(
            header_span(document),
            msg(
                "The index has {used} of {limit} lines ({percent} %). Beyond them entries are lost; merge or archive some in time.",
                used=loaded.lines,
                limit=settings.index_lines,
                percent=100 * loaded.lines // settings.index_lines,
            ),
        )
    if settings.near_limit * settings.index_size <= loaded.utf16 <= settings.index_size:
        yield Finding(
            header_span(document),
            msg(
                "The index has {used} of {limit} characters ({percent} %). Beyond them entries are lost; shorten some in time.",
                used=loaded.utf16,
                limit=settings.index_size,
                percent=100 * loaded.utf16 // settings.index_size,
            ),
        )


RULE = Rule(
    name="index-near-limit",
    severity=Severity.INFORMATION,
    summary=msg("The index is nearly full."),
    rationale=msg(
        "Few indexes are over a limit, many come near. The agent itself adds a line with every memory and does not count, "
        "so the first lost entry is a question of days. From 80 % (`near-limit`) this rule says how much is used."
    ),
    check=check,
    kinds=frozenset({"index"}),
    examples=(
        Example(
            "MEMORY.md",
            bad="# Memory\n\n"
            + "".join(f"- [Note {i}](project_note_{i}.md) — decision number {i}\n" for i in range(1, 171)),
            good="# Memory\n\n"
            + "".join(f"- [Note {i}](project_note_{i}.md) — decision number {i}\n" for i in range(1, 101)),
        ),
    ),
)
