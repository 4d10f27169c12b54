"""Recall for a whole workspace: its memory directory read, its settings obeyed, its records kept.

What the command line and the hook do once per run; the language server keeps its own `Recaller` in step instead and
shares `how_to_ask`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memdir.agent.client import AnthropicClient, has_key, no_key
from memdir.agent.recall import Recaller
from memdir.agent.recall_types import Question, Recall
from memdir.agent.records import RecallRecords
from memdir.core.directory import Directory
from memdir.core.document import Document, kind_of
from memdir.core.i18n import Message
from memdir.core.rule import Context
from memdir.core.settings import Settings
from memdir.store.snapshot import read_bytes, scan
from memdir.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Asking:
    """Whether a model is asked; `without` says why not, if one was wanted."""

    wanted: bool
    without: Message | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with the documents it was chosen from, by relative path."""

    recall: Recall
    documents: Mapping[str, Document]


def how_to_ask(settings: Settings, environ: Mapping[str, str], *, no_model: bool = False) -> Asking:
    """A model is asked when recall by model is on and there is a key."""
    if no_model or not settings.recall.enabled:
        return Asking(False)
    return Asking(True) if has_key(environ) else Asking(False, no_key().message)


def records_for(workspace: Workspace, state_dir: str) -> RecallRecords:
    """The records of the workspace's memory, kept if the settings say so."""
    return RecallRecords(state_dir, workspace.stores[0].root, enabled=workspace.settings.recall.records)


async def recall_once(
    workspace: Workspace,
    question: Question,
    *,
    environ: Mapping[str, str],
    now: datetime,
    no_model: bool = False,
    verify: bool = True,
) -> Answer:
    """Read the memory and answer one question. Limits come from `question`, bounded by the settings.

    verify: whether citations are looked up in the repository. Raises nothing for what a model does. What was read is in
    `Answer.documents`.
    """
    settings = workspace.settings.recall
    root = workspace.stores[0].root
    asking = how_to_ask(workspace.settings, environ, no_model=no_model)
    client = AnthropicClient(environ) if asking.wanted else None
    bounded = replace(
        question, limit=min(question.limit, settings.limit), max_candidates=settings.max_candidates
    )
    recaller = Recaller()
    try:
        loading = asyncio.create_task(client.warm_up()) if client is not None else None
        documents = {d.rel: d for d in await asyncio.to_thread(read_memories, root)}
        recaller.sync(documents.values(), now.tzinfo)
        if loading is not None:  # the deadline is the model's; loading the SDK is ours
            await asyncio.gather(
                loading, return_exceptions=True
            )  # a failure comes again, as the fallback's reason
        found = await recaller.recall(
            bounded,
            now=now,
            client=client,
            model=settings.model,
            deadline=settings.deadline_ms / 1000,
            without_model=asking.without,
        )
    finally:
        if client is not None:
            await client.aclose()
    if verify:
        chosen = Directory(root, [documents[c.rel] for c in found.selected])
        found = await recaller.verified(found, Context(chosen, now, workspace.settings, workspace.project))
    return Answer(found, documents)


def read_memories(root: str) -> list[Document]:
    """The topic files below `root`, without the facts they share: choosing needs none. Unreadable ones are left out."""
    found = []
    for rel, stamp in scan(root).files.items():
        if kind_of(rel) == "topic":
            try:
                content = read_bytes(f"{root}/{rel}")
            except OSError:
                continue
            found.append(Document(f"{root}/{rel}", rel, content, stamp.mtime_ns / 1e9))
    return found
