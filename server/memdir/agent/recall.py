"""Recall: the at most five memories that help with a query, chosen by a model, or by their words when there is none.

A `Recaller` belongs to one memory directory and is kept in step with it document by document. `recall` answers one
question; `Prefetch` runs one beside the caller's own work and drops an answer that comes too late.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from itertools import islice

from memdir.agent.client_types import ModelClient, ModelError
from memdir.agent.recall_caveat import broken_citations, caveat
from memdir.agent.recall_select import Selection, select
from memdir.agent.recall_types import MAX_SELECTED, Choice, Missed, Question, Recall
from memdir.core.document import Document
from memdir.core.i18n import Message, msg
from memdir.core.recall import Candidate, FieldName, Hit, Ranking, RecallIndex, candidate, fields_of, newest
from memdir.core.recall.usage_notes import is_usage_note, tool_words
from memdir.core.rule import Context

BODY_UP_TO = 2000  # memories; beyond, bodies would cost the index more memory than they add to recall
_MISSED = 5

FIELD_NAMES: dict[FieldName, Message] = {
    "name": msg("name"),
    "description": msg("description"),
    "stem": msg("file name"),
    "type": msg("type"),
    "headings": msg("headings"),
    "body": msg("text"),
}


@dataclass(slots=True)
class Recaller:
    """Memories of one directory, ready to be asked for. Not thread-safe. `clock` gives seconds, for latencies."""

    clock: Callable[[], float] = time.monotonic
    _index: RecallIndex = field(default_factory=RecallIndex)
    _documents: dict[str, Document] = field(default_factory=dict)
    _candidates: dict[str, Candidate] = field(default_factory=dict)
    _order: tuple[str, ...] | None = None  # newest first; None after a change

    def __len__(self) -> int:
        return len(self._documents)

    def update(self, document: Document, zone: tzinfo | None = None, *, body: bool = True) -> None:
        """Add or replace a memory; indexes and logs are none.

        zone: where a day without a time is meant. body: whether its text is searched, beside header and headings.
        """
        if document.kind != "topic":
            self.remove(document.rel)
        elif self._documents.get(document.rel) is not document:
            found = candidate(document, zone)
            self._order = None
            self._documents[document.rel] = document
            self._candidates[document.rel] = found
            self._index.update(document.rel, fields_of(document, found, body=body))

    def remove(self, rel: str) -> None:
        """Forget a memory; unknown ones are fine."""
        if self._documents.pop(rel, None) is not None:
            self._order = None
            del self._candidates[rel]
            self._index.remove(rel)

    def sync(self, documents: Iterable[Document], zone: tzinfo | None = None) -> None:
        """Bring everything in step with `documents`; those that have not changed since cost nothing."""
        present = {d.rel: d for d in documents}
        for rel in [r for r in self._documents if r not in present]:
            self.remove(rel)
        body = len(present) <= BODY_UP_TO
        for document in present.values():
            self.update(document, zone, body=body)

    async def recall(
        self,
        question: Question,
        *,
        now: datetime,
        client: ModelClient | None = None,
        model: str = "",
        deadline: float = 4.0,
        without_model: Message | None = None,
        context: Context | None = None,
    ) -> Recall:
        """The answer to `question`; never raises for what a model does.

        client: None compares words; `without_model` then says why, if a model was wanted. deadline: seconds for the
        model, after which words decide. context: where citations are verified; None leaves them alone.
        """
        start = self.clock()
        answer = await self._answer(question, now, client, model, deadline, without_model)
        if context is not None:
            answer = await self.verified(answer, context)
        return replace(answer, latency_ms=(self.clock() - start) * 1000)

    async def verified(self, answer: Recall, context: Context) -> Recall:
        """`answer` with the citations that lead nowhere now named in the caveats. Reads the disk, in a thread."""

        def look() -> tuple[Choice, ...]:
            out = []
            for one in answer.selected:
                document = self._documents.get(one.rel)
                broken = broken_citations(document, context) if document and one.caveat else ()
                out.append(replace(one, broken=broken, caveat=caveat(one.days, broken)) if broken else one)
            return tuple(out)

        return replace(answer, selected=await asyncio.to_thread(look))

    async def _answer(
        self,
        question: Question,
        now: datetime,
        client: ModelClient | None,
        model: str,
        deadline: float,
        without_model: Message | None,
    ) -> Recall:
        fallback = without_model
        if client is not None and question.query.strip():
            found = self._offered(question)
            try:
                selection = await select(client, model, question, found, now, deadline) if found else None
            except ModelError as error:
                fallback = error.message
            else:
                if selection is not None:
                    return self._by_model(question, selection, now)
        return self._by_words(question, now, fallback)

    def _offered(self, question: Question) -> list[Candidate]:
        """What a model may choose from: the newest, without usage notes of tools in use."""
        words = tool_words(question.tools)
        kept = (c for rel in self._newest() if not is_usage_note(c := self._candidates[rel], words))
        return list(islice(kept, question.max_candidates))

    def _newest(self) -> tuple[str, ...]:
        """All memories, newest first, equal ones by name."""
        if self._order is None:
            self._order = tuple(c.rel for c in newest(self._candidates.values(), len(self._candidates)))
        return self._order

    def _by_model(self, question: Question, selection: Selection, now: datetime) -> Recall:
        limit = min(question.limit, MAX_SELECTED)
        ranking = self._index.search(question.query, MAX_SELECTED, exclude=question.shown, extra=_MISSED)
        scores = {h.rel: h.score for h in (*ranking.hits, *ranking.rest)}
        matching = {h.rel for h in ranking.hits}
        selected: list[Choice] = []
        missed: list[Missed] = []
        for rel, why in selection.chosen:
            score = scores.get(rel, 0.0)
            if rel in question.shown:
                missed.append(self._missed(rel, score, msg("shown earlier in this session")))
            elif self._candidates[rel].addressed and rel not in matching:
                missed.append(
                    self._missed(
                        rel,
                        score,
                        msg("it tells whoever chooses to choose it, and nothing else in it matches"),
                    )
                )
            elif len(selected) >= limit:
                missed.append(self._missed(rel, score, msg("only {limit} are given at once", limit=limit)))
            else:
                selected.append(self._choice(rel, score, msg("the model: {why}", why=why or "-"), now))
        named = {rel for rel, _ in selection.chosen}
        offered = set(selection.offered)
        for hit in (*ranking.hits, *ranking.rest):
            if hit.rel not in named and len(missed) < _MISSED:
                reason = (
                    msg("the model left it out")
                    if hit.rel in offered
                    else self._not_offered(hit.rel, question)
                )
                missed.append(self._missed(hit.rel, hit.score, reason))
        return Recall(tuple(selected), tuple(missed), "model", selection.offered, 0.0, None, selection.usage)

    def _not_offered(self, rel: str, question: Question) -> Message:
        if is_usage_note(self._candidates[rel], tool_words(question.tools)):
            return msg("it explains a tool that is in use")
        return msg("older than the newest {count}, which were considered", count=question.max_candidates)

    def _by_words(self, question: Question, now: datetime, fallback: Message | None) -> Recall:
        words = tool_words(question.tools)
        usage = {c.rel for c in self._candidates.values() if is_usage_note(c, words)} if words else set()
        barred = {*question.shown, *usage}
        limit = min(question.limit, MAX_SELECTED)
        ranking = self._index.search(question.query, limit, exclude=barred, extra=_MISSED)
        selected = tuple(
            self._choice(h.rel, h.score, self._matches(question.query, h.rel), now) for h in ranking.hits
        )
        missed = [self._missed(h.rel, h.score, self._why_not(question, h, limit)) for h in ranking.rest]
        missed += self._barred(question, ranking, usage)
        offered = tuple(rel for rel in self._newest() if rel not in barred) if barred else self._newest()
        return Recall(selected, tuple(missed[:_MISSED]), "lexical", offered, 0.0, fallback)

    def _barred(self, question: Question, ranking: Ranking, usage: set[str]) -> list[Missed]:
        """What would have been chosen, had it not been shown already or been a usage note."""
        barred = {r for r in (*question.shown, *usage) if r in self._documents}
        if not barred or len(ranking.rest) >= _MISSED:
            return []
        return [
            self._missed(
                h.rel,
                h.score,
                msg("it explains a tool that is in use")
                if h.rel in usage
                else msg("shown earlier in this session"),
            )
            for h in self._index.search(question.query, only=barred).hits
        ]

    def _why_not(self, question: Question, hit: Hit, limit: int) -> Message:
        if hit.verdict == "limit":
            return msg("only {limit} are given at once", limit=limit)
        return msg("too little matches: {match}", match=self._matches(question.query, hit.rel))

    def _matches(self, query: str, rel: str) -> Message:
        """'description: deploy, friday' of the field that matches best."""
        found = self._index.explain(query, rel)
        if not found:
            return msg("nothing")
        name, words = found[0]
        return msg("{field}: {words}", field=FIELD_NAMES[name], words=", ".join(words[:8]))

    def _choice(self, rel: str, score: float, reason: Message, now: datetime) -> Choice:
        document, found = self._documents[rel], self._candidates[rel]
        days = found.days(now)
        return Choice(rel, document.path, document.title, found.type, days, score, reason, caveat(days))

    def _missed(self, rel: str, score: float, reason: Message) -> Missed:
        document = self._documents[rel]
        return Missed(rel, document.path, document.title, score, reason)


class Prefetch:
    """A recall that runs while its caller goes on. Make it inside a running event loop."""

    def __init__(self, work: asyncio.Task[Recall]) -> None:
        self._work = work
        self._given = False

    @property
    def done(self) -> bool:
        """The answer is there, or will never be."""
        return self._work.done()

    async def take(self, wait: float = 0.0) -> Recall | None:
        """The answer, if it comes within `wait` seconds; else None, and the work is cancelled: too late is never.

        Only the first call can get it.
        """
        if self._given:
            return None
        self._given = True
        done, _ = await asyncio.wait({self._work}, timeout=wait)
        if not done:
            self._work.cancel()
            return None
        if self._work.cancelled():
            return None
        return self._work.result()

    def cancel(self) -> None:
        """The caller moved on: stop, and never deliver."""
        self._given = True
        self._work.cancel()
