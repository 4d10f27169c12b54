"""`description-multiline`: a description over several lines."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import safe, set_key
from memdir.core.i18n import msg
from memdir.core.model import Finding, Safety, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None:
        return
    field = header.find("description")
    # a value on one line as it stands, the usual case, has the length of its text
    if field is None or field.style not in ("block", "plain", "single", "double") or not field.value.strip():
        return
    source = document.slice(field.value_span)
    if "\n" not in source and "\r" not in source and "\n" not in field.value:
        return
    line = " ".join(field.value.split())
    yield Finding(
        field.value_span,
        msg(
            "The description goes over several lines; readers that go line by line see only the first. Write it on one line."
        ),
        (safe(msg("Write it on one line"), document.edit(set_key(document, header, "description", line))),),
    )


RULE = Rule(
    name="description-multiline",
    severity=Severity.WARNING,
    summary=msg("A description goes over several lines."),
    rationale=msg(
        "The description is defined as one line: it becomes one line of the list that recall chooses from. Simple "
        "readers take what stands behind the colon, which for a block is nothing but `|` or `>`. What needs more than "
        "one line belongs in the body."
    ),
    check=check,
    fix=Safety.SAFE,
    examples=(
        Example(
            "user_role.md",
            bad="---\nname: Role\ndescription: >\n  Backend developer with ten years of Go,\n  new to this frontend\ntype: user\n---\nKnows Go.\n",
            good="---\nname: Role\ndescription: Backend developer with ten years of Go, new to this frontend\ntype: user\n---\nKnows Go.\n",
        ),
    ),
)
