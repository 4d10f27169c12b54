"""Suppression comments: `<!-- memdir: ignore rule-name -->` for a line, `<!-- memdir: ignore-file rule-name -->` for a file.

On a line with other text the comment covers that line; alone on its line it covers the next line that is not blank.
Several rules are separated by commas or blanks; no rule name means all rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.model import Diagnostic, Span

_COMMENT = lazy(r"<!--[ \t]*memdir:[ \t]*(?P<kind>ignore-file|ignore)(?![\w-])(?P<rules>[^\n>]{0,400}?)-->")
_MAX_COMMENTS = 1000  # of one file; no reader would follow more
_NAME = lazy(r"[A-Za-z][\w-]*")


@dataclass(slots=True)
class Suppression:
    """One comment. `line` is the 0-based line it covers, None for the whole file; `used` collects the rules it silenced."""

    span: Span
    line: int | None
    rules: tuple[tuple[str, Span], ...]
    used: set[str] = field(default_factory=set)

    def covers(self, rule: str, line: int) -> bool:
        if self.line is not None and self.line != line:
            return False
        return not self.rules or any(name == rule for name, _ in self.rules)


def suppressions(document: Document) -> list[Suppression]:
    """Every suppression comment of the document, outside code."""
    text = document.text
    if "memdir:" not in text:
        return []
    found: list[Suppression] = []
    for m in _COMMENT.finditer(text):
        if len(found) == _MAX_COMMENTS:
            break
        if document.markdown.in_code(m.start()):
            continue
        base = m.start("rules")
        rules = tuple((n[0], Span(base + n.start(), base + n.end())) for n in _NAME.finditer(m["rules"]))
        line: int | None = None
        if m["kind"] == "ignore":
            line = document.lines.line_of(m.start())
            around = (
                text[document.lines.span(line).start : m.start()]
                + text[m.end() : document.lines.span(line).end]
            )
            if not around.strip():
                line += 1
                while line < document.lines.count - 1 and not document.lines.line(line).strip():
                    line += 1
        found.append(Suppression(Span(*m.span()), line, rules))
    return found


def apply_suppressions(
    document: Document, diagnostics: Sequence[Diagnostic], comments: Sequence[Suppression]
) -> list[Diagnostic]:
    """`diagnostics` without the suppressed ones; marks the comments that were used."""
    whole_file = [c for c in comments if c.line is None]
    by_line: dict[int, list[Suppression]] = {}
    for comment in comments:
        if comment.line is not None:
            by_line.setdefault(comment.line, []).append(comment)
    kept: list[Diagnostic] = []
    for diagnostic in diagnostics:
        line = document.lines.line_of(diagnostic.span.start)
        covering = [c for c in (*whole_file, *by_line.get(line, ())) if c.covers(diagnostic.rule, line)]
        for comment in covering:
            comment.used.add(diagnostic.rule)
        if not covering:
            kept.append(diagnostic)
    return kept
