"""Relative dates written out: the fixes of the rule `relative-date`, whose reference day is stated or known."""

from __future__ import annotations

from collections.abc import Iterable

from memdir.core.consolidate.work import Work, only_rules, topics
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.lint import check_document
from memdir.core.model import Edit, EditFile


def write_dates(work: Work, documents: Iterable[Document] | None = None) -> None:
    """Give every relative date of the memories (or of `documents`) its day."""
    context = only_rules(work.context, ("relative-date",))
    for document in topics(work) if documents is None else documents:
        edits: list[Edit] = []
        titles: list[Message] = []
        for diagnostic in check_document(document, context):
            if diagnostic.fix is None:
                continue
            for change in diagnostic.fix.changes:
                if isinstance(change, EditFile):
                    edits += change.edits
            titles.append(diagnostic.fix.title)
        if not edits:
            continue
        reason = (
            msg("a relative date is written out ({fix})", fix=titles[0])
            if len(titles) == 1
            else msg(
                "relative dates written out: {count} (the first: {fix})", count=len(titles), fix=titles[0]
            )
        )
        work.edit(document, edits, reason)
