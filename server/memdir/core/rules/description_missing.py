"""`description-missing`: recall cannot choose a memory without a description."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import header_span, set_key, unsafe
from memdir.core.i18n import msg
from memdir.core.model import Finding, Fix, Safety, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None or document.description:
        return
    from memdir.core.prose import first_sentence

    found = header.find("description")
    if found is not None and any(
        p.code == "cut-by-comment" and p.key == "description" for p in header.problems
    ):
        return  # frontmatter-cut-by-comment names the cause
    sentence = first_sentence(document)
    fixes: tuple[Fix, ...] = ()
    if sentence:
        title = msg("Use the first sentence: “{text}”", text=sentence)
        fixes = (unsafe(title, document.edit(set_key(document, header, "description", sentence))),)
    yield Finding(
        found.key_span if found else header_span(document),
        msg(
            "No description: recall chooses memories by it, so this one will never be found. Write one line a reader would ask for."
        ),
        fixes,
    )


RULE = Rule(
    name="description-missing",
    severity=Severity.WARNING,
    summary=msg("A memory has no description."),
    rationale=msg(
        "Recall gives a small model the file name, type, age and description of every memory and lets it pick. "
        "A memory without a description competes with its file name alone and is in practice never picked."
    ),
    check=check,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "project_freeze.md",
            bad="---\nname: Freeze\ntype: project\n---\nMerges are frozen until 2026-03-20.\n",
            good="---\nname: Freeze\ndescription: Merge freeze for the mobile release until 2026-03-20\ntype: project\n---\nMerges are frozen.\n",
        ),
    ),
)
