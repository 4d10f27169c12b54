"""Files of the repository inside back-ticks."""

from __future__ import annotations

from memdir.core.document import Document
from memdir.core.lazy_re import lazy
from memdir.core.model import Span
from memdir.ide.completion.item import Browse, Item, ItemKind

_TICK = lazy(r"`(?P<path>(?:\./)?[\w@+.-]*(?:/[\w@+.-]*)*)$")
LIMIT = 300
_SKIPPED = frozenset((".git", "node_modules", "__pycache__", ".venv", ".hg", ".svn"))


def folder_at(document: Document, offset: int) -> str | None:
    """The folder that has been typed before the cursor ('' for the top); None outside back-ticks of a body."""
    found = _typed(document, offset)
    return found.rpartition("/")[0] if found is not None else None


def complete(document: Document, offset: int, browse: Browse) -> list[Item] | None:
    """Entries of the folder that has been typed."""
    typed = _typed(document, offset)
    if typed is None:
        return None
    folder, _, name = typed.rpartition("/")
    span = Span(offset - len(name), offset)
    items = []
    for entry, is_folder in browse(folder):
        if entry in _SKIPPED or (entry.startswith(".") and not name.startswith(".")):
            continue
        text = entry + "/" if is_folder else entry
        kind: ItemKind = "folder" if is_folder else "file"
        items.append(Item(text, span, text, kind, rank=1 if is_folder else 0, again=is_folder))
        if len(items) == LIMIT:
            break
    return items


def _typed(document: Document, offset: int) -> str | None:
    if offset < document.body_start:
        return None
    before = document.text[document.lines.start(document.lines.line_of(offset)) : offset]
    m = _TICK.search(before)
    return m["path"] if m is not None and before.count("`") % 2 else None
