"""Saving a memory in two steps that are one change set: the file, and its line in the index.

Nothing here writes. `plan_save` gives the change set together with what a person should decide first: whether an
existing memory on the subject should be updated instead, whether the content is memory at all, whether the team's
feedback says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from memdir.core.directory import TEAM_INDEX
from memdir.core.document import INDEX_NAME, Document
from memdir.core.i18n import Message, msg
from memdir.core.index_edit import Shape, additions, entry_line, fits, link_path
from memdir.core.lint import check_document
from memdir.core.model import ChangeSet, CreateFile, Diagnostic, FileChange
from memdir.core.naming import memory_rel
from memdir.core.rule import Context
from memdir.core.save_questions import ASKED, Question, content_questions, subject_questions
from memdir.core.save_text import new_text, updated_edits, updated_entry
from memdir.core.taxonomy import TYPES, MemoryType, SaveScope, missing_parts, scope_for, type_named
from memdir.core.text import apply_edits, encode

__all__ = ["Question", "SaveError", "SavePlan", "SaveRequest", "plan_save"]

# What is said otherwise here, or is not for the author of a new memory.
_SILENT = frozenset(
    (
        "feedback-without-why",
        "feedback-without-how-to-apply",
        "project-without-why",
        "name-duplicate",
        "index-orphan",
    )
)
_MAX_NAME = 200


class SaveError(ValueError):
    """The memory can't be saved like this; `message` says why and what helps."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


@dataclass(frozen=True, slots=True)
class SaveRequest:
    """What is to be remembered. `scope` None: the type's default. `update`: relative path of a memory to change instead
    of adding one; then an empty `type`, `name` or `body` leaves that part as it is."""

    type: str
    name: str
    description: str
    body: str = ""
    scope: SaveScope | None = None
    update: str | None = None


@dataclass(frozen=True, slots=True)
class SavePlan:
    """The proposal: `rel` is the memory's file, `questions` come before saving, `advice` after."""

    change_set: ChangeSet
    rel: str
    scope: SaveScope
    questions: tuple[Question, ...] = ()
    advice: tuple[Message, ...] = ()


def plan_save(context: Context, request: SaveRequest, *, team: bool) -> SavePlan:
    """The change set that saves `request` in the context's directory, and what should be asked first.

    `team`: the repository has a team directory. Raises SaveError for what can't be saved: an unknown type, no name or
    description, a user memory for the team, a credential in the team directory.
    """
    request = _cleaned(request)
    return _plan_update(context, request) if request.update else _plan_new(context, request, team)


def _plan_new(context: Context, request: SaveRequest, team: bool) -> SavePlan:
    directory = context.directory
    type_ = _type(request.type, context)
    if not request.name:
        raise SaveError(msg("The memory needs a name."))
    if not request.description:
        raise SaveError(
            msg(
                "The memory needs a description: one line that says what it holds, in words that a question would use."
            )
        )
    scope = _scope(type_, request, team)
    rel = memory_rel(request.type, request.name, directory.documents, team=scope == "team")
    text = new_text(directory, request.name, request.description, request.type, request.body)
    document = Document(directory.path_of(rel), rel, encode(text), context.now.timestamp())
    document, diagnostics, advice = _checked(context, document)
    questions = [
        *subject_questions(directory, request.type, request.name, request.description, scope),
        *content_questions(diagnostics),
    ]
    if type_ is not None:
        advice += _body_advice(type_, document)
    index, budget = _listing(context, document)
    reason = msg("Save “{name}”", name=request.name)
    changes = (CreateFile(document.path, document.content, reason), *index)
    return SavePlan(ChangeSet(reason, changes, "save"), rel, scope, tuple(questions), (*advice, *budget))


def _plan_update(context: Context, request: SaveRequest) -> SavePlan:
    directory = context.directory
    present = directory.get(request.update or "")
    if present is None or present.kind != "topic":
        raise SaveError(msg("{path} is no memory of this directory.", path=request.update or ""))
    type_ = _type(request.type or present.type, context) if request.type else type_named(present.type)
    scope: SaveScope = "team" if present.scope == "team" else "private"
    if request.scope is not None and request.scope != scope:
        raise SaveError(
            msg("{path} is {scope}; move it first, then update it.", path=present.rel, scope=scope)
        )
    if type_ is not None and scope == "team" and not type_.team_allowed:
        raise SaveError(
            msg("A memory about a person is always private; it can't go into the team's directory.")
        )
    edits = updated_edits(
        present,
        name=request.name,
        description=request.description,
        type_=request.type,
        body=request.body,
        now=context.now,
    )
    changed = Document(
        present.path,
        present.rel,
        encode(apply_edits(present.text, edits), present.bom),
        context.now.timestamp(),
    )
    document, diagnostics, advice = _checked(context, changed)
    if type_ is not None:
        advice += _body_advice(type_, document)
    reason = msg("Update “{name}”", name=present.title)
    changes: list[FileChange] = []
    if document.text != present.text:
        from memdir.core.fixall import minimal_edits

        changes.append(replace(present.edit(*minimal_edits(present.text, document.text)), reason=reason))
    entries = [
        e
        for i in directory.indexes()
        if (e := updated_entry(directory, i, present, document, context.settings))
    ]
    changes += [replace(e, reason=reason) for e in entries]
    budget: tuple[Message, ...] = ()
    if directory.is_orphan(present) or not directory.indexes():
        index, budget = _listing(context, document)
        changes += index
    questions = tuple(content_questions(diagnostics))
    return SavePlan(
        ChangeSet(reason, tuple(changes), "save"), present.rel, scope, questions, (*advice, *budget)
    )


def _cleaned(request: SaveRequest) -> SaveRequest:
    """Name and description on one line, body without blank edges."""
    name, description = " ".join(request.name.split()), " ".join(request.description.split())
    if len(name) > _MAX_NAME:
        raise SaveError(
            msg(
                "The name has {count} characters; {limit} are enough for a title.",
                count=len(name),
                limit=_MAX_NAME,
            )
        )
    return replace(
        request,
        type=request.type.strip().casefold(),
        name=name,
        description=description,
        body=request.body.strip("\r\n"),
    )


def _type(name: str, context: Context) -> MemoryType | None:
    """The type, None for one that the settings add to the four."""
    if name in TYPES or name in context.settings.extend_types:
        return type_named(name)
    choices = ", ".join((*TYPES, *context.settings.extend_types))
    raise SaveError(msg("Unknown type “{value}”: the types are {types}.", value=name, types=choices))


def _scope(type_: MemoryType | None, request: SaveRequest, team: bool) -> SaveScope:
    if type_ is None:
        return request.scope or "private"
    try:
        return scope_for(type_, team=team, asked=request.scope)
    except ValueError:
        raise SaveError(
            msg("A memory about a person is always private; it can't go into the team's directory.")
        ) from None


def _checked(context: Context, document: Document) -> tuple[Document, list[Diagnostic], list[Message]]:
    """`document` with its relative dates made absolute, what the rules say of it, and that as advice."""
    advice: list[Message] = []
    found = check_document(document, context)
    dated = [d for d in found if d.rule == "relative-date" and d.fix is not None]
    edits = [e for d in dated for c in d.fixes[0].changes for e in getattr(c, "edits", ())]
    if edits:
        text = apply_edits(document.text, edits)
        advice += [msg("“{old}” is saved as “{new}”.", old=document.slice(e.span), new=e.text) for e in edits]
        document = Document(document.path, document.rel, encode(text, document.bom), document.mtime)
        found = check_document(document, context)
    for diagnostic in found:
        if diagnostic.rule == "secret-in-memory" and document.scope == "team":
            raise SaveError(diagnostic.message)
        if diagnostic.rule not in ASKED and diagnostic.rule not in _SILENT:
            advice.append(diagnostic.message)
    return document, found, advice


def _body_advice(type_: MemoryType, document: Document) -> list[Message]:
    return [
        msg("A {type} memory says {label} {hint}.", type=type_.name, label=part.label, hint=part.hint)
        for part in missing_parts(type_, document.body)
    ]


def _listing(context: Context, document: Document) -> tuple[list[FileChange], tuple[Message, ...]]:
    """The index change that lists `document`, and a warning when the agent will not load the line."""
    directory, settings = context.directory, context.settings
    rel = TEAM_INDEX if document.scope == "team" else INDEX_NAME
    index = directory.get(rel)
    reason = msg("List “{name}”", name=document.title)
    if index is None:
        # An index that exists is all the agent knows: a new one must not leave the other memories out.
        empty = Document(directory.path_of(rel), rel, b"")
        others = [
            d
            for d in directory.topics()
            if (d.scope == "team") == (document.scope == "team") and d.rel != document.rel
        ]
        others.sort(key=lambda d: (-(d.mtime or 0.0), d.rel))
        lines = [
            entry_line(Shape(), link_path(empty, d), d, settings.entry_info) + "\n"
            for d in (document, *others)
        ]
        return [CreateFile(empty.path, "".join(lines).encode("utf-8", "surrogateescape"), reason)], ()
    edits = additions(directory, index, [document], settings)
    budget = (
        ()
        if fits(directory, index, edits, settings)
        else (
            msg("{index} is full: the agent will not load every line. Merge or shorten entries.", index=rel),
        )
    )
    return [replace(index.edit(*edits), reason=reason)], budget
