"""Changes a person asks for at the cursor, as plain values: `actions(document, span, context)` gives all that apply.

One file per refactoring, each with `offer(document, span, context)`; nothing here knows LSP. Everything is a proposal made
of file changes with base hashes, like a fix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from memdir.core.document import Document
from memdir.core.model import Span
from memdir.core.rule import Context
from memdir.ide.refactor import extract, merge, move_scope, shape, split, supersede, verify
from memdir.ide.refactor.action import Action

Offer = Callable[[Document, Span, Context], Iterable[Action]]
_OFFERS: tuple[Offer, ...] = (
    verify.offer,
    extract.offer,
    split.offer,
    merge.offer,
    move_scope.offer,
    supersede.offer,
    shape.offer,
)


def actions(document: Document, span: Span, context: Context) -> Iterator[Action]:
    """Every refactoring that applies at `span` of `document`."""
    for offer in _OFFERS:
        yield from offer(document, span, context)


__all__ = ["Action", "actions"]
