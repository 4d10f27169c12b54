"""`index-holds-content`: the index tells what a memory should tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.fixing import unsafe
from memdir.core.i18n import msg
from memdir.core.lazy_re import lazy
from memdir.core.model import CreateFile, Edit, Finding, Fix, Safety, Severity, Span
from memdir.core.rule import Context, Example, Rule

# An introduction of two or three lines is fine; these are the sizes from which a passage is a memory of its own.
MAX_LINES = 6
MAX_CHARS = 400
_MAX_FINDINGS = 5  # some indexes are free prose: a few places show what is meant
_WORD = lazy(r"[^\W_]+")


@dataclass(slots=True)
class _Passage:
    """Lines `first`..`last` (0-based, inclusive) without entry or heading; `title` is the heading above."""

    first: int
    last: int
    title: str
    lines: int = 0
    chars: int = 0


def check(document: Document, context: Context) -> Iterator[Finding]:
    size = len(document.text) - document.body_start
    if size < MAX_CHARS and document.text.count("\n") < MAX_LINES:
        return
    long = (p for p in _passages(document, context.directory) if p.lines > MAX_LINES or p.chars > MAX_CHARS)
    for _, passage in zip(range(_MAX_FINDINGS), long, strict=False):
        span = Span(document.lines.start(passage.first), document.lines.span(passage.last).end)
        yield Finding(
            document.lines.span(passage.first),
            msg(
                "{size} characters of content in the index, paid for in every conversation. Put them into a memory and leave one entry.",
                size=passage.chars,
            ),
            (_extraction(document, context, passage, span),),
            data={"first_line": passage.first, "last_line": passage.last},
        )


def _passages(document: Document, directory: Directory) -> Iterator[_Passage]:
    lines, markdown = document.lines, document.markdown
    entries = {e.line for e in directory.entries(document)}
    headings = {lines.line_of(h.span.start): h.text for h in markdown.headings}
    hidden = {
        n
        for c in markdown.comments
        for n in range(lines.line_of(c.span.start), lines.line_of(c.span.end) + 1)
    }
    entries |= {lines.line_of(w.span.start) for w in markdown.wikilinks}
    title = ""
    passage: _Passage | None = None
    for number in range(lines.line_of(document.body_start), lines.count):
        if number in entries or number in headings:
            if passage:
                yield passage
            passage = None
            title = headings.get(number, title)
            continue
        text = lines.line(number).strip()
        if not text or number in hidden or _is_rule(text):
            continue
        if passage is None:
            passage = _Passage(number, number, title)
        passage.last = number
        passage.lines += 1
        passage.chars += len(text)
    if passage:
        yield passage


def _is_rule(text: str) -> bool:
    """A thematic break, or the rows of dashes under a table's head."""
    return not text.strip("-*_ |:=")


def _extraction(document: Document, context: Context, passage: _Passage, span: Span) -> Fix:
    import textwrap

    from memdir.core.header_edit import new_header
    from memdir.core.index_edit import Shape, entry_line, link_path
    from memdir.core.naming import free_rel
    from memdir.core.prose import first_sentence

    directory, newline = context.directory, document.newline
    body = textwrap.dedent(document.slice(span)).strip("\r\n")
    title = passage.title.strip("#* ") or "Notes"
    folder = "team/" if document.rel.startswith("team/") else ""
    words = ("_".join(_WORD.findall(title.lower())) or "notes")[:60]
    rel = free_rel(f"{folder}project_{words}.md", directory.documents)
    sentence = first_sentence(Document("", rel, body), 150) or title
    content = new_header(title, sentence, "project", newline) + newline + body + newline
    memory = Document(directory.path_of(rel), rel, content)
    entry = entry_line(Shape(), link_path(document, memory), memory, context.settings.entry_info)
    return unsafe(
        msg("Move this passage to {path}", path=rel),
        CreateFile(memory.path, memory.content),
        document.edit(Edit(span, entry)),
    )


RULE = Rule(
    name="index-holds-content",
    severity=Severity.INFORMATION,
    summary=msg("The index holds content."),
    rationale=msg(
        "`MEMORY.md` is a table of contents. A passage in it is loaded into every conversation, whether it helps or not, "
        "has no description that recall could choose it by, no type and no age, and pushes entries towards the limits. A "
        "short introduction is fine; from seven lines or 400 characters the passage should be a memory. The fix moves "
        "it to a new file and leaves an entry; look at the name and the type it chose."
    ),
    check=check,
    kinds=frozenset({"index"}),
    fix=Safety.UNSAFE,
    examples=(
        Example(
            "MEMORY.md",
            bad="# Memory\n\n- [Tracker](reference_tracker.md) — Linear project TIDE\n\n## Import runbook\n\n"
            + "".join(
                f"{i}. Compare the counts of day {i} with those of the office, then look at the gaps.\n"
                for i in range(1, 9)
            ),
            good="# Memory\n\n- [Tracker](reference_tracker.md) — Linear project TIDE\n- [Import runbook](project_import_runbook.md) — counts, gaps, whom to call\n",
            files={
                "reference_tracker.md": "---\nname: Tracker\ndescription: Faults of the import are in Linear, project TIDE\ntype: reference\n---\nThere.\n"
            },
        ),
    ),
)
