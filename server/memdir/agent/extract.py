"""Extraction: from a stretch of a conversation to proposed memories, by a model on a staged copy.

The model never writes: what it changed in the copy becomes items for the inbox, each with the person's own words as
evidence. The caller decides what happens with them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memdir.agent.client_loop import run_tools
from memdir.agent.client_prompts import prompt
from memdir.agent.client_types import ModelClient, Usage
from memdir.agent.conversation import Conversation
from memdir.agent.extract_review import Review, TwoRounds
from memdir.agent.inbox_items import Evidence, Item, ProposedFile, Refused
from memdir.agent.prefix import Caching, job_request
from memdir.agent.staging import Stage
from memdir.agent.toolbox import Toolbox
from memdir.core.consolidate.dates import write_dates
from memdir.core.consolidate.work import Work
from memdir.core.directory import Directory
from memdir.core.document import Document, kind_of
from memdir.core.i18n import Message, msg
from memdir.core.recall import candidate, newest
from memdir.core.recall.manifest import manifest
from memdir.core.rule import Context

MAX_TURNS = 4  # two rounds, one to mend what was refused, one to say that it is done
DEADLINE_SECONDS = 180.0
MAX_CANDIDATES = 300  # memories in the list that the model sees
_MAX_HINTS = 40


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a run found. `said` is the model's last word; `denied` counts refused calls."""

    items: tuple[Item, ...]
    usage: Usage
    said: str = ""
    denied: int = 0


async def extract(
    said: Conversation,
    stage: Stage,
    *,
    client: ModelClient,
    model: str,
    now: datetime,
    known: Sequence[Refused] = (),
    waiting: Sequence[Item] = (),
    types: Collection[str] = (),
    path: str = "",
    max_turns: int = MAX_TURNS,
    deadline: float = DEADLINE_SECONDS,
) -> Extraction:
    """Proposals for what `said` holds and the memories in `stage` do not. Raises ModelError.

    known: what waits in the inbox or was refused; it is not proposed again. path: the session file, for the evidence.
    """
    day = spoken_at(said, now)
    review = Review(said, known, types, day=day.date())
    box = Toolbox(stage, review=review)
    request = job_request(model, prompt("extract"), material(said, stage, now, known, waiting))
    run = await run_tools(
        Caching(client), request, TwoRounds(box), max_turns=min(max_turns, MAX_TURNS), deadline=deadline
    )
    items = tuple(_items(stage, box, review, now, path, day))
    return Extraction(items, run.usage, run.last.text.strip(), len(box.denied))


def material(
    said: Conversation, stage: Stage, now: datetime, known: Sequence[Refused], waiting: Sequence[Item]
) -> list[str]:
    """What the model gets beside its job: the memories there are, what is not wanted, the conversation."""
    documents = [Document("", key, content) for key, content in stage.base.items() if kind_of(key) == "topic"]
    listed, count = manifest(newest((candidate(d, now.tzinfo) for d in documents), MAX_CANDIDATES), now)
    more = (
        f"\n({len(documents) - count} older ones are not listed; search finds them.)"
        if count < len(documents)
        else ""
    )
    day = spoken_at(said, now).strftime("%Y-%m-%d (%A)")
    team = any(key.startswith("team/") for key in stage.base)
    scope = (
        "There is a team directory, team/."
        if team
        else "There is no team directory; write nothing below team/."
    )
    parts = [f"The memories there are:\n\n{listed or '(none)'}{more}\n\n{scope}"]
    hints = [*(i.title for i in waiting if i.kind == "memory")]
    refused = [r.text.strip().split("\n", 1)[0][:200] for r in known if r.kind == "memory" and r.text.strip()]
    if refused or hints:
        names = [f"- {line}" for line in [*map(str, hints), *refused][-_MAX_HINTS:]]
        parts.append(
            "Proposed already, waiting or refused; do not propose these again:\n\n" + "\n".join(names)
        )
    parts.append(f"The messages, the last one of {day}:\n\n{said.lines()}")
    return parts


def spoken_at(said: Conversation, now: datetime) -> datetime:
    """When the last message was said, in the zone of `now`; that is `now` when no message tells."""
    times = [m.time for m in said.messages if m.time is not None]
    return max(times).astimezone(now.tzinfo) if times else now


def _dated(document: Document, day: datetime) -> Document:
    """A new memory with its relative dates written out, as said on `day`: it may be accepted much later."""
    said = Document(document.path, document.rel, document.content, day.timestamp())
    work = Work.of(Context(Directory("", [said]), day))
    write_dates(work)
    return work.directory.documents[document.rel]


def _items(stage: Stage, box: Toolbox, review: Review, now: datetime, path: str, day: datetime) -> list[Item]:
    reasons = box.reasons()
    found = []
    for outcome in stage.outcomes(reasons):
        key = outcome.path.removeprefix(stage.source + "/")
        if outcome.after is None:
            continue
        document = Document(outcome.path, key, outcome.after)
        if outcome.before is None:
            document = _dated(document, day)
        file = ProposedFile(key, outcome.before, document.content, outcome.reasons)
        title: Message = (
            msg("New: {name}", name=document.title)
            if outcome.before is None
            else msg("Change: {name}", name=document.title)
        )
        evidence = tuple(replace(e, path=path) for e in _distinct(review.evidence.get(key, [])))
        found.append(Item("memory", title, now, (file,), evidence, document.type))
    return found


def _distinct(evidence: Sequence[Evidence]) -> list[Evidence]:
    return list(dict.fromkeys(evidence))
