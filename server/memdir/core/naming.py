"""File names of memories: `<type>_<topic>.md`, made from a name in any language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

# Bytes of a file name's stem: file systems allow 255 for the whole name, and a long name helps nobody.
_MAX_BYTES = 80
_NOT_WORD = re.compile(r"[\W_]+")


def memory_rel(type_: str, name: str, taken: Container[str], *, team: bool = False) -> str:
    """A free relative path for a new memory ('feedback_real_database.md'); `taken` holds the paths in use.

    Letters of every script are kept (NFC), everything else becomes `_`. A name without letters or digits gives the bare
    type. A number is added when the path is taken.
    """
    topic = _NOT_WORD.sub("_", unicodedata.normalize("NFC", name).casefold()).strip("_")
    prefix = f"{type_}_"
    topic = topic.removeprefix(prefix)
    stem = (prefix + topic).rstrip("_")
    while len(stem.encode("utf-8", "replace")) > _MAX_BYTES:
        cut = stem.rfind("_", len(prefix), len(stem) - 1)
        stem = stem[:cut] if cut > len(prefix) else stem[:-1]
    return free_rel(("team/" if team else "") + stem + ".md", taken)


def free_rel(rel: str, taken: Container[str]) -> str:
    """`rel` (it ends in `.md`), with a number when that path is taken: 'a.md', 'a_2.md', 'a_3.md'."""
    stem, number, found = rel[:-3], 2, rel
    while found in taken:
        found, number = f"{stem}_{number}.md", number + 1
    return found
