"""The project that a command is about: its memory and its sessions."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.cli.place import absolute, add_place_arguments, environment
from memdir.core.i18n import msg

if TYPE_CHECKING:
    from memdir.store.workspace import Workspace


def add_project_arguments(parser: argparse.ArgumentParser, *, session: bool = False) -> None:
    """--cwd and what moves memory; with `session` also --session."""
    if session:
        parser.add_argument(
            "--session",
            metavar="ID|PATH",
            help=str(msg("The session (default: the latest one of this repository).")),
        )
    parser.add_argument(
        "--cwd", metavar="DIR", help=str(msg("Directory of the project (default: the current one)."))
    )
    add_place_arguments(parser)


def open_project(args: argparse.Namespace, env: CliEnv) -> Workspace:
    """The memory of --cwd, by default of the current directory; without that of its agents."""
    from memdir.store.workspace import open_workspace

    cwd = absolute(env, getattr(args, "cwd", None))
    return open_workspace(cwd, environment(env, cwd, args), agents=False)


def open_session(args: argparse.Namespace, env: CliEnv) -> tuple[Workspace, str] | int:
    """The same, and the session file that --session means; the exit code when there is none (that is told)."""
    workspace = open_project(args, env)
    session = session_of(env, workspace, args.session)
    if session is None:
        return env.error(msg("There is no such session here; give its id or the path of its file."))
    return workspace, session


def session_of(env: CliEnv, workspace: Workspace, given: str | None) -> str | None:
    """The session file that `given` means (a path or an id), by default the latest one of the repository; None: there is none."""
    from memdir.store.transcripts_find import find_sessions

    if given:
        path = os.path.normpath(os.path.join(env.cwd, given))
        if path.endswith(".jsonl") and os.path.isfile(path):
            return path
    found = find_sessions(workspace.location)
    if given:
        found = [s for s in found if s.id == given]
    return found[0].path if found else None
