"""`frontmatter-duplicate-key`: a key that stands twice in one header."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import safe, unsafe
from memdir.core.frontmatter import Field, Frontmatter
from memdir.core.i18n import msg
from memdir.core.model import Edit, Finding, Fix, Related, Safety, Severity, Span
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None or not header.problems:
        return
    for problem in header.problems:
        if problem.code != "duplicate-key":
            continue
        again = next((f for f in header.fields if f.key_span == problem.span), None)
        first = header.field(*again.path) if again else None
        if again is None or first is None:
            continue
        yield Finding(
            problem.span,
            msg(
                "The key “{key}” stands twice in this header; readers disagree which one counts. Keep one.",
                key=problem.key,
            ),
            tuple(_fixes(document, header, first, again)),
            (Related(document.path, first.key_span, msg("first here")),),
        )


def _fixes(document: Document, header: Frontmatter, first: Field, again: Field) -> Iterator[Fix]:
    if "map" in (first.style, again.style):
        return  # its children would be left behind
    if first.value == again.value:
        yield safe(msg("Remove the repeated line"), document.edit(_removal(document, again)))
        return
    for kept, gone in ((again, first), (first, again)):
        shown = kept.value if len(kept.value) <= 40 else kept.value[:39] + "…"
        yield unsafe(msg("Keep “{value}”", value=shown), document.edit(_removal(document, gone)))


def _removal(document: Document, field: Field) -> Edit:
    """The lines of a field, from its key to the end of its value."""
    lines = document.lines
    first = lines.line_of(field.key_span.start)
    last = lines.line_of(max(field.value_span.end - 1, field.key_span.end))
    return Edit(Span(lines.start(first), lines.span(last, with_break=True).end), "")


RULE = Rule(
    name="frontmatter-duplicate-key",
    severity=Severity.WARNING,
    summary=msg("A key stands twice in one header."),
    rationale=msg(
        "YAML forbids it, but most readers take the last value in silence, some the first, and some refuse the header. "
        "It comes from an edit that added a line instead of changing one, so one of the two is out of date."
    ),
    check=check,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "user_role.md",
            bad="---\nname: Role\ndescription: Backend developer, new to this frontend\ntype: user\nname: Background\n---\nKnows Go.\n",
            good="---\nname: Background\ndescription: Backend developer, new to this frontend\ntype: user\n---\nKnows Go.\n",
        ),
    ),
)
