"""`type-missing`: a memory that says nothing about its kind."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import TYPE_PREFIXES, header_span, safe, set_key, type_from_stem, unsafe
from memdir.core.i18n import msg
from memdir.core.model import Finding, Safety, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None or document.type:
        return
    found = header.find("type")
    announced = type_from_stem(document.stem)
    choices = [announced] if announced else [*TYPE_PREFIXES]
    make = safe if announced else unsafe
    fixes = tuple(
        make(msg("Set the type to {type}", type=t), document.edit(set_key(document, header, "type", t)))
        for t in choices
    )
    yield Finding(
        found.key_span if found else header_span(document),
        msg(
            "No type: write user, feedback, project or reference, so that the memory can be filtered and shared rightly."
        ),
        fixes,
    )


RULE = Rule(
    name="type-missing",
    severity=Severity.WARNING,
    summary=msg("A memory has no type."),
    rationale=msg(
        "The four types are a closed set: user, feedback, project, reference. They decide what belongs in the body, "
        "whether the memory may be shared with the team, and how recall filters. A file without a type still works, "
        "but nothing can sort it. The fix reads the type from the file name where it starts with one."
    ),
    check=check,
    fix=Safety.SAFE,
    examples=(
        Example(
            "feedback_real_db.md",
            bad="---\nname: Real database\ndescription: Integration tests must hit a real database\n---\nUse the real one.\n",
            good="---\nname: Real database\ndescription: Integration tests must hit a real database\ntype: feedback\n---\nUse the real one.\n",
        ),
    ),
)
