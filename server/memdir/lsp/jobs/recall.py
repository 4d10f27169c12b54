"""Recall: which memories help with a query, asked of a directory that is kept ready; and judging what came."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memdir.agent.recall import Recaller
from memdir.agent.recall_service import Asking, how_to_ask, records_for
from memdir.agent.recall_types import MAX_SELECTED, Question, Recall
from memdir.core.age import age_words
from memdir.core.directory import Directory
from memdir.core.i18n import msg
from memdir.lsp.buffers import path_of
from memdir.lsp.failure import JobError
from memdir.lsp.jobs.site import Site, site_of
from memdir.lsp.params import text_of

if TYPE_CHECKING:
    from memdir.core.document import Document
    from memdir.core.facts import ProjectFacts
    from memdir.core.rule import Context
    from memdir.lsp import ext_jobs
    from memdir.lsp.jobs.side import Side
    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)

RECHECK_UP_TO = 1000  # memories; beyond, what the records say of them is looked at with their next change


class Recallers:
    """One `Recaller` per memory directory. Use it on the side loop only."""

    def __init__(self) -> None:
        self._known: dict[str, Recaller] = {}

    def of(self, root: str) -> Recaller:
        """The recaller of a memory directory, to be brought in step by the caller."""
        return self._known.setdefault(root, Recaller())


async def prepare(server: MemdirServer, given: Mapping[str, Any]) -> None:
    """Get ready while the person still writes the query: read the memories into the index, load the model's SDK."""
    site = await site_of(server, given)
    await site.loaded()
    asking = how_to_ask(site.settings, server.world.environ)
    documents = topics(site)
    side = server.jobs.side

    async def work() -> None:
        server.jobs.recallers.of(site.root).sync(documents, site.now.tzinfo)
        if asking.wanted:
            await _load(side)

    await side.run(work)


async def recall(server: MemdirServer, given: Mapping[str, Any]) -> ext_jobs.RecallAnswer:
    """Answer `query` with at most `limit` memories; `noModel` compares words only. `session` and `tools` as for the hook."""
    site = await site_of(server, given)
    query = text_of(given, "query")
    if not query.strip():
        raise JobError(msg("Nothing to look for: give a query."))
    await site.loaded()
    asking = how_to_ask(site.settings, server.world.environ, no_model=given.get("noModel") is True)
    session = text_of(given, "session")
    limit = given.get("limit")
    question = Question(
        query,
        (),
        _names(given.get("tools")),
        min(limit, MAX_SELECTED) if isinstance(limit, int) and limit > 0 else site.settings.recall.limit,
        site.settings.recall.max_candidates,
    )
    documents = topics(site)
    context = replace(site.context(), project=_repository(site))
    found = await server.jobs.side.run(lambda: _ask(site, question, documents, context, asking, session))
    _recorded(site)
    return _answer(site, found)


async def judge(server: MemdirServer, given: Mapping[str, Any]) -> bool:
    """Note that a result (`recall`: its number, `uri` or `file`) was `right` or wrong; false when no records are kept."""
    site = await site_of(server, given)
    ident, rel = text_of(given, "recall"), text_of(given, "file")
    path = path_of(text_of(given, "uri"))
    if path is not None:
        rel = site.memory.store.rel_of(path) or rel
    if not ident or not rel:
        raise JobError(msg("There is no such result to judge."))
    records = records_for(site.folder.workspace, site.state_dir)
    right = given.get("right") is True

    async def work() -> bool:
        return records.mark(ident, rel, right=right, now=site.now)

    done = await server.jobs.side.run(work)
    _recorded(site)
    return done


def topics(site: Site) -> list[Document]:
    """The memories as they are now, open ones as their editors show them."""
    site.server.session.scheduler.flush()
    return list(site.memory.store.directory.topics())


async def _ask(
    site: Site,
    question: Question,
    documents: Sequence[Document],
    context: Context,
    asking: Asking,
    session: str,
) -> Recall:
    """On the side loop."""
    side, settings, now = site.server.jobs.side, site.settings.recall, site.now
    records = records_for(site.folder.workspace, site.state_dir)
    question = replace(question, shown=records.shown(session))
    recaller = site.server.jobs.recallers.of(site.root)
    recaller.sync(documents, now.tzinfo)
    if asking.wanted:
        await _load(side)  # the deadline is the model's; loading the SDK is ours
    found = await recaller.recall(
        question,
        now=now,
        client=side.client if asking.wanted else None,
        model=settings.model,
        deadline=settings.deadline_ms / 1000,
        without_model=asking.without,
    )
    chosen = {c.rel for c in found.selected}
    few = Directory(site.root, [d for d in documents if d.rel in chosen])
    found = await recaller.verified(found, replace(context, directory=few))
    return replace(found, id=records.add(found, now=now, session=session))


def _repository(site: Site) -> ProjectFacts:
    """The repository to look citations up in, for a thread of its own (the session's may ask git on the reader's loop)."""
    from memdir.store.project import Repository

    location = site.folder.workspace.location
    roots = tuple(dict.fromkeys((location.top, location.owner)))
    return Repository(roots, memory_dir=site.root, environ=site.server.world.environ)


async def _load(side: Side) -> None:
    """Load the SDK; a failure comes again, as the reason of the fallback."""
    from memdir.agent.client_types import ModelError

    try:
        await side.client.warm_up()
    except ModelError as error:
        logger.debug("The model's SDK is not ready: %s", error)


def _recorded(site: Site) -> None:
    """The records changed: what rules say of them is out of date."""
    site.folder.workspace.forget_recalls()
    if len(site.memory.store.directory.documents) <= RECHECK_UP_TO:
        site.server.session.recheck_all(site.memory)


def _answer(site: Site, found: Recall) -> ext_jobs.RecallAnswer:
    notes = []
    location = site.folder.workspace.location
    if not location.enabled:
        notes.append(
            msg(
                "Memory is switched off by {source}, so the agent sees none of this.",
                source=location.enabled_by,
            )
        )
    if found.usage is not None:
        from memdir.agent.client_types import describe_usage, parse_prices, price_of

        price = price_of(site.settings.recall.model, parse_prices(site.settings.agent.prices))
        notes.append(describe_usage(found.usage, price.cost(found.usage) if price else None))
    return {
        "id": found.id,
        "method": found.method,
        "candidates": len(found.offered),
        "latencyMs": round(found.latency_ms, 1),
        "fallback": site.text(found.fallback) if found.fallback else None,
        "selected": [
            {
                "uri": site.uri(c.path),
                "file": c.rel,
                "name": c.name,
                "type": c.type,
                "age": site.text(age_words(c.days)),
                "score": round(c.score, 3),
                "reason": site.text(c.reason),
                "caveat": site.text(c.caveat) if c.caveat else None,
            }
            for c in found.selected
        ],
        "missed": [
            {
                "uri": site.uri(m.path),
                "file": m.rel,
                "name": m.name or os.path.basename(m.rel),
                "score": round(m.score, 3),
                "reason": site.text(m.reason),
            }
            for m in found.missed
        ],
        "notes": [site.text(n) for n in notes],
    }


def _names(value: object) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()
