"""Offers to move a memory between private and team, with its index entry and the links that point to it."""

from __future__ import annotations

from collections.abc import Iterator

from memdir.core.document import Document
from memdir.core.i18n import msg
from memdir.core.model import Span
from memdir.core.moving import move
from memdir.core.rule import Context
from memdir.core.rules.user_memory_in_team import is_user_memory
from memdir.core.secrets import scan
from memdir.ide.refactor.action import Action


def offer(document: Document, span: Span, context: Context) -> Iterator[Action]:
    """To the team unless the memory is about a person or holds a credential; to private always."""
    if document.kind != "topic" or document.scope == "agent":
        return
    header = document.frontmatter
    if header is not None and not header.span.touches(span.start):
        return
    if document.scope == "team":
        title, team = msg("Move to private memory"), False
    elif refusal(document) is None:
        title, team = msg("Move to team memory"), True
    else:
        return
    changes = move(document, context.directory, context.settings, team=team)
    yield Action(title, "refactor.move", changes, look_first=True)


def refusal(document: Document) -> str | None:
    """Why a memory may not go to the team: 'user' or 'secret'; None when it may."""
    if is_user_memory(document):
        return "user"
    return "secret" if scan(document.text) else None
