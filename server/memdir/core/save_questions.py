"""What a person should decide before something is saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from memdir.core.directory import Directory
from memdir.core.i18n import Message, msg
from memdir.core.model import Diagnostic
from memdir.core.subject import Candidate, on_subject
from memdir.core.taxonomy import NOT_KEPT, SaveScope

QuestionKind: TypeAlias = Literal["duplicate", "derivable", "instructions", "team-feedback"]

# Rules whose finding means: perhaps this is no memory.
ASKED: dict[str, QuestionKind] = {
    "derivable-content": "derivable",
    "duplicates-instructions": "instructions",
}


@dataclass(frozen=True, slots=True)
class Question:
    """Something to decide before saving; saving all the same is allowed. `candidates` are the memories it is about."""

    kind: QuestionKind
    message: Message
    candidates: tuple[Candidate, ...] = ()


def content_questions(diagnostics: Iterable[Diagnostic]) -> Iterable[Question]:
    """Whether it is memory at all, as the rules in `ASKED` see it."""
    ask = {n.name: n.instead for n in NOT_KEPT}
    for diagnostic in diagnostics:
        kind = ASKED.get(diagnostic.rule)
        if kind == "derivable":
            yield Question(
                kind, msg("{finding} {question}", finding=diagnostic.message, question=ask["code"])
            )
        elif kind == "instructions":
            yield Question(
                kind, msg("{finding} {question}", finding=diagnostic.message, question=ask["instructions"])
            )


def subject_questions(
    directory: Directory, type_: str, name: str, description: str, scope: SaveScope
) -> Iterable[Question]:
    """Existing memories on the subject, and team feedback that a private one may contradict."""
    found = on_subject(directory, name, description)
    if found:
        names = ", ".join(c.rel for c in found)
        yield Question(
            "duplicate",
            msg("There is a memory on this already: {files}. Update it rather than adding one.", files=names),
            found,
        )
    if type_ == "feedback" and scope == "private":
        known = {c.rel for c in found}
        rules = [
            d for d in directory.topics() if d.scope == "team" and d.type == "feedback" and d.rel not in known
        ]
        near = on_subject(directory, name, description, among=rules, loosely=True)
        if near:
            names = ", ".join(c.rel for c in near)
            yield Question(
                "team-feedback",
                msg(
                    "The team has feedback on this: {files}. If yours differs, say in it that and why it does.",
                    files=names,
                ),
                near,
            )
