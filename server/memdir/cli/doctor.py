"""`memdir doctor`: memory directories that no client looks for, and where their memories belong."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from memdir.cli.env import CliEnv
from memdir.cli.place import absolute, environment
from memdir.core.i18n import Message, files, msg

if TYPE_CHECKING:
    from memdir.core.doctor import Case
    from memdir.core.model import ChangeSet
    from memdir.store.doctor import Examination
    from memdir.store.environment import Environment

NAME = "doctor"
HELP = msg("Find memory directories that were left behind, and move them home.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATH..., --fix, --adopt, --dry-run, --json."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help=str(
            msg("Repositories to consider as the new place of a moved one; the current directory by default.")
        ),
    )
    parser.add_argument(
        "--fix", action="store_true", help=str(msg("Carry out what is certain. Nothing is deleted."))
    )
    parser.add_argument(
        "--adopt",
        metavar="NAME",
        help=str(msg("Move the memories of this directory under projects/ to the current repository.")),
    )
    parser.add_argument(
        "--dry-run", action="store_true", help=str(msg("Show the change as a diff and write nothing."))
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """Report, and with --fix mend. 0: nothing (left) to mend, 1: cases are left, 2: could not run or write."""
    from memdir.store.doctor import examine
    from memdir.store.errors import StoreError

    cwds = [absolute(env, p) for p in args.paths] or [env.cwd]
    for cwd in cwds:
        if not os.path.isdir(cwd):
            return env.error(msg("{path} does not exist; give the directory of a project.", path=cwd))
    world = environment(env, cwds[0], args)
    try:
        if args.adopt:
            return _adopt(args, env, world, cwds[0])
        found = examine(world, cwds, env.state_dir)
        _remember(found, env)
        if args.json and not args.fix:
            import json

            env.out(json.dumps([_as_json(case, env) for case in found.cases], indent=2, ensure_ascii=False))
            return 1 if any(c.kind != "phantom" for c in found.cases) else 0
        return _report(found, args, env)
    except StoreError as error:
        return env.error(error.message)
    except OSError as error:
        return env.error(
            msg(
                "{path} can't be read: {reason}.",
                path=str(error.filename or ""),
                reason=error.strerror or str(error),
            )
        )


def _report(found: Examination, args: argparse.Namespace, env: CliEnv) -> int:
    from memdir.cli.apply_flow import apply_or_report, preview, report_applied
    from memdir.store.doctor import proposal, roots_of

    left = failed = 0
    for case in found.cases:
        env.out(env.text(case.message))
        change = proposal(case)
        if change is None:
            left += case.kind != "phantom"
            continue
        if args.dry_run:
            env.stdout.write(preview(change, env, os.path.dirname(os.path.dirname(case.place.memory_dir))))
        if args.fix and case.certain and not args.dry_run:
            applied = apply_or_report(change, env, roots=roots_of(case), base=case.target or "")
            if isinstance(applied, int):
                failed += 1
            else:
                report_applied(applied, env, case.target or "")
            continue
        left += 1
        for line in _advice(case, change, args):
            env.out("  " + env.text(line))
    if not found.cases:
        env.out(env.text(msg("Every memory directory is where its repository's client looks for it.")))
    return 2 if failed else 1 if left else 0


def _advice(case: Case, change: ChangeSet, args: argparse.Namespace) -> list[Message]:
    """What to do about a case that was not mended."""
    target = case.target or ""
    count = sum(str(getattr(c, "new_path", c.path)).startswith(target + os.sep) for c in change.changes)
    lines = [msg("Proposed: take {files} into {target}.", files=files(count), target=target)]
    if case.certain and not args.fix:
        lines.append(msg("`memdir doctor --fix` does it; --dry-run shows it first."))
    elif not case.certain:
        command = f"memdir doctor --adopt {case.place.name} {case.owner}"
        lines.append(msg("This is not certain. If it is right, run: {command}", command=command))
    return lines


def _adopt(args: argparse.Namespace, env: CliEnv, world: Environment, cwd: str) -> int:
    from memdir.cli.apply_flow import carry_out
    from memdir.store.doctor import memory_directory, move_memories
    from memdir.store.memory_dirs import project_roots

    name = os.path.basename(os.path.normpath(args.adopt.removesuffix("/memory")))
    sources = [os.path.join(root, name, "memory") for root in project_roots(world, cwd)]
    source = next((s for s in sources if os.path.isdir(s)), None)
    if source is None:
        return env.error(
            msg(
                "There is no memory directory {name} under {root}.",
                name=name,
                root=os.path.dirname(os.path.dirname(sources[0])),
            )
        )
    target = memory_directory(cwd, world)
    if os.path.realpath(source) == os.path.realpath(target):
        return env.error(msg("{name} is the memory directory of this repository already.", name=name))
    change = move_memories(source, target, cwd)
    return carry_out(change, env, roots=[source, target], base=target, args=args)


def _remember(found: Examination, env: CliEnv) -> None:
    """Keep what the repositories are known by, for the day one of them moves."""
    from memdir.store.errors import StoreError
    from memdir.store.identity import remember

    try:
        remember(env.state_dir, found.repos)
    except StoreError as error:
        env.error(error.message)
    except OSError as error:
        env.error(
            msg(
                "{path} could not be written: {reason}.",
                path=env.state_dir,
                reason=error.strerror or str(error),
            )
        )


def _as_json(case: Case, env: CliEnv) -> dict[str, Any]:
    from memdir.core.model import EditFile, RenameFile
    from memdir.store.doctor import proposal

    change = proposal(case)
    steps: list[dict[str, str]] = []
    for step in change.changes if change else ():
        if isinstance(step, RenameFile):
            steps.append({"action": "move", "path": step.path, "to": step.new_path})
        elif isinstance(step, EditFile):
            steps.append({"action": "edit", "path": step.path})
    return {
        "kind": case.kind,
        "directory": case.place.memory_dir,
        "owner": case.owner,
        "target": case.target,
        "certain": case.certain,
        "message": env.text(case.message),
        "changes": steps,
    }
