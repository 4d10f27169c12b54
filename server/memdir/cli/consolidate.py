"""`memdir consolidate`: bring the memories of a repository in order, as a proposal, by a model or mechanically."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from memdir.cli.env import CliEnv
from memdir.cli.place import add_place_arguments
from memdir.cli.project import open_project
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.agent.consolidate_job import Consolidated
    from memdir.agent.dream import Step
    from memdir.core.consolidate import Consolidation
    from memdir.store.workspace import Workspace

NAME = "consolidate"
HELP = msg("Bring memories in order: merge, correct, shorten; as a proposal to review.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--dry-run or --apply, --force, --no-model, --consent, --json."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--dry-run", action="store_true", help=str(msg("Show the change as a diff and write nothing."))
    )
    what.add_argument(
        "--apply",
        action="store_true",
        help=str(msg("Write at once what needs no consent (and what --consent names).")),
    )
    parser.add_argument("--force", action="store_true", help=str(msg("Although it is not due.")))
    parser.add_argument("--no-model", action="store_true", help=str(msg("Only what needs no judgement.")))
    parser.add_argument(
        "--consent",
        action="append",
        default=[],
        metavar="FILE",
        help=str(msg("Agree that this file is deleted or shrinks (all: every one); may be repeated.")),
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))
    add_place_arguments(parser)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: proposed, applied, shown, or nothing to do; 1: memory is off; 2: it could not be done."""
    from memdir.agent.client_types import ModelError
    from memdir.agent.gates import check_gates
    from memdir.cli.apply_flow import could_not_write, report_error
    from memdir.store.errors import StoreError
    from memdir.store.jobs import job_off

    workspace = open_project(args, env)
    off = job_off(workspace.location)
    if off is not None:
        env.stderr.write(env.text(off) + "\n")
        return 1
    if not os.path.isdir(workspace.stores[0].root):
        env.out(env.text(msg("There are no memories yet.")))
        return 0
    try:
        if not (args.force or args.dry_run):
            gate = check_gates(
                workspace.location, workspace.settings.consolidate, now=env.now(), state_dir=env.state_dir, throttled=False
            )  # fmt: skip
            if not gate.due:
                env.out(env.text(gate.why) + " " + env.text(msg("--force does it all the same.")))
                return 0
        found = _propose(args, env, workspace)
        return _deliver(args, env, workspace, found)
    except ModelError as error:
        return env.error(
            msg("{error} Nothing was changed; --no-model does what needs no judgement.", error=error.message)
        )
    except StoreError as error:
        return report_error(error, env, workspace.stores[0].root)
    except OSError as error:
        return env.error(could_not_write(error))


def _propose(args: argparse.Namespace, env: CliEnv, workspace: Workspace) -> Consolidated:
    from memdir.agent.consolidate_job import consolidate_memories
    from memdir.cli.model import run_with_client, without_model

    without = without_model(env, no_model=args.no_model)
    if without is not None and not args.no_model:
        env.stderr.write(
            env.text(msg("Without a model, only what needs no judgement: {reason}", reason=without)) + "\n"
        )

    def progress(step: Step) -> None:
        if env.stderr.isatty() and step.turn == 0:
            env.stderr.write(f"{step.number}/{step.of} {env.text(step.title)}\n")

    return run_with_client(
        env,
        lambda client: consolidate_memories(
            workspace,
            state_dir=env.state_dir,
            clock=env.now,
            client=client,
            keep_time=args.dry_run,
            progress=progress,
        ),
        use=without is None,
    )


def _deliver(args: argparse.Namespace, env: CliEnv, workspace: Workspace, found: Consolidated) -> int:
    from memdir.agent.consolidate_job import to_inbox
    from memdir.agent.inbox import Inbox
    from memdir.cli.apply_flow import preview

    root = workspace.stores[0].root
    item = applied = None
    if args.apply:
        applied = _apply(args, env, workspace, found)
        if isinstance(applied, int):
            return applied
    elif not args.dry_run:
        added = to_inbox(found, Inbox(env.state_dir, root), env.now())
        item = added.items[0].id if added.items else None
        if added.known:
            env.stderr.write(
                env.text(msg("You refused this proposal before, so it is not kept again.")) + "\n"
            )
    if args.json:
        import json

        answer = as_json(found.consolidation, env, root) | _run_json(found, workspace)
        answer |= {"inbox": item, "applied": applied.id if applied else None}
        if args.dry_run:
            answer["diff"] = preview(found.consolidation.change_set, env, root)
        env.out(json.dumps(answer, indent=2, ensure_ascii=False))
        return 0
    if args.dry_run:
        env.stdout.write(preview(found.consolidation.change_set, env, root))
    tell(found.consolidation, env, root)
    _tell_run(found, env, workspace)
    if item is not None:
        env.out(
            env.text(
                msg(
                    "`memdir inbox show {id}` shows the change, `memdir inbox accept {id}` makes it.", id=item
                )
            )
        )
    return 0


def _apply(args: argparse.Namespace, env: CliEnv, workspace: Workspace, found: Consolidated) -> Any:
    """Apply what is agreed to; the applied change, or an exit code."""
    from memdir.agent.consolidate_job import decide_logs
    from memdir.cli.apply_flow import report_applied
    from memdir.core.consolidate import TITLE, with_consent
    from memdir.core.outcome import change_set_of
    from memdir.store.apply import apply

    store = workspace.stores[0]
    store.refresh()
    agreed = agreed_paths(args.consent, store.root)
    part = with_consent(found.consolidation, store.directory, workspace.settings, agreed)
    changes = change_set_of(part.outcomes, TITLE, "consolidate")
    done = apply(changes, roots=[store.root], state_dir=env.state_dir, now=env.now(), bases=found.bases)
    decide_logs(store.root, env.state_dir, env.now())
    if not args.json:
        report_applied(done, env, store.root)
    return done


def agreed_paths(names: list[str], root: str) -> set[str] | None:
    """Absolute paths that `--consent` names; None for all."""
    if "all" in names:
        return None
    return {os.path.normpath(os.path.join(root, name)) for name in names}


def tell(found: Consolidation, env: CliEnv, root: str) -> None:
    """Say per file what is to be done and why, what needs consent, what would be lost, what is left to judge."""
    if not found:
        env.out(env.text(msg("The memories are in order; there is nothing to change.")))
    for outcome in found.outcomes:
        kind = "+" if outcome.before is None else "-" if outcome.after is None else "~"
        env.out(f"{kind} {_rel(outcome.path, root)}")
        for reason in outcome.reasons:
            env.out(f"    {env.text(reason)}")
        if outcome.path in found.consent:
            env.out("    " + env.text(msg("Needs your consent: {why}.", why=found.consent[outcome.path])))
    sections: list[tuple[Message, list[str]]] = [
        (msg("No longer said anywhere:"), [f"{x.rel}: {x.text}" for x in found.lost.gone]),
        (msg("Said differently:"), [f"{x.rel}: {x.text} → {x.nearest}" for x in found.lost.reworded]),
        (msg("Links that go:"), [f"{x.rel}: {x.text}" for x in found.lost.links]),
        (msg("Dates that go:"), [f"{x.rel}: {x.text}" for x in found.lost.dates]),
        (msg("To look at:"), [env.text(n) for n in found.notes]),
    ]
    for title, lines in sections:
        if lines:
            env.out(env.text(title))
            for line in lines:
                env.out(f"    {line}")


def as_json(found: Consolidation, env: CliEnv, root: str) -> dict[str, Any]:
    """The same for programs."""

    def lost(items: Any) -> list[dict[str, str]]:
        return [{"file": x.rel, "text": x.text, "nearest": x.nearest} for x in items]

    return {
        "files": [
            {
                "path": _rel(o.path, root),
                "change": "created" if o.before is None else "deleted" if o.after is None else "changed",
                "reasons": [env.text(r) for r in o.reasons],
                "consent": env.text(found.consent[o.path]) if o.path in found.consent else None,
            }
            for o in found.outcomes
        ],
        "lost": {
            "gone": lost(found.lost.gone),
            "reworded": lost(found.lost.reworded),
            "links": lost(found.lost.links),
            "dates": lost(found.lost.dates),
        },
        "notes": [env.text(n) for n in found.notes],
    }


def _run_json(found: Consolidated, workspace: Workspace) -> dict[str, Any]:
    from memdir.cli.model import usage_json

    return {
        "by_model": found.by_model,
        "turns": found.turns,
        "denied": found.denied,
        "usage": usage_json(found.usage, workspace.settings.agent.model),
    }


def _tell_run(found: Consolidated, env: CliEnv, workspace: Workspace) -> None:
    from memdir.cli.model import usage_line

    line = usage_line(env, found.usage, workspace.settings.agent.model)
    if line:
        env.out(line)


def _rel(path: str, root: str) -> str:
    return os.path.relpath(path, root)
