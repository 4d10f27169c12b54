"""Names of rules in a suppression comment."""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.core.rules import TABLE
from memdir.ide.completion.item import Item
from memdir.ide.rule_page import rule_card

_OPEN = lazy(r"<!--[ \t]*memdir:[ \t]*ignore(?:-file)?[ \t]+(?:[\w-]+[ \t,]+)*(?P<name>[\w-]*)$")


def complete(document: Document, context: Context, offset: int) -> list[Item] | None:
    """Every rule, behind `<!-- memdir: ignore `."""
    line = document.lines.start(document.lines.line_of(offset))
    m = _OPEN.search(document.text[line:offset])
    if m is None:
        return None
    span = Span(offset - len(m["name"]), offset)
    return [
        Item(rule.name, span, rule.name, "rule", detail=rule.summary, documentation=rule_card(rule.name))
        for rule in TABLE.values()
    ]
