"""`settings-unreadable`: a settings file, or a value about memory in it, that can't be used."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    """Nothing: settings are no memories; `memdir.store.client_settings` finds the faults."""
    return iter(())


RULE = Rule(
    name="settings-unreadable",
    severity=Severity.WARNING,
    summary=msg("A settings file of the agent's client, or a value about memory in it, can't be used."),
    rationale=msg(
        "Broken JSON, a value of the wrong type, or a memory directory that is refused (a home or root directory, a "
        "relative path) counts as not set: memory stays where it would be without it. Memory that was meant to be off "
        "may then be on, so background work waits until the file can be read."
    ),
    check=check,
    kinds=frozenset(),
    examples=(
        Example(
            ".claude/settings.json",
            bad='{\n  "autoMemoryEnabled": "no"\n}\n',
            good='{\n  "autoMemoryEnabled": false\n}\n',
        ),
    ),
)
