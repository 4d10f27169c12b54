"""`memdir save`: write a memory and its index line, after asking what should be asked."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from memdir.cli.apply_flow import accepted, add_change_arguments, apply_or_report, carry_out, preview
from memdir.cli.env import CliEnv
from memdir.cli.memory_arguments import add_memory_arguments
from memdir.cli.place import add_place_arguments
from memdir.cli.project import open_project
from memdir.core.i18n import msg

if TYPE_CHECKING:
    from memdir.core.save import SavePlan, SaveRequest
    from memdir.store.workspace import Workspace

NAME = "save"
HELP = msg("Save a memory: the file and its index line.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to save, where, and whether questions have been answered."""
    add_memory_arguments(parser, private=True)
    parser.add_argument(
        "--update", metavar="PATH", help=str(msg("Change this memory instead of adding one."))
    )
    parser.add_argument("--force", action="store_true", help=str(msg("Save although there are questions.")))
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))
    add_change_arguments(parser)
    add_place_arguments(parser)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: saved (or shown), 1: there are questions and nothing was saved, 2: it can't be saved like this."""
    from memdir.core.save import SaveError, SaveRequest, plan_save

    workspace = open_project(args, env)
    store = workspace.stores[0]
    store.refresh()
    team = os.path.isdir(os.path.join(store.root, "team"))
    if args.scope == "team" and not team:
        return env.error(msg("{path} has no team directory; set team memory up first.", path=store.root))
    update = _update_path(args.update, store.root, env) if args.update else None
    request = SaveRequest(args.type, args.name, args.description, _body(args, env), args.scope, update)
    try:
        plan = plan_save(workspace.context(store, env.now()), request, team=team)
    except SaveError as error:
        return env.error(error.message)
    asked = bool(plan.questions) and not args.force and not args.dry_run
    if args.json:
        return _json_run(plan, args, env, workspace, asked=asked)
    _tell(plan, request, env, asked=asked)
    if not workspace.location.enabled:
        source = workspace.location.enabled_by
        env.stderr.write(
            env.text(
                msg("Note: memory is off (by {source}), so the agent will not read this.", source=source)
            )
            + "\n"
        )
    if asked:
        return 1
    return carry_out(
        plan.change_set, env, roots=[store.root], base=store.root, settings=workspace.settings, args=args
    )


def _body(args: argparse.Namespace, env: CliEnv) -> str:
    text: str = env.stdin.read() if args.body == "-" else args.body
    return text


def _update_path(given: str, root: str, env: CliEnv) -> str:
    """`--update` as a path relative to the memory directory: it may be written so, or be any path that leads there."""
    path = os.path.normpath(os.path.join(env.cwd, given))
    for base in (root, os.path.realpath(root)):
        if path.startswith(base.rstrip(os.sep) + os.sep):
            return os.path.relpath(path, base).replace(os.sep, "/")
    return given.removeprefix("./").replace(os.sep, "/")


def _tell(plan: SavePlan, request: SaveRequest, env: CliEnv, *, asked: bool) -> None:
    """Questions and advice on stderr: stdout has the diff or what was done."""
    lines = [env.text(q.message) for q in plan.questions] + [
        env.text(msg("Note: {advice}", advice=a)) for a in plan.advice
    ]
    for question in plan.questions:
        for candidate in question.candidates:
            lines.append(f"  {candidate.rel}: {candidate.description}")
    if asked:
        first = next((c.rel for q in plan.questions if q.kind == "duplicate" for c in q.candidates), None)
        if first is not None and request.update is None:
            lines.append(
                env.text(
                    msg(
                        "Nothing was saved. --update {path} changes that memory, --force saves a new one.",
                        path=first,
                    )
                )
            )
        else:
            lines.append(env.text(msg("Nothing was saved. --force saves it all the same.")))
    for line in lines:
        env.stderr.write(line + "\n")


def _json_run(
    plan: SavePlan, args: argparse.Namespace, env: CliEnv, workspace: Workspace, *, asked: bool
) -> int:
    import json

    root = workspace.stores[0].root
    answer: dict[str, Any] = {
        "path": os.path.join(root, plan.rel),
        "scope": plan.scope,
        "saved": False,
        "id": None,
        "questions": [
            {
                "kind": q.kind,
                "message": env.text(q.message),
                "candidates": [
                    {"path": os.path.join(root, c.rel), "name": c.name, "score": c.score}
                    for c in q.candidates
                ],
            }
            for q in plan.questions
        ],
        "advice": [env.text(a) for a in plan.advice],
    }
    changes = accepted(plan.change_set, env, root, args)
    if isinstance(changes, int):
        return changes
    if args.dry_run:
        answer["diff"] = preview(changes, env, root)
    elif not asked:
        applied = apply_or_report(changes, env, roots=[root], base=root, settings=workspace.settings)
        if isinstance(applied, int):
            return applied
        answer |= {"saved": True, "id": applied.id}
    env.out(json.dumps(answer, indent=2, ensure_ascii=False))
    return 1 if asked else 0
