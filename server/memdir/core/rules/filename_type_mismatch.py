"""`filename-type-mismatch`: the file name announces another type than the header."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import TYPE_PREFIXES, set_key, type_from_stem, unsafe
from memdir.core.i18n import msg
from memdir.core.model import Finding, Safety, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header, declared = document.frontmatter, document.type
    if header is None or declared not in TYPE_PREFIXES:
        return
    announced = type_from_stem(document.stem)
    if announced is None or announced == declared:
        return
    field = header.find("type")
    assert field is not None  # document.type came from it
    fix = unsafe(
        msg("Set the type to {type}", type=announced),
        document.edit(set_key(document, header, "type", announced)),
    )
    yield Finding(
        field.value_span,
        msg(
            "The file name says {announced}, the header says {declared}. Change one of them.",
            announced=announced,
            declared=declared,
        ),
        (fix,),
    )


RULE = Rule(
    name="filename-type-mismatch",
    severity=Severity.HINT,
    summary=msg("File name and header name different types."),
    rationale=msg(
        "Memories are called `<type>_<topic>.md`, so that a plain listing of the directory is sorted by type. When the "
        "type was changed later, the name misleads. Files whose names begin with none of the four types are not looked at."
    ),
    check=check,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "feedback_dashboards.md",
            bad="---\nname: Dashboards\ndescription: Board for API latency that on-call watches\ntype: reference\n---\nSee the board.\n",
            good="---\nname: Dashboards\ndescription: On-call wants the latency board checked before a change\ntype: feedback\n---\nSee the board.\n",
        ),
    ),
)
