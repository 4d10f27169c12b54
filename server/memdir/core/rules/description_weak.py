"""`description-weak`: a description that past recalls have shown to match nothing, or everything."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import header_span
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Reads, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    found = context.recalls.of(document.rel, document.mtime or 0.0)
    if not (found.never or found.always):
        return
    header = document.frontmatter
    field = header.find("description") if header is not None else None
    if field is None:
        return  # description-missing names the cause
    if found.never:
        message = msg(
            "Considered in {offered} recalls and never chosen. If it is still worth keeping, describe it in the words of the question it answers.",
            offered=found.offered,
        )
    else:
        message = msg(
            "Chosen in {chosen} of {offered} recalls: the description fits nearly everything. Say when it applies, or move it into CLAUDE.md.",
            chosen=found.chosen,
            offered=found.offered,
        )
    data = {"offered": found.offered, "chosen": found.chosen, "kind": "never" if found.never else "always"}
    yield Finding(field.value_span if field.value else header_span(document), message, data=data)


RULE = Rule(
    name="description-weak",
    severity=Severity.HINT,
    summary=msg("Past recalls never chose a memory, or nearly always."),
    rationale=msg(
        "Recall keeps local records of what it considered and chose (file names only, see `recall.records`). A memory "
        "that was considered in twenty recalls since its last change and never chosen is either not needed or described "
        "in words that nobody uses. One that was chosen in half of them or more takes a place that another could have had: "
        "what always applies belongs into the instructions. `memdir recall --stats` shows the numbers, and the editor "
        "can ask a model for a better description."
    ),
    check=check,
    reads=Reads.DISK,
    examples=(
        Example(
            "project_codename.md",
            bad="---\nname: Kestrel\ndescription: Background on Kestrel and related matters\ntype: project\n---\nKestrel is the codename of the invoice rewrite.\n",
            good="---\nname: Kestrel\ndescription: The rewrite of invoicing is called Kestrel, and why it was started\ntype: project\n---\nKestrel is the codename of the invoice rewrite.\n",
            recalls=(40, 0),
        ),
    ),
)
