"""`settings-project-directory`: a repository's settings try to move the memory directory."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    """Nothing: settings are no memories; `memdir.store.locate` finds the attempt."""
    return iter(())


RULE = Rule(
    name="settings-project-directory",
    severity=Severity.WARNING,
    summary=msg("A project's settings name a memory directory (autoMemoryDirectory), which is not followed."),
    rationale=msg(
        "Settings in .claude/settings.json come with the repository. One could point memory at ~/.ssh, where the agent "
        "may then write without asking. The agent's client follows such a setting once the folder is trusted; Memdir "
        "does so only in a trusted workspace and after allow-project-directory = true in your own memdir.toml. Name the "
        "directory in .claude/settings.local.json or in your user settings instead."
    ),
    check=check,
    kinds=frozenset(),
    examples=(
        Example(
            ".claude/settings.json",
            bad='{\n  "autoMemoryDirectory": "~/notes/memory"\n}\n',
            good='{\n  "autoMemoryEnabled": true\n}\n',
        ),
    ),
)
