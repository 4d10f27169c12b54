"""`suppression-unknown-rule`: a comment that names no rule of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memdir.core.document import Document
from memdir.core.fixing import nearest, safe
from memdir.core.i18n import msg
from memdir.core.model import Edit, Finding, Safety, Severity
from memdir.core.rule import Context, Example, Rule
from memdir.core.suppress import Suppression


def check(document: Document, context: Context) -> Iterator[Finding]:
    """Nothing: the driver calls `unknown_rules` with the comments it has read."""
    return iter(())


def unknown_rules(
    document: Document, comments: Sequence[Suppression], table: Mapping[str, Rule]
) -> Iterator[Finding]:
    """A finding per rule name that does not exist."""
    for comment in comments:
        for name, span in comment.rules:
            if name in table:
                continue
            close = nearest(name, table)
            fixes = (
                (safe(msg("Change to {rule}", rule=close), document.edit(Edit(span, close))),)
                if close
                else ()
            )
            yield Finding(
                span, msg("There is no rule “{name}”; `memdir rules` lists them.", name=name), fixes
            )


RULE = Rule(
    name="suppression-unknown-rule",
    severity=Severity.WARNING,
    summary=msg("A suppression comment names a rule that does not exist."),
    rationale=msg("A misspelt name silences nothing, and the reader believes it does."),
    check=check,
    kinds=frozenset({"topic", "index", "log"}),
    fix=Safety.SAFE,
    examples=(
        Example(
            "user_role.md",
            bad="---\nname: Role\ndescription: Backend developer, new to this frontend\ntype: user\n---\nKnows Go. <!-- memdir: ignore broken-lnik -->\n",
            good="---\nname: Role\ndescription: Backend developer, new to this frontend\ntype: user\n---\nKnows Go.\n",
        ),
    ),
)
