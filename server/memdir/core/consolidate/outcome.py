"""What a consolidation proposes: files with reasons, what needs consent, what would be lost, what is left to judge."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from memdir.core.changes import FileOutcome
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.index_edit import additions
from memdir.core.model import ChangeSet
from memdir.core.outcome import change_set_of, consent_reason
from memdir.core.preservation import Losses, losses
from memdir.core.settings import Settings
from memdir.core.text import apply_edits, encode

TITLE = msg("Consolidate memories")


@dataclass(frozen=True, slots=True)
class Consolidation:
    """`outcomes` by path; `consent` says why a path needs it; `groups` are paths that are taken together or not at all."""

    outcomes: tuple[FileOutcome, ...]
    consent: Mapping[str, Message]
    lost: Losses
    notes: tuple[Message, ...] = ()
    groups: tuple[frozenset[str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.outcomes)

    @property
    def change_set(self) -> ChangeSet:
        """All of it, as one change set."""
        return change_set_of(self.outcomes, TITLE, "consolidate")


def consolidation(
    directory: Directory,
    outcomes: tuple[FileOutcome, ...],
    notes: tuple[Message, ...] = (),
    groups: tuple[frozenset[str], ...] = (),
) -> Consolidation:
    """The proposal that `outcomes` make, judged against the present `directory`. Groups are relative paths."""
    consent = {o.path: reason for o in outcomes if (reason := consent_reason(o)) is not None}
    before, after = _sides(directory, outcomes)
    named = tuple(frozenset(directory.path_of(rel) for rel in group) for group in groups)
    return Consolidation(outcomes, consent, losses(before, after), notes, named)


def with_consent(
    found: Consolidation, directory: Directory, settings: Settings, agreed: Collection[str] | None
) -> Consolidation:
    """The part that may be applied: what needs consent stays out unless its path is `agreed` to (None: to everything).

    A deletion that is left out takes the rest of its group along, and its memory is listed again.
    """
    return _without(
        found, directory, settings, {p for p in found.consent if agreed is not None and p not in agreed}
    )


def only(
    found: Consolidation, directory: Directory, settings: Settings, paths: Collection[str]
) -> Consolidation:
    """The part that changes these absolute paths. A group is taken whole or not at all, and what stays is listed again."""
    return _without(found, directory, settings, {o.path for o in found.outcomes if o.path not in paths})


def _without(
    found: Consolidation, directory: Directory, settings: Settings, refused: set[str]
) -> Consolidation:
    if not refused:
        return found
    for group in found.groups:
        if group & refused:
            refused |= {p for p in group if not _is_index(directory, p)}
    kept = [o for o in found.outcomes if o.path not in refused]
    kept = _list_again(directory, settings, kept, found.outcomes)
    groups = tuple(g for g in found.groups if not g & refused)
    rels = tuple(frozenset(_rel(directory, p) for p in g) for g in groups)
    return consolidation(directory, tuple(kept), found.notes, rels)


def _list_again(
    directory: Directory, settings: Settings, kept: list[FileOutcome], all_outcomes: tuple[FileOutcome, ...]
) -> list[FileOutcome]:
    """Index entries for memories that the index outcomes dropped although they stay."""
    result = Directory(directory.root, _after(directory, tuple(kept)).values())
    whole = Directory(directory.root, _after(directory, all_outcomes).values())
    for index in result.indexes():
        stays = [
            d
            for d in result.topics()
            if d.rel not in result.reachable and d.rel not in whole and result.index_for(d) is index
        ]
        if not stays:
            continue
        text = apply_edits(index.text, additions(result, index, stays, settings))
        content = encode(text, index.bom)
        at = next((n for n, o in enumerate(kept) if o.path == index.path), None)
        original = directory.get(index.rel)
        if at is None:
            continue  # the index was not changed, so it lists what it listed
        if original is not None and original.content == content:
            kept.pop(at)
        else:
            kept[at] = FileOutcome(index.path, kept[at].before, content, None, kept[at].reasons)
    return kept


def _sides(
    directory: Directory, outcomes: tuple[FileOutcome, ...]
) -> tuple[dict[str, Document], dict[str, Document]]:
    return dict(directory.documents), _after(directory, outcomes)


def _after(directory: Directory, outcomes: tuple[FileOutcome, ...]) -> dict[str, Document]:
    after = dict(directory.documents)
    for outcome in outcomes:
        rel = _rel(directory, outcome.path)
        if outcome.after is None:
            after.pop(rel, None)
        else:
            old = directory.get(rel)
            after[rel] = Document(outcome.path, rel, outcome.after, old.mtime if old else None)
    return after


def _rel(directory: Directory, path: str) -> str:
    return path.removeprefix(directory.root + "/")


def _is_index(directory: Directory, path: str) -> bool:
    return _rel(directory, path) in ("MEMORY.md", "team/MEMORY.md")
