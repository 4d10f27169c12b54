"""`agent-memory-misplaced`: an agent's memory below a sub-directory, where other starts don't find it."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Finding, Safety, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    """Nothing: where a directory lies is not in its text; `memdir.store.misplaced` walks the repository."""
    return iter(())


RULE = Rule(
    name="agent-memory-misplaced",
    severity=Severity.WARNING,
    summary=msg("An agent's memory lies below a sub-directory of the repository."),
    rationale=msg(
        "Project and local memory of a sub-agent follow the directory the client was started in, not the repository. Each "
        "start in another sub-directory begins an empty memory, and what was learned is scattered. The fix merges the "
        "directory into the one at the top; nothing is deleted."
    ),
    check=check,
    kinds=frozenset(),
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "app/.claude/agent-memory/reviewer/MEMORY.md",
            bad="- [Naming](naming.md) — kept while the agent ran in app/\n",
            good="",
        ),
    ),
)
