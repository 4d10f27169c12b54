"""`memdir extract`: look through what is new in a session for what should be remembered."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.cli.project import add_project_arguments, open_session
from memdir.core.i18n import msg

if TYPE_CHECKING:
    from memdir.agent.extract_job import Report
    from memdir.store.workspace import Workspace

NAME = "extract"
HELP = msg("Look through a session for what should be remembered; proposals go to the inbox.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--session, --no-model, --after-turn, --json, --cwd."""
    parser.add_argument("--no-model", action="store_true", help=str(msg("Look for signals, ask no model.")))
    parser.add_argument(
        "--after-turn",
        action="store_true",
        help=str(msg("Do all that follows a finished turn: also notes, and a consolidation when it is due.")),
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))
    add_project_arguments(parser, session=True)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: done or nothing new; 1: extraction is off; 2: there is no such session, or it failed."""
    from memdir.agent.after_turn import after_turn
    from memdir.agent.extract_job import extract_session
    from memdir.cli.model import run_with_client, without_model

    found = open_session(args, env)
    if isinstance(found, int):
        return found
    workspace, session = found
    without = without_model(env, no_model=args.no_model)
    if args.after_turn:
        done = run_with_client(
            env,
            lambda client: after_turn(
                workspace, session, state_dir=env.state_dir, clock=env.now, client=client
            ),
            use=without is None,
        )
        report = done.extraction
        for why in (done.notes.why, done.consolidation.why):
            if why is not None:
                env.stderr.write(env.text(why) + "\n")
    else:
        report = run_with_client(
            env,
            lambda client: extract_session(
                workspace, session, state_dir=env.state_dir, clock=env.now, client=client
            ),
            use=without is None,
        )
    if args.json:
        _print_json(report, env, workspace, session)
    else:
        _tell(report, env, workspace)
    return {"off": 1, "failed": 2}.get(report.status, 0)


def _tell(report: Report, env: CliEnv, workspace: Workspace) -> None:
    from memdir.cli.inbox import line_of
    from memdir.cli.model import usage_line

    if report.status in ("off", "failed"):
        env.stderr.write("memdir: " + env.text(report.why or msg("It failed.")) + "\n")
        return
    if report.why is not None:
        env.out(env.text(report.why))
    elif report.status == "nothing":
        env.out(env.text(msg("Nothing new was said.")))
    elif not report.items and not report.applied:
        env.out(env.text(msg("Nothing in it needs to be remembered.")))
    for item in report.items:
        env.out(line_of(item, env))
    for change in report.applied:
        env.out(env.text(msg("Written; `memdir undo {id}` takes this back.", id=change)))
    if report.known:
        env.out(env.text(msg("Waiting already, or refused before: {count}.", count=report.known)))
    if report.items:
        env.out(env.text(msg("`memdir inbox show ID` shows a proposal with the words it rests on.")))
    line = usage_line(env, report.usage, workspace.settings.agent.model)
    if line:
        env.out(line)


def _print_json(report: Report, env: CliEnv, workspace: Workspace, session: str) -> None:
    import json

    from memdir.cli.inbox import item_json
    from memdir.cli.model import usage_json

    answer = {
        "status": report.status,
        "why": env.text(report.why) if report.why is not None else None,
        "session": os.path.basename(session).removesuffix(".jsonl"),
        "by_model": report.by_model,
        "items": [item_json(i, env) for i in report.items],
        "known": report.known,
        "applied": list(report.applied),
        "denied": report.denied,
        "usage": usage_json(report.usage, workspace.settings.agent.model),
    }
    env.out(json.dumps(answer, indent=2, ensure_ascii=False))
