"""The comment that silences a rule here: where it goes, so that it is found and harms nothing."""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.model import Diagnostic, Edit, EditFile, Span
from memdir.core.suppress import suppressions


def suppress(document: Document, diagnostic: Diagnostic) -> EditFile | None:
    """The edit that silences the rule of `diagnostic` on its line; None where no comment can stand.

    An index gets the comment on a line of its own: such comments never reach the agent, those behind an entry do. The
    header and code can't hold one, so there the rule is silenced for the file.
    """
    rule, offset = diagnostic.rule, diagnostic.span.start
    line = document.lines.line_of(offset)
    for comment in suppressions(document):
        if comment.line == line and comment.rules and rule not in (n for n, _ in comment.rules):
            at = comment.rules[-1][1].end
            return document.edit(Edit(Span(at, at), f", {rule}"))
    if offset < document.body_start or document.markdown.in_code(offset) or _in_comment(document, offset):
        return document.edit(_for_file(document, rule))
    whole = document.lines.span(line)
    if document.kind == "index" or any(whole.overlaps(t) for t in document.markdown.tables):
        above = whole.start
        if line > 0 and any(t.start < above < t.end for t in document.markdown.tables):
            return document.edit(_for_file(document, rule))  # a line in the middle would cut the table in two
        return document.edit(Edit(Span(above, above), f"<!-- memdir: ignore {rule} -->{document.newline}"))
    end = whole.end
    while end > whole.start and document.text[end - 1] in " \t":
        end -= 1
    lead = " " if end > whole.start else ""
    return document.edit(Edit(Span(end, end), f"{lead}<!-- memdir: ignore {rule} -->"))


def _for_file(document: Document, rule: str) -> Edit:
    at = document.body_start
    lead = "" if at == 0 or document.text[at - 1] in "\r\n" else document.newline
    return Edit(Span(at, at), f"{lead}<!-- memdir: ignore-file {rule} -->{document.newline}")


def _in_comment(document: Document, offset: int) -> bool:
    return any(offset in c.span for c in document.markdown.comments)
