"""`name-missing`: a header without a name."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import header_span, safe, set_key, words_from_stem
from memdir.core.i18n import msg
from memdir.core.model import Finding, Safety, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None or document.name:
        return
    found = header.find("name")
    name = document.markdown.headings[0].text if document.markdown.headings else ""
    name = name if 0 < len(name) <= 80 else words_from_stem(document.stem)
    fix = safe(
        msg("Set the name to “{name}”", name=name), document.edit(set_key(document, header, "name", name))
    )
    message = (
        msg("The name is empty; the agent lists and links memories by it.")
        if found
        else msg("The header has no name; the agent lists and links memories by it.")
    )
    yield Finding(found.key_span if found else header_span(document), message, (fix,) if name else ())


RULE = Rule(
    name="name-missing",
    severity=Severity.WARNING,
    summary=msg("A memory has no name."),
    rationale=msg(
        "Recall shows the name beside the description, `[[name]]` links find a memory by it, and the tree in the "
        'editor is labelled with it. Slugs made from a title in a non-Latin script often come out empty (`name: ""`).'
    ),
    check=check,
    fix=Safety.SAFE,
    examples=(
        Example(
            "feedback_real_db.md",
            bad="---\ndescription: Integration tests must hit a real database\ntype: feedback\n---\nUse the real one.\n",
            good="---\nname: Real database in tests\ndescription: Integration tests must hit a real database\ntype: feedback\n---\nUse the real one.\n",
        ),
    ),
)
