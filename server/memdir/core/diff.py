"""A change set as a diff that people read, and the part of it they accept.

The hunks of a unified diff carry ids; `select` gives the change set that holds only the accepted files and hunks,
against the same bases. Renames, creations and deletions are one hunk each.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from memdir.core.changes import FileOutcome, project
from memdir.core.i18n import Message
from memdir.core.model import (
    ChangeSet,
    CreateFile,
    DeleteFile,
    Edit,
    EditFile,
    FileChange,
    RenameFile,
    Span,
    content_hash,
)
from memdir.core.text import decode

DiffKind: TypeAlias = Literal["edit", "create", "delete", "rename"]
OpCode: TypeAlias = tuple[str, int, int, int, int]

_CONTEXT = 3
# Lines before times lines after from which a middle part counts as replaced whole: comparing costs their product.
_MAX_PRODUCT = 1_000_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Hunk:
    """One acceptable piece. `lines` are diff lines with their sign; `edits` mean the decoded text before."""

    id: str
    header: str
    lines: tuple[str, ...]
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One file of a change set. `old_path` differs from `path` for a rename; contents are None for no file."""

    kind: DiffKind
    path: str
    old_path: str
    before: bytes | None
    after: bytes | None
    hunks: tuple[Hunk, ...]
    reasons: tuple[Message, ...] = ()


def diff_files(change_set: ChangeSet, read: Callable[[str], bytes | None]) -> tuple[FileDiff, ...]:
    """The files of `change_set` with their hunks; `read` gives the present content of a path (None: no file).

    Changes that clash with what is there are left out: `store.apply` reports them with a three-way view.
    """
    return diff_outcomes(project(change_set, read)[0])


def diff_outcomes(outcomes: Sequence[FileOutcome]) -> tuple[FileDiff, ...]:
    """The same for outcomes that are known already (what an undo would do)."""
    moved_from = {o.renamed_from for o in outcomes if o.renamed_from}
    originals = {o.path: o.before for o in outcomes}
    return tuple(
        _file_diff(outcome, originals.get(outcome.renamed_from or outcome.path))
        for outcome in outcomes
        if not (outcome.after is None and outcome.path in moved_from)
    )


def unified(
    files: Sequence[FileDiff],
    *,
    base: str = "",
    ids: bool = False,
    colour: bool = False,
    escape: bool = False,
) -> str:
    """`files` as one unified diff. Paths are shown below `base`; `ids` adds each hunk's id behind its `@@` line;
    `escape` shows control characters as code points, for terminals."""
    lines: list[str] = []
    for file in files:
        old, new = _shown(file.old_path, base), _shown(file.path, base)
        if file.kind == "rename":
            lines += [f"rename from {old}", f"rename to {new}"]
        if any(h.lines for h in file.hunks) or file.kind in ("create", "delete"):
            lines.append(_paint("--- " + ("/dev/null" if file.kind == "create" else "a/" + old), "1", colour))
            lines.append(_paint("+++ " + ("/dev/null" if file.kind == "delete" else "b/" + new), "1", colour))
        for hunk in file.hunks:
            if hunk.header:
                lines.append(_paint(f"{hunk.header} {hunk.id}" if ids else hunk.header, "36", colour))
            for line in hunk.lines:
                text = _CONTROL.sub(lambda m: f"<U+{ord(m[0]):04X}>", line) if escape else line
                lines.append(_paint(text, {"+": "32", "-": "31"}.get(line[:1], ""), colour))
    text = "".join(line + "\n" for line in lines)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def select(
    change_set: ChangeSet,
    read: Callable[[str], bytes | None],
    *,
    files: Collection[str] = (),
    hunks: Collection[str] = (),
) -> ChangeSet:
    """The part of `change_set` that was accepted: all of `files` (by path, old or new), and the `hunks` (by id).

    Title and origin stay. An id or path that the set does not have is a ValueError: a typo must not drop a change.
    """
    found = diff_files(change_set, read)
    unknown = set(files) - {p for f in found for p in (f.path, f.old_path)}
    unknown |= set(hunks) - {h.id for f in found for h in f.hunks}
    if unknown:
        raise ValueError(f"not part of the change: {', '.join(sorted(unknown))}")
    changes: list[FileChange] = []
    for file in found:
        whole = file.path in files or file.old_path in files
        changes += _accepted(file, [h for h in file.hunks if whole or h.id in hunks])
    return replace(change_set, changes=tuple(changes))


def opcodes(a: Sequence[str], b: Sequence[str]) -> list[OpCode]:
    """How lines `a` become `b`, as difflib's opcodes; bounded in cost for hostile input."""
    start, end, limit = 0, 0, min(len(a), len(b))
    while start < limit and a[start] == b[start]:
        start += 1
    while end < limit - start and a[-1 - end] == b[-1 - end]:
        end += 1
    middle_a, middle_b = a[start : len(a) - end], b[start : len(b) - end]
    codes: list[OpCode] = [("equal", 0, start, 0, start)] if start else []
    if len(middle_a) * len(middle_b) > _MAX_PRODUCT:
        codes.append(("replace", start, len(a) - end, start, len(b) - end))
    else:
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, middle_a, middle_b, autojunk=False).get_opcodes():
            codes.append((tag, i1 + start, i2 + start, j1 + start, j2 + start))
    if end:
        codes.append(("equal", len(a) - end, len(a), len(b) - end, len(b)))
    return codes


def _accepted(file: FileDiff, hunks: Sequence[Hunk]) -> Iterator[FileChange]:
    if not hunks:
        return
    reason = file.reasons[0] if file.reasons else None
    if file.kind == "create" and file.after is not None:
        yield CreateFile(file.path, file.after, reason)
        return
    base = content_hash(file.before or b"")
    if file.kind == "delete":
        yield DeleteFile(file.path, base, reason)
        return
    edits = tuple(e for h in hunks for e in h.edits)
    if edits:
        yield EditFile(file.old_path, edits, base, reason)
    if file.kind == "rename" and any(not h.edits for h in hunks):
        yield RenameFile(file.old_path, file.path, base, reason)


def _file_diff(outcome: FileOutcome, before: bytes | None) -> FileDiff:
    kind: DiffKind = "edit"
    if outcome.renamed_from is not None:
        kind = "rename"
    elif outcome.before is None:
        kind = "create"
    elif outcome.after is None:
        kind = "delete"
    old_path = outcome.renamed_from or outcome.path
    hunks = list(_hunks(old_path, kind, before, outcome.after))
    if kind == "rename":
        hunks.insert(0, Hunk(_hunk_id(old_path, "rename", outcome.path, 0), "", ()))
    return FileDiff(kind, outcome.path, old_path, before, outcome.after, tuple(hunks), outcome.reasons)


def _hunks(path: str, kind: DiffKind, before: bytes | None, after: bytes | None) -> Iterator[Hunk]:
    old_text, new_text = decode(before or b"")[0], decode(after or b"")[0]
    old, new = _lines(old_text), _lines(new_text)
    if kind in ("create", "delete"):
        groups = [[("replace", 0, len(old), 0, len(new))]]
    else:
        groups = list(_grouped(opcodes(old, new)))
    offsets = [0]
    for line in old:
        offsets.append(offsets[-1] + len(line))
    seen: dict[str, int] = {}
    for group in groups:
        lines: list[str] = []
        edits: list[Edit] = []
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += _signed(" ", old[i1:i2])
                continue
            lines += _signed("-", old[i1:i2]) + _signed("+", new[j1:j2])
            edits.append(Edit(Span(offsets[i1], offsets[i2]), "".join(new[j1:j2])))
        body = "\n".join(lines)
        seen[body] = seen.get(body, 0) + 1
        first, last = group[0], group[-1]
        header = f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        yield Hunk(_hunk_id(path, kind, body, seen[body]), header, tuple(lines), tuple(edits))


def _grouped(codes: Sequence[OpCode]) -> Iterator[list[OpCode]]:
    """Opcodes in groups with three lines of context, as a unified diff shows them; unchanged files give none."""
    group: list[OpCode] = []
    for position, (tag, i1, i2, j1, j2) in enumerate(codes):
        if tag != "equal":
            group.append((tag, i1, i2, j1, j2))
            continue
        head = _CONTEXT if position else 0  # context behind the change before, and ahead of the next
        tail = _CONTEXT if position < len(codes) - 1 else 0
        if group and i2 - i1 <= head + tail and tail:
            group.append((tag, i1, i2, j1, j2))
            continue
        if group:
            kept = min(head, i2 - i1)
            yield [*group, (tag, i1, i1 + kept, j1, j1 + kept)]
        kept = min(tail, i2 - i1)
        group = [(tag, i2 - kept, i2, j2 - kept, j2)] if tail else []
    if group:
        yield group


def _lines(text: str) -> list[str]:
    """Lines with their breaks, cut at LF only: a lone CR or form feed stays inside its line."""
    parts = text.split("\n")
    lines = [p + "\n" for p in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _signed(sign: str, lines: Sequence[str]) -> list[str]:
    found = []
    for line in lines:
        found.append(sign + line.removesuffix("\n"))
        if not line.endswith("\n"):
            found.append("\\ No newline at end of file")
    return found


def _range(start: int, end: int) -> str:
    count = end - start
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def _hunk_id(path: str, kind: str, body: str, number: int) -> str:
    key = "\0".join((path, kind, body, str(number)))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _shown(path: str, base: str) -> str:
    prefix = base.rstrip("/\\")
    shown = (
        path[len(prefix) + 1 :]
        if prefix and path.startswith((prefix + "/", prefix + "\\"))
        else path.lstrip("/")
    )
    return _CONTROL.sub("?", shown.replace("\n", "?"))


def _paint(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour and code else text
