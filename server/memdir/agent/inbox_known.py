"""Knowing a proposal again: what waits already is not proposed twice, and what a person refused does not come back.

A model says the same thing in other words the next time, so names, texts and the quoted evidence are all compared.
"""

from __future__ import annotations

from collections.abc import Iterable

from memdir.agent.inbox_items import Item, Refused
from memdir.core.directory import fold
from memdir.core.document import Document
from memdir.core.model import content_hash
from memdir.core.preservation import normalised
from memdir.core.shingles import compare

ALIKE = (
    0.45  # similarity of two proposals from which they are the same one; below the one for near duplicates
)
_LONG_QUOTE = 40  # characters: shorter ones ("yes, exactly") are said again and again, and mean something else each time
_MAX_TEXT = 4_000


def signature(item: Item, time: str = "") -> Refused:
    """What `item` is known by."""
    quotes = tuple(f"{e.uuid}\n{q}" for e in item.evidence if (q := normalised(e.quote)))
    if item.kind == "consolidation":
        parts = sorted(f"{f.rel} {content_hash(f.after or b'-')}" for f in item.files)
        return Refused(
            item.kind, content_hash("\n".join(parts).encode("utf-8", "surrogateescape")), "", (), time
        )
    if item.kind == "signal":
        return Refused(item.kind, "", "", quotes, time)
    name, text = "", ""
    if (file := item.file) is not None:
        document = file.document("")
        name = fold(document.name) if file.before is None else ""
        text = added_text(document, file.before)
    return Refused(item.kind, name, text[:_MAX_TEXT], quotes, time)


def added_text(document: Document, before: bytes | None) -> str:
    """What a proposal says that was not there: description and body, without the lines that the file has already."""
    text = f"{document.description}\n{document.body}"
    if before is None:
        return text
    old = Document("", document.rel, before)
    known = {normalised(line) for line in f"{old.description}\n{old.body}".splitlines()}
    return "\n".join(line for line in text.splitlines() if normalised(line) not in known)


def knows(known: Iterable[Refused], item: Item) -> Refused | None:
    """The first of `known` that `item` repeats, None for something new."""
    mine = signature(item)
    return next((other for other in known if _same(mine, other)), None)


def _same(one: Refused, two: Refused) -> bool:
    if "consolidation" in (one.kind, two.kind):
        return one.kind == two.kind and one.name == two.name
    if any(_same_words(a, b) for a in one.quotes for b in two.quotes):
        return True
    if one.kind != two.kind or one.kind == "signal":
        return False
    if one.name and one.name == two.name:
        return True
    if normalised(one.text) == normalised(two.text):
        return bool(one.text.strip())
    return compare(one.text, two.text).score >= ALIKE


def _same_words(one: str, two: str) -> bool:
    """The same words of the same message; of another message only when they are too many for chance."""
    (uuid, quote), (other_uuid, other) = one.split("\n", 1), two.split("\n", 1)
    if not (quote in other or other in quote):
        return False
    return (bool(uuid) and uuid == other_uuid) or min(len(quote), len(other)) >= _LONG_QUOTE
