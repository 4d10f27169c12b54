"""Hover: what a place in a memory means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memdir.core.document import Document
from memdir.core.i18n import Message
from memdir.core.model import Diagnostic, Span
from memdir.core.rule import Context
from memdir.core.suppress import suppressions
from memdir.ide.rule_page import rule_card


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown for a place."""

    span: Span
    text: Message


def hover(
    document: Document, context: Context, offset: int, findings: Sequence[Diagnostic] = ()
) -> Hover | None:
    """What to show at `offset`; `findings` are the document's present diagnostics."""
    for comment in suppressions(document):
        for name, span in comment.rules:
            if span.touches(offset) and (card := rule_card(name)) is not None:
                return Hover(span, card)
    here = [d for d in findings if d.span.touches(offset)]
    if here:
        diagnostic = min(here, key=lambda d: (len(d.span), d.severity))
        card = rule_card(diagnostic.rule)
        if card is not None:
            return Hover(diagnostic.span, card)
    return None
