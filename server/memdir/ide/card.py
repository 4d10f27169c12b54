"""A memory in a few lines of Markdown: for hovers, completion and tooltips."""

from __future__ import annotations

from memdir.core.age import age_words, days_old
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.prose import shorten
from memdir.core.recall_stats import MemoryStats
from memdir.core.rule import Context
from memdir.core.staleness import written

LINES = 6  # of the body
WIDTH = 200


def memory_card(document: Document, context: Context, *, body: bool = True) -> Message:
    """Name, type, age, description, first lines and who points to it."""
    parts = [msg("**{name}**", name=escape(document.title)), facts(document, context)]
    if document.description:
        parts.append(msg("{text}", text=escape(shorten(document.description, 400))))
    lines = first_lines(document) if body else ""
    if lines:
        parts.append(msg("{text}", text=lines))
    return joined(parts)


def facts(document: Document, context: Context) -> Message:
    """One line: type, scope, age, how often it is cited, whether an index lists it."""
    parts: list[Message] = []
    if document.type:
        parts.append(msg("`{type}`", type=document.type.replace("`", "'")))
    if document.scope == "team":
        parts.append(msg("team"))
    when = written(document, context.now.tzinfo)
    if when is not None:
        parts.append(msg("written {age}", age=age_words(days_old(when.at, context.now))))
    count = len(context.directory.cited_by(document.rel))
    if count:
        parts.append(msg("referenced once") if count == 1 else msg("referenced {count} times", count=count))
    if document.kind == "topic" and context.directory.is_orphan(document):
        parts.append(msg("not in the index"))
    recalled = recall_words(context.recalls.of(document.rel))
    if recalled is not None:
        parts.append(recalled)
    return joined(parts, " · ")


def recall_words(stats: MemoryStats) -> Message | None:
    """How often recall chose the memory, None while it was never offered."""
    if not stats.offered:
        return None
    if stats.never:
        return msg("never recalled, offered {offered} times", offered=stats.offered)
    if stats.always:
        return msg(
            "nearly always recalled: {chosen} of {offered} times", chosen=stats.chosen, offered=stats.offered
        )
    return msg("recalled {chosen} of {offered} times", chosen=stats.chosen, offered=stats.offered)


def first_lines(document: Document) -> str:
    """The first lines of the body as a quotation."""
    found: list[str] = []
    for line in document.body.strip().splitlines():
        text = line.rstrip()
        if not text and (not found or not found[-1]):
            continue
        found.append(shorten(text, WIDTH))
        if len(found) == LINES:
            found.append("…")
            break
    return "\n".join("> " + line for line in found)


def joined(parts: list[Message], separator: str = "\n\n") -> Message:
    """Messages one after the other."""
    if not parts:
        return msg("{text}", text="")
    result = parts[0]
    for part in parts[1:]:
        result = Message("{a}{separator}{b}", (("a", result), ("separator", separator), ("b", part)))
    return result


def escape(text: str) -> str:
    """`text` as Markdown that shows it as it is."""
    return "".join("\\" + c if c in "\\`*_{}[]()#+-!|<>~" else c for c in text)
