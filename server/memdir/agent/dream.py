"""Consolidation by a model: four phases over a staged copy, finished mechanically; the outcome is one proposal.

Orient and Gather may only read. What the model leaves undone or over its limits in dates and indexes is put right by
`core.consolidate.tidy`. Cancelling ends it in any phase with nothing changed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from memdir.agent.client_loop import Run, run_tools
from memdir.agent.client_prompts import prompt
from memdir.agent.client_types import JsonObject, ModelClient, ModelError, ToolResult, Usage
from memdir.agent.prefix import Caching, job_request
from memdir.agent.review import objection
from memdir.agent.staging import Stage
from memdir.agent.toolbox import Toolbox
from memdir.agent.toolbox_sessions import Sessions
from memdir.agent.toolbox_tools import WRITES
from memdir.core.consolidate import Consolidation, completed, consolidation
from memdir.core.directory import Directory
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.lint import check_directory
from memdir.core.recall import candidate, newest
from memdir.core.recall.manifest import manifest
from memdir.core.rule import Context

Phase: TypeAlias = Literal["orient", "gather", "consolidate", "prune"]
# phase -> its share of the turns; what a phase leaves over is there for the next one
PHASES: Mapping[Phase, float] = {"orient": 0.15, "gather": 0.30, "consolidate": 0.35, "prune": 0.20}
TITLES: Mapping[Phase, Message] = {
    "orient": msg("Looking through the memories"),
    "gather": msg("Gathering what is new"),
    "consolidate": msg("Bringing memories together"),
    "prune": msg("Putting the index in order"),
}
DEADLINE_SECONDS = 1800.0  # half of the time after which another process would take the lock
MAX_CANDIDATES = 1_000
_MAX_FINDINGS = 80
# Findings that say something about the truth or use of a memory; the rest is form.
_TELLING = (
    "relative-date", "citation-broken", "citation-drifted", "memory-stale", "near-duplicate", "contradicts-team", "duplicates-instructions",
    "derivable-content", "description-vague", "description-missing", "index-orphan", "index-broken-link", "index-duplicate-entry",
    "index-over-line-limit", "index-over-size-limit", "index-holds-content", "broken-link", "broken-wikilink", "log-rewritten",
)  # fmt: skip
_CLOSED = "Denied: nothing is changed in this step; changes begin in step 3."


@dataclass(frozen=True, slots=True)
class Step:
    """Where a run is: `number` of `of` phases, and the turn in it."""

    phase: Phase
    number: int
    of: int
    turn: int
    usage: Usage

    @property
    def title(self) -> Message:
        return TITLES[self.phase]


@dataclass(frozen=True, slots=True)
class Dream:
    """What a run came to. `summary` is the model's last word for the person; `denied` counts refused calls."""

    consolidation: Consolidation
    usage: Usage
    summary: str
    turns: int
    denied: int = 0


async def dream(
    stage: Stage,
    context: Context,
    *,
    client: ModelClient,
    model: str,
    turns: int,
    sessions: Mapping[str, str] | None = None,
    progress: Callable[[Step], None] = lambda step: None,
    deadline: float = DEADLINE_SECONDS,
) -> Dream:
    """Consolidate the memories in `stage`. `context` looks at the same memories; `turns` is the most model calls.

    sessions: transcripts that may be searched, id -> path, newest first. Raises ModelError.
    """
    types = context.settings.extend_types
    box = Toolbox(stage, Sessions(sessions or {}), review=lambda write: objection(write, types))
    box.close(WRITES, _CLOSED)
    work = _Work(client, model, box, turns, progress)
    try:
        async with asyncio.timeout(deadline):
            for phase in PHASES:
                if phase == "consolidate":
                    box.open(WRITES)
                await work.phase(phase, _material(phase, context))
    except TimeoutError:
        raise ModelError("timeout", msg("The model did not finish in time.")) from None
    outcomes = await asyncio.to_thread(lambda: completed(context, stage.outcomes(box.reasons())))
    notes = (msg("{text}", text=work.summary),) if work.summary else ()
    found = await asyncio.to_thread(consolidation, context.directory, outcomes, notes)
    return Dream(found, work.usage, work.summary, work.turns, len(box.denied))


class _Work:
    """The conversation over all phases."""

    def __init__(
        self, client: ModelClient, model: str, box: Toolbox, turns: int, progress: Callable[[Step], None]
    ) -> None:
        self._client = Caching(client)
        self._model = model
        self._box = box
        self._left = turns
        self._share = turns
        self._progress = progress
        self._messages: list[JsonObject] = []
        self._open: list[
            JsonObject
        ] = []  # answers owed to calls that were made as the turns of a phase ran out
        self.usage = Usage()
        self.turns = 0
        self.summary = ""

    async def phase(self, phase: Phase, material: Sequence[str]) -> None:
        """Give the model its next step and let it work."""
        number = list(PHASES).index(phase) + 1
        last = number == len(PHASES)
        turns = (
            self._left
            if last
            else min(max(round(self._share * PHASES[phase]), 2), self._left - (len(PHASES) - number))
        )
        if turns < 1:
            raise ModelError(
                "cut", msg("The turns of the consolidation are used up; raise agent.consolidate-turns.")
            )
        request = job_request(self._model, prompt(f"dream_{phase}"), material)
        content = [*self._open, *request.messages[0]["content"]]
        self._messages.append({"role": "user", "content": content})
        self._progress(Step(phase, number, len(PHASES), 0, self.usage))
        before = self.usage
        run = await run_tools(
            self._client,
            replace(request, messages=tuple(self._messages)),
            self._box.handle,
            max_turns=turns,
            on_turn=lambda turn, reply, usage: self._progress(
                Step(phase, number, len(PHASES), turn, before + usage)
            ),
        )
        self._take(run)

    def _take(self, run: Run) -> None:
        self.usage += run.usage
        self.turns += run.turns
        self._left -= run.turns
        self.summary = run.last.text.strip()
        self._messages = list(run.messages)
        self._open = [
            ToolResult(call.id, "This step is over; it was not carried out.", True).block()
            for call in (() if run.finished else run.last.calls)
        ]


def _material(phase: Phase, context: Context) -> list[str]:
    if phase == "orient":
        return [_overview(context), _findings(context)]
    if phase == "gather":
        logs = sorted((d.rel for d in context.directory if d.kind == "log"), reverse=True)
        return ["Daily logs:\n\n" + ("\n".join(logs[:60]) or "(none)")]
    return []


def _overview(context: Context) -> str:
    directory, now = context.directory, context.now
    topics = list(directory.topics())
    listed, count = manifest(newest((candidate(d, now.tzinfo) for d in topics), MAX_CANDIDATES), now)
    more = f"\n({len(topics) - count} older ones are not listed here.)" if count < len(topics) else ""
    indexes = "\n\n".join(
        f"{d.rel}:\n{json.dumps(d.text[:30_000], ensure_ascii=False)}" for d in directory.indexes()
    )
    text = f"Today is {now:%Y-%m-%d (%A)}.\n\nThe memories:\n\n{listed or '(none)'}{more}\n\n{indexes}"
    return text.replace("<", "\\u003c").encode("utf-8", "replace").decode()


def _findings(context: Context) -> str:
    settings = replace(context.settings, select=_TELLING)
    lines = []
    for document, found in check_directory(replace(context, settings=settings)):
        for diagnostic in found:
            line = document.lines.line_of(diagnostic.span.start) + 1
            lines.append(f"{document.rel}:{line}: {diagnostic.message}")
            if len(lines) >= _MAX_FINDINGS:
                return _listed(lines)
    return _listed(lines)


def _listed(lines: list[str]) -> str:
    if not lines:
        return ""
    text = "What the checks found:\n\n" + "\n".join(" ".join(line.split())[:300] for line in lines)
    return text.replace("<", "\\u003c").encode("utf-8", "replace").decode()


def context_of(stage: Stage, like: Context, now: datetime) -> Context:
    """A context over exactly what was staged, so that the proposal is judged against the bases it carries."""
    directory = Directory(stage.source, orphan_group=like.directory.orphan_group)
    for key, content in stage.base.items():
        known = like.directory.get(key)
        directory.put(Document(f"{stage.source}/{key}", key, content, known.mtime if known else None))
    return replace(like, directory=directory, now=now)
