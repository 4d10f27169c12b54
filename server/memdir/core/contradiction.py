"""Candidates for contradictions: a private feedback that may say the opposite of a team feedback.

Nothing here knows what is true. Two texts on one subject of which exactly one negates are worth a look, no more.
"""

from __future__ import annotations

import re

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.prose import first_sentence
from memdir.core.recall.ranker import RecallIndex
from memdir.core.subject import header_fields

# The share of a private feedback that a team feedback must answer to be on the subject (see `core.subject`).
ON_SUBJECT = 0.45

_NOT = lazy(
    r"\b(?:not|never|no|don['’]t|doesn['’]t|must\s?n['’]t|avoid|without|stop|kein\w*|nicht|nie|ohne|ne|pas|jamais|sans|nunca|sin)\b"
    r"|不要|不能|不应|不得|别|禁止|避免|切勿|勿|しない|せず|禁止|避け|なく|하지\s*않|하지\s*마|금지|말\s*것|없이",
    re.IGNORECASE,
)


class TeamFeedback:
    """The team's feedback memories, searchable: a `Follower`, cheap enough to build on demand."""

    NAME = "team-feedback"

    def __init__(self) -> None:
        self._index = RecallIndex()
        self._documents: dict[str, Document] = {}

    def put(self, document: Document) -> None:
        if document.scope != "team" or document.kind != "topic" or document.type != "feedback":
            self.remove(document.rel)
            return
        self._documents[document.rel] = document
        self._index.update(document.rel, header_fields(document))

    def remove(self, rel: str) -> None:
        if self._documents.pop(rel, None) is not None:
            self._index.remove(rel)

    def against(self, document: Document) -> list[Document]:
        """Team feedback on the subject of `document` that negates where it does not, or the other way round."""
        if not self._documents:
            return []
        mine = statement_of(document)
        hits = self._index.search(f"{document.name}. {document.description}", 3).hits
        return [
            other
            for hit in hits
            if hit.score >= ON_SUBJECT
            and negates(statement_of(other := self._documents[hit.rel])) != negates(mine)
        ]


def statement_of(document: Document) -> str:
    """What the memory tells the agent to do: its description and first sentence."""
    return document.description + "\n" + first_sentence(document)


def negates(text: str) -> bool:
    """The text forbids or denies something."""
    return _NOT.search(text) is not None


def team_feedback(directory: Directory) -> TeamFeedback:
    """The team's feedback of `directory`."""
    found = directory.follow(TeamFeedback.NAME, TeamFeedback)
    assert isinstance(found, TeamFeedback)
    return found
