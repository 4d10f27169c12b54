"""`memdir undo`: take back a change that Memdir made, byte for byte, or list the changes."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from memdir.cli.env import CliEnv
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.store.journal import Entry

NAME = "undo"
HELP = msg("Undo a change that Memdir made, or list them.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID, --list, --all, --json, --dry-run."""
    parser.add_argument(
        "id",
        nargs="?",
        metavar="ID",
        help=str(
            msg(
                "Number of the change; by default the latest one of this project. Undoing an undo repeats the change."
            )
        ),
    )
    parser.add_argument("--list", action="store_true", help=str(msg("List the changes, the newest first.")))
    parser.add_argument(
        "--all", action="store_true", help=str(msg("Changes of all projects, not only of this one."))
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))
    parser.add_argument(
        "--dry-run", action="store_true", help=str(msg("Show the change as a diff and write nothing."))
    )


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """Undo or list. 0: done, 2: nothing to undo, or a file changed since (both texts are shown)."""
    from memdir.cli.apply_flow import could_not_write, report_error
    from memdir.store.apply import undo
    from memdir.store.errors import StoreError
    from memdir.store.recovery import recover

    if args.id is not None and not args.id.isdecimal():
        return env.error(msg("“{id}” is no number of a change; `memdir undo --list` shows them.", id=args.id))
    memory, within = _places(env, everything=args.all or args.id is not None)
    try:
        for recovered in recover(env.state_dir, now=env.now()):
            env.stderr.write(env.text(recovered.message) + "\n")
        if args.list:
            return _list(args, env, memory, within)
        if args.dry_run:
            return _preview(args, env, memory, within)
        applied = undo(args.id, state_dir=env.state_dir, now=env.now(), within=within)
    except StoreError as error:
        return report_error(error, env, memory)
    except OSError as error:
        return env.error(could_not_write(error))
    if args.json:
        _json(
            env,
            {
                "id": applied.id,
                "restored": list(applied.changed),
                "created": list(applied.created),
                "deleted": list(applied.deleted),
            },
        )
        return 0
    from memdir.cli.apply_flow import shown

    for path in applied.changed:
        env.out(env.text(msg("restored {path}", path=shown(path, memory))))
    for path in applied.created:
        env.out(env.text(msg("brought back {path}", path=shown(path, memory))))
    for path in applied.deleted:
        env.out(env.text(msg("removed {path}", path=shown(path, memory))))
    env.out(env.text(msg("`memdir undo {id}` repeats the change.", id=applied.id or "")))
    return 0


def _places(env: CliEnv, *, everything: bool) -> tuple[str, list[str]]:
    """(the memory directory here, the directories whose changes count)."""
    from memdir.cli.place import environment
    from memdir.store.agents import agent_directories
    from memdir.store.locate import locate

    outside = environment(env, env.cwd)
    location = locate(env.cwd, outside)
    if everything:
        return location.memory_dir, []
    agents = [a.path for a in agent_directories(env.cwd, outside) if a.exists]
    return location.memory_dir, [location.memory_dir, *agents]


def _preview(args: argparse.Namespace, env: CliEnv, memory: str, within: list[str]) -> int:
    from memdir.core.diff import diff_outcomes, unified
    from memdir.store.apply import undo_outcomes

    _, outcomes = undo_outcomes(args.id, state_dir=env.state_dir, within=within)
    env.stdout.write(
        unified(
            diff_outcomes(outcomes),
            base=os.path.realpath(memory),
            colour=env.colour,
            escape=env.stdout.isatty(),
        )
    )
    return 0


def _list(args: argparse.Namespace, env: CliEnv, memory: str, within: list[str]) -> int:
    from memdir.cli.apply_flow import shown
    from memdir.store.apply import list_entries

    entries = list_entries(env.state_dir, within)
    if args.json:
        _json(env, [_as_json(e, env) for e in entries])
        return 0
    if not entries:
        env.out(env.text(msg("Memdir has changed nothing here yet.")))
    for entry in entries:
        when = entry.time.astimezone(env.now().tzinfo).strftime("%Y-%m-%d %H:%M")
        env.out(f"{entry.id:>4}  {when}  {env.text(entry.title)}  ({env.text(_standing(entry))})")
        for touched in entry.touched:
            env.out(f"      {_sign(touched.before, touched.after)} {shown(touched.path, memory)}")
    return 0


def _standing(entry: Entry) -> Message:
    if entry.outcome == "rolled-back":
        return msg("interrupted, taken back")
    if entry.outcome != "committed":
        return msg("interrupted")
    if entry.undone_by is not None:
        return msg("undone by {id}", id=entry.undone_by)
    return msg("in force")


def _as_json(entry: Entry, env: CliEnv) -> dict[str, Any]:
    names = {"+": "created", "-": "deleted", "~": "changed"}
    return {
        "id": entry.id,
        "time": entry.time.isoformat(),
        "title": env.text(entry.title),
        "origin": entry.origin,
        "files": [{"path": t.path, "change": names[_sign(t.before, t.after)]} for t in entry.touched],
        "outcome": entry.outcome,
        "in_force": entry.in_force,
        "undoes": entry.undoes,
        "undone_by": entry.undone_by,
    }


def _sign(before: str, after: str) -> str:
    return "+" if not before else "-" if not after else "~"


def _json(env: CliEnv, value: object) -> None:
    import json

    env.out(json.dumps(value, indent=2, ensure_ascii=False))
