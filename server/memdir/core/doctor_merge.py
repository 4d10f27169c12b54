"""Moving the memories of one directory into another: a change set that loses no text.

A file that is not there yet is renamed; one that differs gets a free name beside its namesake; indexes and daily logs
are joined, line by line. What was joined, and what is there already byte for byte, stays behind under a name that no
client reads (`.merged`), so that nothing is deleted and the old directory counts as done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from memdir.core.i18n import Message, msg
from memdir.core.model import ChangeSet, Edit, EditFile, FileChange, RenameFile, Span, content_hash
from memdir.core.text import decode

MERGED = ".merged"
_LINK = re.compile(r"(\]\(\s*<?)((?:\./)?[^)\s>]+)")


def merge_directories(
    source: Mapping[str, bytes],
    target: Mapping[str, bytes],
    join: Callable[[str, bool], str],
    *,
    title: Message,
    origin_name: str,
) -> ChangeSet:
    """The change set that takes all files of `source` into `target` (relative path with '/' -> content).

    `join(rel, in_target)` gives the absolute path of a file. `origin_name` heads the entries that are added to an index.
    """
    renames = _new_names(source, target)
    changes: list[FileChange] = []
    for rel, content in source.items():
        base = content_hash(content)
        here = join(rel, False)
        if rel in target and (_is_joined(rel) or content == target[rel]):
            if content != target[rel]:
                changes += _joined(join(rel, True), rel, content, target[rel], renames, origin_name)
            aside = _free(rel + MERGED, source)
            reason = msg("everything in it is in the other directory now")
            changes.append(RenameFile(here, join(aside, False), base, reason))
            continue
        new = renames.get(rel, rel)
        edits = _link_edits(rel, content, renames) if rel.endswith(".md") else ()
        if edits:
            changes.append(EditFile(here, edits, base, msg("a file it links to gets another name")))
        reason = msg("moved") if new == rel else msg("moved; another memory has its name already")
        changes.append(RenameFile(here, join(new, True), base, reason))
    return ChangeSet(title, tuple(changes), "doctor")


def _is_joined(rel: str) -> bool:
    return rel.rsplit("/", 1)[-1] == "MEMORY.md" or (rel.startswith("logs/") and rel.endswith(".md"))


def _new_names(source: Mapping[str, bytes], target: Mapping[str, bytes]) -> dict[str, str]:
    """Names for files that differ from a namesake. Names that differ only in case are namesakes too."""
    taken = {t.lower() for t in target} | {s.lower() for s in source}
    folded = {t.lower(): t for t in target}
    found: dict[str, str] = {}
    for rel, content in source.items():
        namesake = folded.get(rel.lower())
        if namesake is None or (namesake == rel and (_is_joined(rel) or target[rel] == content)):
            continue
        new = _free(rel, taken)
        taken.add(new.lower())
        found[rel] = new
    return found


def _free(rel: str, taken: Collection[str]) -> str:
    if rel not in taken and rel.lower() not in taken:
        return rel
    stem, dot, suffix = rel.rpartition(".")
    if not dot or "/" in suffix:
        stem, suffix = rel, ""
    number = 2
    while f"{stem}_{number}{dot}{suffix}".lower() in taken:
        number += 1
    return f"{stem}_{number}{dot}{suffix}"


def _joined(
    path: str, rel: str, content: bytes, present: bytes, renames: Mapping[str, str], origin_name: str
) -> list[FileChange]:
    """The lines of `content` that `present` does not have, added at its end."""
    text, old = decode(content)[0], decode(present)[0]
    text = _renamed(rel, text, renames)
    is_index = rel.rsplit("/", 1)[-1] == "MEMORY.md"
    known = {line.strip() for line in re.split(r"\r\n|\n|\r", old)}
    fresh = [
        line
        for line in re.split(r"\r\n|\n|\r", text)
        if line.strip() and line.strip() not in known and not (is_index and line.startswith("# "))
    ]
    if not fresh:
        return []
    eol = "\r\n" if "\r\n" in old else "\n"
    head = [f"## {origin_name}", ""] if is_index else []
    gap = "" if not old or old.endswith(("\n", "\r")) else eol
    added = gap + (eol if is_index and old.strip() else "") + eol.join([*head, *fresh]) + eol
    edit = Edit(Span(len(old), len(old)), added)
    return [EditFile(path, (edit,), content_hash(present), msg("lines of the other directory are added"))]


def _renamed(rel: str, text: str, renames: Mapping[str, str]) -> str:
    parts, at = [], 0
    for edit in _links(rel, text, renames):
        parts += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join(parts) + text[at:]


def _link_edits(rel: str, content: bytes, renames: Mapping[str, str]) -> tuple[Edit, ...]:
    return tuple(_links(rel, decode(content)[0], renames))


def _links(rel: str, text: str, renames: Mapping[str, str]) -> list[Edit]:
    """Edits that make links to renamed files of the same folder follow."""
    folder = rel.rpartition("/")[0]
    prefix = folder + "/" if folder else ""
    found = []
    for match in _LINK.finditer(text):
        written, mark, rest = match[2].partition("#")
        new = renames.get(prefix + written.removeprefix("./"))
        if new is not None and new.startswith(prefix):
            found.append(Edit(Span(match.start(2), match.end(2)), new[len(prefix) :] + mark + rest))
    return found
