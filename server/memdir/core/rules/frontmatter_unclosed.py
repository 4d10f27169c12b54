"""`frontmatter-unclosed`: a header without its closing `---`."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import header_span, safe
from memdir.core.i18n import msg
from memdir.core.model import Edit, Finding, Safety, Severity, Span
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None or header.closed:
        return
    at, newline = header.span.end, document.newline
    lead = "" if at == 0 or document.text[at - 1] in "\r\n" else newline
    fix = safe(msg("Close the header with `---`"), document.edit(Edit(Span(at, at), f"{lead}---{newline}")))
    yield Finding(
        header_span(document),
        msg(
            "The header is never closed: put a line `---` behind its last key, or the whole file is taken for text."
        ),
        (fix,),
    )


RULE = Rule(
    name="frontmatter-unclosed",
    severity=Severity.ERROR,
    summary=msg("The header of a memory is never closed."),
    rationale=msg(
        "A header is what stands between two lines of three dashes. Without the second one a reader finds no header at "
        "all, so name, description and type are lost together."
    ),
    check=check,
    fix=Safety.SAFE,
    examples=(
        Example(
            "user_role.md",
            bad="---\nname: Role\ndescription: Backend developer, new to this frontend\ntype: user\n\nKnows Go.\n",
            good="---\nname: Role\ndescription: Backend developer, new to this frontend\ntype: user\n---\n\nKnows Go.\n",
        ),
    ),
)
