"""`memdir notes`: the notes of the running session: show them, update them, go on from them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.cli.project import add_project_arguments, open_session
from memdir.core.i18n import msg

if TYPE_CHECKING:
    from memdir.store.workspace import Workspace

NAME = "notes"
HELP = msg("Show or update the notes of a session, or go on from them.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """show (default), update, compact."""
    parser.add_argument(
        "action",
        nargs="?",
        default="show",
        choices=("show", "update", "compact"),
        help=str(msg("show them, update them now, or print what a compacted session goes on with.")),
    )
    add_project_arguments(parser, session=True)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: done; 1: there are no notes, or notes are off; 2: there is no such session, or it failed."""
    found = open_session(args, env)
    if isinstance(found, int):
        return found
    workspace, session = found
    if args.action == "show":
        return _show(env, session)
    return _update(env, workspace, session) if args.action == "update" else _compact(env, workspace, session)


def _show(env: CliEnv, session: str) -> int:
    from memdir.agent.notes_store import NotesFile

    text = NotesFile(session, env.state_dir).read()
    if text is None:
        env.stderr.write(env.text(msg("There are no notes of this session.")) + "\n")
        return 1
    env.stdout.write(text)
    return 0


def _update(env: CliEnv, workspace: Workspace, session: str) -> int:
    from memdir.agent.notes_job import update_notes
    from memdir.cli.model import run_with_client, usage_line, without_model

    report = run_with_client(
        env,
        lambda client: update_notes(
            workspace, session, state_dir=env.state_dir, clock=env.now, client=client, force=True
        ),
        use=without_model(env, no_model=False) is None,
    )
    if report.status in ("off", "busy"):
        env.stderr.write(env.text(report.why or msg("It failed.")) + "\n")
        return 1
    if report.status in ("failed", "refused"):
        return env.error(report.why or msg("It failed."))
    done = (
        msg("The notes are up to date.") if report.status == "updated" else msg("There was nothing to note.")
    )
    env.out(env.text(done))
    line = usage_line(env, report.usage, workspace.settings.agent.model)
    if line:
        env.out(line)
    return 0


def _compact(env: CliEnv, workspace: Workspace, session: str) -> int:
    from memdir.agent.client_types import ModelError
    from memdir.agent.notes_compact import CompactError, compact
    from memdir.cli.model import run_with_client, usage_line, without_model

    try:
        found = run_with_client(
            env,
            lambda client: compact(workspace, session, state_dir=env.state_dir, client=client),
            use=without_model(env, no_model=False) is None,
        )
    except (CompactError, ModelError) as error:
        return env.error(error.message)
    if found.why is not None:
        env.stderr.write(env.text(msg("A model wrote the summary: {reason}", reason=found.why)) + "\n")
    env.stdout.write(found.text)
    line = usage_line(env, found.usage, workspace.settings.agent.model)
    if line:
        env.stderr.write(line + "\n")
    return 0
