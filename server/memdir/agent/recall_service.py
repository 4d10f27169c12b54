"""Recall for a whole workspace: its memory directory read, its settings obeyed, its records kept.

What the command line and the hook do once per run; the language server keeps its own `Recaller` in step instead and
shares `how_to_ask`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memdir.agent.client import AnthropicClient, has_key, no_key
from memdir.agent.recall import Recaller
from memdir.agent.recall_types import Question, Recall
from memdir.agent.records import RecallRecords
from memdir.core.i18n import Message
from memdir.core.settings import Settings
from memdir.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Asking:
    """Whether a model is asked; `without` says why not, if one was wanted."""

    wanted: bool
    without: Message | None = None


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
) -> Recall:
    """Read the memory and answer one question. Limits come from `question`, bounded by the settings.

    verify: whether citations are looked up in the repository. Raises nothing for what a model does.
    """
    store = workspace.stores[0]
    store.refresh()
    settings = workspace.settings.recall
    recaller = Recaller()
    recaller.sync(store.directory.topics(), now.tzinfo)
    asking = how_to_ask(workspace.settings, environ, no_model=no_model)
    client = AnthropicClient(environ) if asking.wanted else None
    bounded = replace(
        question, limit=min(question.limit, settings.limit), max_candidates=settings.max_candidates
    )
    try:
        return await recaller.recall(
            bounded,
            now=now,
            client=client,
            model=settings.model,
            deadline=settings.deadline_ms / 1000,
            without_model=asking.without,
            context=workspace.context(store, now) if verify else None,
        )
    finally:
        if client is not None:
            await client.aclose()
