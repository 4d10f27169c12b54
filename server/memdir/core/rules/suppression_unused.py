"""`suppression-unused`: a comment that silences nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memdir.core.document import Document
from memdir.core.fixing import line_deletion, safe
from memdir.core.i18n import msg
from memdir.core.model import Edit, Finding, Fix, Safety, Severity, Span
from memdir.core.rule import Context, Example, Rule
from memdir.core.settings import Settings
from memdir.core.suppress import Suppression


def check(document: Document, context: Context) -> Iterator[Finding]:
    """Nothing: the driver calls `unused` once it knows which comments silenced something."""
    return iter(())


def unused(
    document: Document, comments: Sequence[Suppression], table: Mapping[str, Rule], settings: Settings
) -> Iterator[Finding]:
    """A finding per comment whose rules (those that exist and are on) found nothing to silence."""
    for comment in comments:
        names = [name for name, _ in comment.rules]
        watched = [n for n in names if n in table and settings.severity_of(n, table[n].severity) is not None]
        if names and len(watched) < len(names):
            continue  # an unknown name is reported as such; a rule that is off cannot show its use
        if names and all(n in comment.used for n in names):
            continue
        if not names and comment.used:
            continue
        idle = ", ".join(n for n in names if n not in comment.used)
        message = (
            msg("This comment silences nothing: {rules} finds no fault here. Remove it.", rules=idle)
            if idle
            else msg("This comment silences nothing: no rule finds a fault here. Remove it.")
        )
        fixes: tuple[Fix, ...] = ()
        if len(names) < 2:
            fixes = (safe(msg("Remove the comment"), document.edit(_removal(document, comment.span))),)
        yield Finding(comment.span, message, fixes)


def _removal(document: Document, span: Span) -> Edit:
    line = document.lines.line_of(span.start)
    whole = document.lines.span(line)
    if not (document.text[whole.start : span.start] + document.text[span.end : whole.end]).strip():
        return line_deletion(document, line)
    start = span.start
    while start > whole.start and document.text[start - 1] in " \t":
        start -= 1
    return Edit(Span(start, span.end), "")


RULE = Rule(
    name="suppression-unused",
    severity=Severity.HINT,
    summary=msg("A suppression comment silences nothing."),
    rationale=msg("A comment that outlived its reason hides the next fault of the same kind."),
    check=check,
    kinds=frozenset({"topic", "index", "log"}),
    fix=Safety.SAFE,
    examples=(
        Example(
            "user_role.md",
            bad="---\nname: Role\ndescription: Backend developer, new to this frontend\ntype: user\n---\nKnows Go. <!-- memdir: ignore broken-link -->\n",
            good="---\nname: Role\ndescription: Backend developer, new to this frontend\ntype: user\n---\nKnows Go.\n",
        ),
    ),
)
