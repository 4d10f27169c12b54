"""Applies every fix of a directory in memory until nothing more changes; the outcome is one change set.

Used by `memdir check --fix`, `source.fixAll` and "fix all" in the editor. Works on copies: the directory given stays as
it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.i18n import Message
from memdir.core.lint import check_document
from memdir.core.model import (
    ChangeSet,
    CreateFile,
    Diagnostic,
    Edit,
    EditFile,
    FileChange,
    Fix,
    Safety,
    Span,
)
from memdir.core.rule import Context
from memdir.core.text import apply_edits

# A fix may uncover another one (a missing header, then its missing type); real files settle in two or three rounds.
MAX_ROUNDS = 10
_DIFF_LINES = 5_000  # above this, one edit from the first to the last difference is as good and much cheaper


@dataclass(frozen=True, slots=True)
class FixAll:
    """`change_set` from the present state to the fixed one, `fixed` the number of diagnostics mended per rule."""

    change_set: ChangeSet
    fixed: Mapping[str, int]


def fix_all(
    context: Context,
    title: Message,
    documents: Iterable[Document] | None = None,
    *,
    unsafe: bool = False,
    wanted: Callable[[Diagnostic], bool] = lambda d: True,
) -> FixAll:
    """Mend `documents` (default: all) with their preferred safe fixes; `unsafe` takes the others too.

    Overlapping fixes wait for the next round. Fixes may touch other files of the directory (an index entry for an
    orphan); those are part of the change set as well.
    """
    directory = context.directory.copy()
    work = replace(context, directory=directory)
    todo = [d.rel for d in (documents if documents is not None else directory)]
    originals: dict[str, Document | None] = {}
    counts: dict[str, int] = {}
    for _ in range(MAX_ROUNDS):
        touched: dict[str, list[tuple[Edit, str]]] = {}
        next_round: set[str] = set()
        waiting: set[str] = set()
        for rel in todo:
            document = directory.get(rel)
            if document is None:
                continue
            for diagnostic in check_document(document, work):
                fix = _usable(diagnostic, unsafe)
                if fix is None or not wanted(diagnostic):
                    continue
                if _accept(fix, diagnostic.rule, directory, touched, originals, next_round):
                    counts[diagnostic.rule] = counts.get(diagnostic.rule, 0) + 1
                else:
                    waiting.add(rel)
        for rel, edits in touched.items():
            document = directory.get(rel)
            if document is None:
                continue
            originals.setdefault(rel, document)
            text = apply_edits(document.text, [edit for edit, _ in edits])
            changed = Document(
                document.path, rel, ("\ufeff" if document.bom else "") + text, document.mtime, document.scope
            )
            next_round |= {rel, *directory.put(changed)}
        if not next_round:
            break
        next_round |= waiting
        todo = [rel for rel in sorted(next_round) if documents is None or rel in originals or rel in todo]
    return FixAll(ChangeSet(title, tuple(_difference(originals, directory)), "fix-all"), counts)


def _usable(diagnostic: Diagnostic, unsafe: bool) -> Fix | None:
    """The first fix that may be taken: a choice between several unsafe ones is a person's."""
    for fix in diagnostic.fixes:
        if fix.safety is Safety.SAFE:
            return fix
    return diagnostic.fixes[0] if unsafe and len(diagnostic.fixes) == 1 else None


def _accept(
    fix: Fix,
    rule: str,
    directory: Directory,
    touched: dict[str, list[tuple[Edit, str]]],
    originals: dict[str, Document | None],
    next_round: set[str],
) -> bool:
    """Take all of a fix or nothing: edits are collected, files created at once."""
    prefix = directory.root + "/"
    planned: list[tuple[str, FileChange]] = []
    for change in fix.changes:
        if not change.path.startswith(prefix):
            return False
        rel = change.path[len(prefix) :]
        if isinstance(change, EditFile):
            document = directory.get(rel)
            taken = touched.get(rel, [])
            if document is None or document.hash != change.base:
                return False
            if any(_clash(a, rule, b, other) for a in change.edits for b, other in taken):
                return False
        elif isinstance(change, CreateFile):
            if rel in directory:
                return False
        else:  # deletions and moves are never part of "fix all"
            return False
        planned.append((rel, change))
    for rel, change in planned:
        if isinstance(change, EditFile):
            touched.setdefault(rel, []).extend((edit, rule) for edit in change.edits)
        elif isinstance(change, CreateFile):
            originals.setdefault(rel, None)
            next_round |= {rel, *directory.put(Document(change.path, rel, change.content))}
    return True


def _clash(edit: Edit, rule: str, other: Edit, other_rule: str) -> bool:
    """True when two edits can't both be made in one round.

    Two insertions at one place would leave their order to chance, unless one rule makes both: it lists two orphans, in
    the order of their files.
    """
    lines = not edit.text.startswith(("\n", "\r"))  # a gap in front is meant once
    if rule == other_rule and lines and not len(edit.span) and not len(other.span):
        return False
    return edit.span.overlaps(other.span) or edit.span.start == other.span.start


def _difference(originals: Mapping[str, Document | None], directory: Directory) -> Iterable[FileChange]:
    for rel, before in sorted(originals.items()):
        after = directory.get(rel)
        if after is None:
            continue
        if before is None:
            yield CreateFile(after.path, after.content)
        elif before.text != after.text:
            yield EditFile(before.path, tuple(minimal_edits(before.text, after.text)), before.hash)


def minimal_edits(before: str, after: str) -> list[Edit]:
    """Edits that turn `before` into `after`, by whole lines, so that cursors and marks elsewhere stay."""
    a, b = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if len(a) + len(b) > _DIFF_LINES:
        start = 0
        limit = min(len(before), len(after))
        while start < limit and before[start] == after[start]:
            start += 1
        end = 0
        while end < limit - start and before[-1 - end] == after[-1 - end]:
            end += 1
        return [Edit(Span(start, len(before) - end), after[start : len(after) - end])]
    offsets = [0]
    for line in a:
        offsets.append(offsets[-1] + len(line))
    return [
        Edit(Span(offsets[i1], offsets[i2]), "".join(b[j1:j2]))
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
