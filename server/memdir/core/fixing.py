"""Small builders that rules share: fixes, spans and nearest names."""

from __future__ import annotations

from collections.abc import Iterable

from memdir.core.document import Document
from memdir.core.frontmatter import Frontmatter
from memdir.core.i18n import Message
from memdir.core.model import Edit, FileChange, Fix, Safety, Span


def safe(title: Message, *changes: FileChange) -> Fix:
    """A fix that keeps the meaning of the text."""
    return Fix(title, Safety.SAFE, changes)


def unsafe(title: Message, *changes: FileChange) -> Fix:
    """A fix that a person should look at."""
    return Fix(title, Safety.UNSAFE, changes)


def header_span(document: Document) -> Span:
    """Where to report what the whole header lacks: its opening fence, or the file's first line."""
    text = document.text
    end = text.find("\n")
    end = len(text) if end < 0 else end
    at = text.find("\r", 0, end)
    return Span(0, end if at < 0 else at)


def set_key(document: Document, header: Frontmatter, key: str, value: str) -> Edit:
    """The edit that gives a header key a value, in the document's own line breaks."""
    from memdir.core.header_edit import set_field

    return set_field(document.text, header, key, value, newline=document.newline)


def nearest(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The choice most like `word`, case ignored; None when none is close."""
    import difflib

    table = {c.casefold(): c for c in choices}
    found = difflib.get_close_matches(word.casefold(), table, n=1, cutoff=cutoff)
    return table[found[0]] if found else None


def line_deletion(document: Document, line: int) -> Edit:
    """The edit that removes a whole line with its line break (the break before it, for an unterminated last line)."""
    span = document.lines.span(line, with_break=True)
    start = span.start
    if span.end == len(document.text) and not document.text.endswith(("\n", "\r")) and line > 0:
        start = document.lines.span(line - 1).end
    return Edit(Span(start, span.end), "")


def line_deletions(document: Document, lines: Iterable[int]) -> list[Edit]:
    """The edits that remove whole lines, in order."""
    return joined(line_deletion(document, line) for line in lines)


def joined(edits: Iterable[Edit]) -> list[Edit]:
    """Edits in order; deletions that touch or overlap (the last line of a file takes the break before it) become one."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda e: e.span):
        if found and not edit.text and not found[-1].text and edit.span.start <= found[-1].span.end:
            found[-1] = Edit(Span(found[-1].span.start, max(found[-1].span.end, edit.span.end)), "")
        else:
            found.append(edit)
    return found


TYPE_PREFIXES = ("user", "feedback", "project", "reference")


def type_from_stem(stem: str) -> str | None:
    """The type that a file name announces: 'feedback_tests' gives 'feedback'."""
    head = stem.replace("-", "_").split("_", 1)[0].casefold()
    return head if head in TYPE_PREFIXES else None


def guess_type(document: Document) -> str:
    """The likeliest type of a memory without one: what its file name says, else what its body looks like."""
    announced = type_from_stem(document.stem)
    if announced:
        return announced
    if "**How to apply" in document.text:
        return "feedback"
    return "reference" if "://" in document.text[:400] else "project"


def words_from_stem(stem: str) -> str:
    """A readable title from a file stem: 'feedback_real-db' gives 'Real db'; the type prefix is dropped."""
    words = stem.replace("-", "_").split("_")
    if len(words) > 1 and words[0].casefold() in TYPE_PREFIXES:
        words = words[1:]
    text = " ".join(w for w in words if w)
    return text[:1].upper() + text[1:]
