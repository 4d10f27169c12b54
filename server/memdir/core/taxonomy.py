"""The four types of memory: what each holds, when it is written, how its body is built, where it lives.

One table behind hover, completion, the new-memory flow, saving and the agent's prompt. The set is closed on purpose
(docs/facts/memory-system.md, "What is kept"): open types blur and multiply. One test decides whether something is memory at
all: can it be derived from the project as it is now?
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from memdir.core.i18n import Message, msg
from memdir.core.lazy_re import lazy

TypeName: TypeAlias = Literal["user", "feedback", "project", "reference"]
SaveScope: TypeAlias = Literal["private", "team"]


@dataclass(frozen=True, slots=True)
class Part:
    """A labelled paragraph of a body. The label stays English in every language, as real memories keep it."""

    label: str
    hint: Message


@dataclass(frozen=True, slots=True)
class MemoryType:
    """One type. `team_allowed` is False where memories are always private; `scope_rule` says when which scope fits."""

    name: TypeName
    holds: Message
    when: Message
    body: Message
    parts: tuple[Part, ...]
    default_scope: SaveScope
    team_allowed: bool
    scope_rule: Message
    belongs: tuple[Message, ...]
    elsewhere: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class NotKept:
    """A kind of content that is not memory, and the question that finds what is worth keeping in it."""

    name: str
    what: Message
    instead: Message


WHY = "**Why:**"
HOW = "**How to apply:**"

_USER = MemoryType(
    name="user",
    holds=msg("Who the person is: role, goals, knowledge, preferences of style."),
    when=msg(
        "As soon as something about the person comes to light, and again as it turns out finer than first thought."
    ),
    body=msg("Plain prose: what is so, and what that changes in working with them."),
    parts=(),
    default_scope="private",
    team_allowed=False,
    scope_rule=msg("Always private."),
    belongs=(
        msg("Maintains the audio codec in Rust; reads Python fluently but seldom writes it."),
        msg("Reviews on the train: wants the outcome in the first sentence and short diffs."),
    ),
    elsewhere=(
        msg("Opinions about the person, or anything that does not help the work."),
        msg("How to do a task: that is feedback."),
    ),
)
_FEEDBACK = MemoryType(
    name="feedback",
    holds=msg("How to work here: what the person put right, and what they approved."),
    when=msg(
        "After a correction, and just as much after approval: a “yes, like that”, or an unusual choice that nobody "
        "objects to. Approval is quiet; who records corrections only becomes timid."
    ),
    body=msg("The rule first, then its reason and its reach, so that cases nobody foresaw can be judged."),
    parts=(
        Part(WHY, msg("the reason: what happened, or what the person values")),
        Part(HOW, msg("where the rule applies, and where it ends")),
    ),
    default_scope="private",
    team_allowed=True,
    scope_rule=msg("Private; team only for a convention that everybody on the project follows."),
    belongs=(
        msg("Try migrations on a copy of real data: an empty database hid a broken default twice."),
        msg("The one long table-driven test was welcome; splitting it would have hidden the pattern."),
    ),
    elsewhere=(
        msg("What CLAUDE.md or a rules file says already."),
        msg("A fix for one bug: the code has the fix, its commit the reason."),
    ),
)
_PROJECT = MemoryType(
    name="project",
    holds=msg("Who does what, why and until when; decisions with their motives; constraints from outside."),
    when=msg(
        "As soon as such a fact comes up; “Thursday” is written as its date, or it means nothing next week."
    ),
    body=msg("The fact or decision first, then its motive and its consequences; such facts age fast."),
    parts=(
        Part(WHY, msg("the motive: a deadline, a contract, somebody's request")),
        Part(HOW, msg("what follows from it for plans and proposals")),
    ),
    default_scope="team",
    team_allowed=True,
    scope_rule=msg("Team wherever there is one; private only while it concerns nobody else."),
    belongs=(
        msg("Export format 2 stays frozen until 2026-04-30, because the auditors compare against it."),
        msg("Payments move to the new provider for reasons of contract, so going back is no option."),
    ),
    elsewhere=(
        msg("What git tells: who changed what, and when."),
        msg("Where the task at hand stands: that is out of date tomorrow."),
    ),
)
_REFERENCE = MemoryType(
    name="reference",
    holds=msg("Where to look outside the project: trackers, dashboards, channels, documents."),
    when=msg("As soon as an outside resource and its purpose become known."),
    body=msg("The pointer and what it is good for."),
    parts=(),
    default_scope="team",
    team_allowed=True,
    scope_rule=msg("Usually team; private when it is this person's own."),
    belongs=(
        msg("Complaints about imports arrive in the channel #import-help; search there first."),
        msg("The capacity plan is in the operations wiki under “Storage”; figures in the code are older."),
    ),
    elsewhere=(
        msg("A copy of what is found there: it changes without notice."),
        msg("Passwords and keys to get in."),
    ),
)

TYPES: Mapping[str, MemoryType] = MappingProxyType(
    {t.name: t for t in (_USER, _FEEDBACK, _PROJECT, _REFERENCE)}
)

NOT_KEPT: tuple[NotKept, ...] = (
    NotKept(
        "code",
        msg("What the project shows by itself: patterns, conventions, architecture, paths, layout."),
        msg("What in it would surprise somebody who has just read the code?"),
    ),
    NotKept(
        "history",
        msg("What git keeps: history, recent changes, who changed what."),
        msg("Which decision behind it is written nowhere?"),
    ),
    NotKept(
        "debugging",
        msg("How a bug was fixed: the code has the fix, its commit the story."),
        msg("Which assumption was wrong, and would mislead again?"),
    ),
    NotKept(
        "instructions",
        msg("What CLAUDE.md or a rules file says already."),
        msg("Is something different from what is written there? Then change it there."),
    ),
    NotKept(
        "task-state",
        msg("What passes with the task: its state, its steps, this conversation."),
        msg("What of it will still count when the task is done?"),
    ),
)

_LABEL = lazy(
    r"^[ \t>*+-]*(?:\*\*|__)?(?P<label>why|how[ \t]+to[ \t]+apply)[ \t]*(?:\*\*|__)?[ \t]*[:：][ \t]*(?:\*\*|__)?",
    re.I | re.M,
)
_CANONICAL = {"why": WHY, "how to apply": HOW}


def type_named(name: str) -> MemoryType | None:
    """The type called `name` (case and blanks ignored), None outside the closed set."""
    return TYPES.get(name.strip().casefold())


def missing_parts(type_: MemoryType, body: str) -> tuple[Part, ...]:
    """Labelled paragraphs that `type_` asks for and `body` lacks."""
    present = {_CANONICAL[" ".join(m["label"].casefold().split())] for m in _LABEL.finditer(body)}
    return tuple(p for p in type_.parts if p.label not in present)


def scope_for(type_: MemoryType, *, team: bool, asked: SaveScope | None = None) -> SaveScope:
    """Where a new memory goes. `team`: the repository has a team directory; `asked`: what the person said, if anything.

    Without a word, feedback and user stay private, project and reference go to the team where there is one. ValueError
    for a user memory that is asked into the team.
    """
    if asked == "team" and not type_.team_allowed:
        raise ValueError(f"{type_.name} memories are always private")
    return asked or (type_.default_scope if team else "private")
