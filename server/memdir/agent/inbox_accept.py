"""From an item of the inbox to the change set that accepts it, against the memories as they are now.

A proposed memory is saved as `memdir save` would save it: in the directory's own shape, with its index line, questions
first. A change of a file that was changed meanwhile keeps its base, so that applying it shows the clash.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from memdir.agent.inbox_items import Item, ProposedFile
from memdir.core.changes import FileOutcome
from memdir.core.consolidate import TITLE, Consolidation, completed, consolidation, with_consent
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.model import ChangeSet, FileChange, content_hash
from memdir.core.outcome import change_set_of, file_change
from memdir.core.rule import Context
from memdir.core.save import Question, SaveError, SaveRequest, plan_save
from memdir.core.save_text import updated_entry
from memdir.core.text import decode, encode


@dataclass(frozen=True, slots=True)
class Accepting:
    """The change set; what should be asked before, and said after; the old contents by hash, for a clash."""

    change_set: ChangeSet
    questions: tuple[Question, ...] = ()
    advice: tuple[Message, ...] = ()
    bases: dict[str, bytes] | None = None


def plan_accept(
    item: Item,
    context: Context,
    *,
    team: bool,
    request: SaveRequest | None = None,
    agreed: Collection[str] | None = (),
) -> Accepting:
    """How to accept `item`. `team`: the repository has a team directory; `request`: what the person wrote, for a signal.

    `agreed`: absolute paths of a consolidation whose deletion or shrinking is agreed to (None: all); the others stay as
    they are. Raises SaveError when it can't be saved, or a signal comes without a request.
    """
    if item.kind == "consolidation":
        return _consolidation(item, context, agreed)
    if request is None and item.kind == "signal":
        raise SaveError(msg("This is only a hint: say what to remember, with a name and a description."))
    if request is not None:
        return _saved(context, request, team)
    file = item.file
    if file is None or file.after is None:
        raise SaveError(msg("The proposal holds no memory."))
    if file.before is None:
        return _saved(context, request_of(file.document(context.directory.root)), team)
    return _changed(item, context)


def request_of(document: Document) -> SaveRequest:
    """What a proposed memory asks to be saved."""
    return SaveRequest(
        document.type, document.title, document.description, document.body.strip(), "team" if document.scope == "team" else "private"
    )  # fmt: skip


def with_text(item: Item, text: str) -> Item:
    """The item with another text of its memory, as a person edited it. SaveError when it is no memory any more."""
    file = item.file
    if file is None:
        raise SaveError(msg("Only proposed memories can be edited."))
    if file.after is not None:
        _require_text(file.rel, file.after)
    changed = replace(file, after=encode(text))
    document = changed.document("")
    if document.frontmatter is None or not document.name or not document.description:
        raise SaveError(msg("A memory needs a header with name, description and type."))
    return replace(item, files=(changed,), type=document.type or item.type)


def merged(item: Item, rel: str, present: bytes, text: str) -> Item | None:
    """The item after a person brought its change of `rel` together with the file's `present` content, as `text`.

    It is a change of the present content then. None when nothing of the item is left: the file says it already.
    SaveError when the present content is not text: a text can't hold its bytes.
    """
    _require_text(rel, present)
    after = encode(text, decode(present)[1])
    files = tuple(
        replace(f, before=present, after=after) if f.rel == rel else f
        for f in item.files
        if f.rel != rel or after != present
    )
    groups = tuple(g for g in (group & {f.rel for f in files} for group in item.groups) if len(g) > 1)
    return replace(item, files=files, groups=groups) if files else None


def _require_text(rel: str, content: bytes) -> None:
    """SaveError for content that an editor shows with other bytes than it has: they would be lost."""
    try:
        decode(content)[0].encode()
    except UnicodeEncodeError:
        raise SaveError(
            msg(
                "{path} has bytes that are not UTF-8, and they would be lost. Save the file as UTF-8 first, or refuse the proposal.",
                path=rel,
            )
        ) from None


def proposal_of(item: Item, context: Context) -> Consolidation:
    """The consolidation that an item holds, judged against the memories as they are now.

    An index that was changed meanwhile is no clash: what the proposal does to it follows from what it does to the memories.
    """
    root = context.directory.root
    outcomes = tuple(f.outcome(root) for f in item.files)
    rest = tuple(o for o in outcomes if not (_is_index(o.path) and _stale(o, context)))
    if len(rest) != len(outcomes):
        fits = [o for o in rest if not _stale(o, context)]
        rest += tuple(o for o in completed(context, fits) if _is_index(o.path))
    return consolidation(context.directory, rest, item.notes, item.groups)


def stale_files(item: Item, context: Context) -> tuple[ProposedFile, ...]:
    """The memories of an item that are neither as they were nor as proposed any more: a person brings both together."""
    return tuple(
        f for f in item.files if not _is_index(f.rel) and _present(context, f.rel) not in (f.before, f.after)
    )


def _is_index(path: str) -> bool:
    return path.rpartition("/")[2] == "MEMORY.md"


def _present(context: Context, rel: str) -> bytes | None:
    document = context.directory.get(rel)
    return document.content if document is not None else None


def _stale(outcome: FileOutcome, context: Context) -> bool:
    return _present(context, outcome.path.removeprefix(context.directory.root + "/")) != outcome.before


def rest_of(item: Item, context: Context) -> Item | None:
    """What of a consolidation is not as proposed yet, after a part of it was applied; None when nothing is left.

    `context` looks at the directory as it is now. Files that are neither as they were nor as proposed wait for a person
    who brings both texts together.
    """
    directory = context.directory
    waiting = []
    for file in item.files:
        present = directory.get(file.rel)
        content = present.content if present else None
        if content == file.before and content != file.after:
            waiting.append(file)
    stale = stale_files(item, context)
    outcomes: tuple[FileOutcome, ...] = ()
    if waiting:
        outcomes = completed(context, [f.outcome(directory.root) for f in waiting])
    elif any(_is_index(f.rel) and _present(context, f.rel) not in (f.before, f.after) for f in item.files):
        outcomes = tuple(o for o in completed(context, ()) if _is_index(o.path))  # it follows the memories
    files = tuple(
        ProposedFile(o.path.removeprefix(directory.root + "/"), o.before, o.after, o.reasons)
        for o in outcomes
    )
    files = (*(f for f in files if f.rel not in {s.rel for s in stale}), *stale)
    groups = tuple(g for g in (group & {f.rel for f in files} for group in item.groups) if len(g) > 1)
    return replace(item, files=files, groups=groups) if files else None


def _saved(context: Context, request: SaveRequest, team: bool) -> Accepting:
    plan = plan_save(context, request, team=team)
    return Accepting(replace(plan.change_set, origin="extract"), plan.questions, plan.advice)


def _changed(item: Item, context: Context) -> Accepting:
    directory = context.directory
    file = item.files[0]
    assert file.before is not None and file.after is not None
    old = Document(directory.path_of(file.rel), file.rel, file.before)
    new = file.document(directory.root)
    title = msg("Update “{name}”", name=old.title)
    change = file_change(replace(file.outcome(directory.root), reasons=file.reasons or (title,)))
    changes: list[FileChange] = [change] if change is not None else []
    for index in directory.indexes():
        entry = updated_entry(directory, index, old, new, context.settings)
        if entry is not None:
            changes.append(replace(entry, reason=title))
    return Accepting(
        ChangeSet(title, tuple(changes), "extract"), bases={content_hash(file.before): file.before}
    )


def _consolidation(item: Item, context: Context, agreed: Collection[str] | None) -> Accepting:
    found = with_consent(proposal_of(item, context), context.directory, context.settings, agreed)
    bases = {content_hash(f.before): f.before for f in item.files if f.before is not None}
    return Accepting(change_set_of(found.outcomes, TITLE, "consolidate"), bases=bases)
