"""Completion: what can be written here. `complete(document, context, offset, browse)` gives plain values.

One file per place where something is offered; the first that recognises the place answers.
"""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.rule import Context
from memdir.ide.completion import header, links, paths, rule_names, snippets
from memdir.ide.completion.item import Browse, Item

__all__ = ["Browse", "Item", "complete"]


def complete(document: Document, context: Context, offset: int, browse: Browse) -> list[Item]:
    """What to offer at `offset`. `browse(folder)` lists a folder of the repository: (name, is a folder)."""
    for provider in (
        snippets.complete,
        header.complete,
        rule_names.complete,
        links.wikilinks,
        links.targets,
        links.entries,
    ):
        found = provider(document, context, offset)
        if found is not None:
            return found
    return paths.complete(document, offset, browse) or []
