"""What goes with a recalled memory that is not fresh: its age, what to do first, and which citations lead nowhere.

The sentence names an action ("before recommending from it ..."): a wording that names the moment works, a general
warning is read past (memory-system notes, "Staleness").
"""

from __future__ import annotations

from collections.abc import Sequence

from memdir.core.age import age_words
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.rule import Context

FRESH_DAYS = 1  # today and yesterday carry no caveat
_SHOWN = 5


def caveat(days: int, broken: Sequence[str] = ()) -> Message | None:
    """The caveat of a memory `days` old, None while it is fresh. `broken`: citations that lead nowhere now."""
    if days <= FRESH_DAYS:
        return None
    if not broken:
        return msg(
            "Written {age}. Before recommending anything from it, check what it says about code and files against the project as it is now.",
            age=age_words(days),
        )
    return msg(
        "Written {age}. Before recommending anything from it, check what it says about code and files against the project as it is now. No longer there: {places}.",
        age=age_words(days),
        places=", ".join(broken[:_SHOWN]) + (" …" if len(broken) > _SHOWN else ""),
    )


def broken_citations(document: Document, context: Context) -> tuple[str, ...]:
    """Places in the repository that `document` cites and that are not there now (as rule `citation-broken` judges).

    Reads files, and asks git about paths that are gone: call it off the event loop.
    """
    from memdir.core.rules.citation_broken import check

    found: dict[str, None] = {}
    for finding in check(document, context):
        data = finding.data or {}
        path = str(data.get("path", ""))
        text = document.slice(finding.span)
        found[path + text if "lines" in data and text.startswith((":", "#")) else path or text] = None
    return tuple(found)
