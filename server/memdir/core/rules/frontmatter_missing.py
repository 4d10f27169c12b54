"""`frontmatter-missing`: a memory that starts without a header."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.fixing import guess_type, header_span, safe, unsafe, words_from_stem
from memdir.core.frontmatter import KNOWN_KEYS, Frontmatter, find_frontmatter
from memdir.core.i18n import msg
from memdir.core.lazy_re import lazy
from memdir.core.model import Edit, Finding, Fix, Safety, Severity, Span
from memdir.core.rule import Context, Example, Rule

_FENCE = lazy(r"^---[ \t]*$", re.M)
_MAX_FENCES = 8  # thematic breaks tried before giving up: a header far below is no header


def check(document: Document, context: Context) -> Iterator[Finding]:
    if document.frontmatter is not None or context.directory.is_listing(document):
        return
    moved = _header_below(document)
    if moved is not None:
        at, header = moved
        line = document.lines.line_of(at) + 1
        block = Span(at, at + header.span.end)
        text = document.slice(block)
        if not text.endswith(("\n", "\r")):
            text += document.newline
        edits = (Edit(Span(0, 0), text), Edit(block, ""))
        yield Finding(
            document.lines.span(line - 1),
            msg(
                "The header stands at line {line}. It must be the very first thing in the file, or nobody reads it.",
                line=line,
            ),
            (safe(msg("Move the header to the top"), document.edit(*edits)),),
        )
        return
    message = (
        msg(
            "No header: recall can't tell what this memory is about. Begin with `---`, name, description and type, `---`."
        )
        if document.text.strip()
        else msg(
            "The memory is empty: give it a header (name, description, type) and a body, or delete the file."
        )
    )
    yield Finding(header_span(document), message, (_new(document),))


def _new(document: Document) -> Fix:
    from memdir.core.header_edit import new_header
    from memdir.core.prose import first_sentence

    headings = document.markdown.headings
    words = words_from_stem(document.stem)
    name = headings[0].text if headings and 0 < len(headings[0].text) <= 80 else words
    description = first_sentence(document) or name
    header = new_header(name or document.stem, description, guess_type(document), document.newline)
    gap = "" if not document.text or document.text[0] in "\r\n" else document.newline
    return unsafe(
        msg("Add a header made from the file name and the first sentence"),
        document.edit(Edit(Span(0, 0), header + gap)),
    )


def _header_below(document: Document) -> tuple[int, Frontmatter] | None:
    """(offset, header counted from there) of a closed header with a known key that does not stand first."""
    text = document.text
    if "---" not in text:
        return None
    for tried, m in enumerate(_FENCE.finditer(text)):
        if tried == _MAX_FENCES:
            break
        header = find_frontmatter(text[m.start() :])
        if header is None or not header.closed or not any(header.field(key) for key in KNOWN_KEYS):
            continue
        if not document.markdown.in_code(m.start()):
            return m.start(), header
    return None


RULE = Rule(
    name="frontmatter-missing",
    severity=Severity.WARNING,
    summary=msg("A memory has no header."),
    rationale=msg(
        "The header is what recall reads of a memory: name, description and type. 98 % of real memory files have one; "
        "a file without it can be found by its name only. A header counts only as the very first thing in the file: "
        "behind a heading or a blank line it is ordinary text. The fix makes one from the file name, the first heading "
        "and the first sentence, so look at the description before you keep it."
    ),
    check=check,
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "feedback_logging.md",
            bad="# Logging\n\nStructured logs only, no print.\n",
            good="---\nname: Logging\ndescription: Structured logs only, no print\ntype: feedback\n---\n\nStructured logs only.\n",
        ),
        Example(
            "project_freeze.md",
            bad="# Freeze\n\n---\nname: Freeze\ndescription: Merge freeze until 2026-03-20\ntype: project\n---\nMerges wait.\n",
            good="---\nname: Freeze\ndescription: Merge freeze until 2026-03-20\ntype: project\n---\n# Freeze\n\nMerges wait.\n",
        ),
    ),
)
