"""`frontmatter-below-scan-window`: a header longer than what recall reads of a file."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.frontmatter import KNOWN_KEYS, SCAN_WINDOW
from memdir.core.i18n import msg
from memdir.core.model import Finding, Severity
from memdir.core.rule import Context, Example, Rule


def check(document: Document, context: Context) -> Iterator[Finding]:
    header = document.frontmatter
    if header is None or not header.closed:
        return
    text, end = document.text, header.inner.end
    if text.count("\n", 0, end) + text.count("\r", 0, end) < SCAN_WINDOW:
        return
    fence = document.lines.line_of(header.inner.end)
    if fence < SCAN_WINDOW:
        return
    lost = [
        key
        for key in KNOWN_KEYS
        if (f := header.find(key)) and document.lines.line_of(f.value_span.end) >= SCAN_WINDOW
    ]
    message = (
        msg(
            "Recall reads the first {window} lines of a memory and misses what stands below them: {keys}. Move it up.",
            window=SCAN_WINDOW,
            keys=", ".join(lost),
        )
        if lost
        else msg(
            "Recall reads the first {window} lines of a memory and this header ends at line {line}. Shorten it.",
            window=SCAN_WINDOW,
            line=fence + 1,
        )
    )
    field = header.find(lost[0]) if lost else None
    yield Finding(field.key_span if field else document.lines.span(fence), message)


RULE = Rule(
    name="frontmatter-below-scan-window",
    severity=Severity.WARNING,
    summary=msg("A header does not fit into the lines that recall reads."),
    rationale=msg(
        "To choose among many memories, recall reads only the first 30 lines of each file. A header that goes on below "
        "them has no end for that reader, and keys down there do not exist. Long lists belong in the body."
    ),
    check=check,
    examples=(
        Example(
            "project_auth.md",
            bad="---\nname: Auth rewrite\ntags:\n"
            + "".join(f"  - tag{i}\n" for i in range(30))
            + "description: Session tokens move for legal reasons\ntype: project\n---\nThey move.\n",
            good="---\nname: Auth rewrite\ndescription: Session tokens move for legal reasons\ntype: project\n---\nThey move.\n",
        ),
    ),
)
