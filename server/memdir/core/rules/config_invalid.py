"""`config-invalid`: a mistake in Memdir's own configuration."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Finding, Safety, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    """Nothing: configuration files are no memories; `memdir.core.settings_parse` finds the mistakes."""
    return iter(())


RULE = Rule(
    name="config-invalid",
    severity=Severity.WARNING,
    summary=msg("A mistake in memdir.toml, in [tool.memdir], or in the editor's settings for Memdir."),
    rationale=msg(
        "A setting with a typing error does nothing, silently: the rule that was meant to be off still reports, or the "
        "limit stays at its default. The value at fault is left out and the rest of the file counts."
    ),
    check=check,
    kinds=frozenset(),
    fix=Safety.UNSAFE,
    examples=(Example("memdir.toml", bad="stale-day = 60\n", good="stale-days = 60\n"),),
)
