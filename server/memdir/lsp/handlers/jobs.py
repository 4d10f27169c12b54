"""The memory jobs as commands: which function carries out which. Their modules are imported when a job first runs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from memdir.lsp import ext_jobs
from memdir.lsp.params import argument

if TYPE_CHECKING:
    from memdir.lsp.server import MemdirServer

# command -> module in memdir.lsp.jobs and function(server, argument of the command)
COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    ext_jobs.SAVE: ("save", "save"),
    ext_jobs.SAVE_SELECTION: ("selection", "save_selection"),
    ext_jobs.FORGET: ("save", "forget"),
    ext_jobs.LOG: ("save", "log"),
    ext_jobs.CHANGES: ("undo", "changes"),
    ext_jobs.UNDO: ("undo", "undo"),
    ext_jobs.REFACTOR: ("offers", "refactor"),
    ext_jobs.DESCRIBE: ("describe", "describe"),
    ext_jobs.RECALL: ("recall", "recall"),
    ext_jobs.PREPARE_RECALL: ("recall", "prepare"),
    ext_jobs.JUDGE_RECALL: ("recall", "judge"),
    ext_jobs.DOCTOR: ("doctor", "doctor"),
    ext_jobs.REVIEWS: ("review", "reviews"),
    ext_jobs.REVIEW: ("review", "review"),
    ext_jobs.ACCEPT: ("review", "accept"),
    ext_jobs.REFUSE: ("review", "refuse"),
    ext_jobs.CONSOLIDATE: ("consolidation", "consolidate"),
    ext_jobs.MERGE: ("consolidation", "merge"),
    ext_jobs.EXTRACT: ("extraction", "extract"),
    ext_jobs.INBOX: ("inbox", "inbox"),
    ext_jobs.INBOX_ACCEPT: ("inbox", "accept"),
    ext_jobs.INBOX_EDIT: ("inbox", "edit"),
    ext_jobs.INBOX_MERGE: ("clash", "merge"),
    ext_jobs.INBOX_REFUSE: ("inbox", "refuse"),
    ext_jobs.NOTES: ("notes", "notes"),
    ext_jobs.CONTINUE: ("notes", "continue_session"),
    ext_jobs.JOBS: ("states", "states"),
    ext_jobs.TEAM_STATUS: ("team", "status"),
    ext_jobs.TEAM_PULL: ("team", "pull"),
    ext_jobs.TEAM_PUSH: ("team", "push"),
    ext_jobs.TEAM_TOKEN: ("team", "token"),
    ext_jobs.TEAM_CONFLICT: ("team_review", "conflict"),
    ext_jobs.TEAM_RESOLVE: ("team_review", "resolve"),
    ext_jobs.TEAM_HELD: ("team_review", "held"),
    ext_jobs.TEAM_JUDGE: ("team_review", "judge"),
}


def register(server: MemdirServer) -> None:
    """Register the commands."""
    for name, (module, function) in COMMANDS.items():
        _register(server, name, module, function)


def _register(server: MemdirServer, name: str, module: str, function: str) -> None:
    @server.command(name)
    async def run(*arguments: Any) -> Any:
        work = getattr(importlib.import_module(f"memdir.lsp.jobs.{module}"), function)
        return await work(server, argument(arguments))
