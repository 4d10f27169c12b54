"""`file-too-large`: a file of which only a part is checked, because of a cap."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.frontmatter import MAX_DEPTH, MAX_YAML
from memdir.core.i18n import msg
from memdir.core.markdown import MAX_BODY
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is not None and header.problems:
        for problem in header.problems:
            if problem.code == "too-large":
                yield Finding(
                    document.lines.span(0),
                    msg(
                        "The header has {size} characters; above {limit} it is read line by line only. Shorten it.",
                        size=problem.detail,
                        limit=MAX_YAML,
                    ),
                )
            elif problem.code == "too-deep":
                yield Finding(
                    problem.span,
                    msg(
                        "The header is nested deeper than {limit} levels and is read line by line only. Flatten it.",
                        limit=MAX_DEPTH,
                    ),
                )
    size = len(document.text) - document.body_start
    if size > MAX_BODY:
        at = document.body_start + MAX_BODY
        line = document.lines.line_of(at)
        yield Finding(
            document.lines.span(line),
            msg(
                "The file has {size} characters; links, code and headings are looked at up to line {line} only. Split the file.",
                size=size,
                line=line + 1,
            ),
        )


RULE = Rule(
    name="file-too-large",
    severity=Severity.WARNING,
    summary=msg("A file is larger or deeper than what is checked."),
    rationale=msg(
        "So that no file can hold up the editor, Memdir reads the structure of the first million characters of a body, "
        "headers of up to 64,000 characters and 64 levels. Real memories have about one kilobyte; a file beyond these "
        "caps is no memory but pasted material. It is named here, so that an unchecked part is never taken for a clean one."
    ),
    check=check,
    kinds=frozenset({"topic", "index", "log"}),
    examples=(
        Example(
            "reference_dump.md",
            bad="---\nname: Dump\ndescription: Nested answer of the tide service\ntype: reference\ndump: "
            + "[" * 70
            + "]" * 70
            + "\n---\nSee above.\n",
            good="---\nname: Dump\ndescription: Where the answers of the tide service are kept\ntype: reference\n---\nIn the bucket.\n",
        ),
    ),
)
