"""From a proposed change set to the disk, as every writing command does it: show, choose, apply, explain clashes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.core.i18n import Message, msg
from memdir.core.model import ChangeSet
from memdir.core.settings import DEFAULTS, Settings

if TYPE_CHECKING:
    from memdir.store.apply import Applied
    from memdir.store.errors import Conflict, StoreError


def add_change_arguments(parser: argparse.ArgumentParser) -> None:
    """`--dry-run` and `--accept`."""
    parser.add_argument(
        "--dry-run", action="store_true", help=str(msg("Show the change as a diff and write nothing."))
    )
    parser.add_argument(
        "--accept",
        action="append",
        metavar="FILE|HUNK",
        default=[],
        help=str(msg("Take only this file or hunk (by the id that --dry-run shows); may be repeated.")),
    )


def carry_out(
    change_set: ChangeSet,
    env: CliEnv,
    *,
    roots: Sequence[str],
    base: str,
    settings: Settings = DEFAULTS,
    args: argparse.Namespace | None = None,
) -> int:
    """Show (`--dry-run`) or apply `change_set`, limited to what `--accept` names. Gives the exit code.

    `base`: paths are shown relative to it. 0: shown or applied (or nothing to do), 2: refused, with the reason and, for
    a clash, both texts on stderr.
    """
    from memdir.store.errors import StoreError

    try:
        chosen = accepted(change_set, env, base, args)
        if isinstance(chosen, int):
            return chosen
        if getattr(args, "dry_run", False):
            env.stdout.write(preview(chosen, env, base))
            return 0
    except StoreError as error:  # a file that can't be looked at, so it could not be written either
        return report_error(error, env, base)
    except OSError as error:
        return env.error(could_not_write(error))
    applied = apply_or_report(chosen, env, roots=roots, base=base, settings=settings)
    if isinstance(applied, int):
        return applied
    report_applied(applied, env, base)
    return 0


def accepted(
    change_set: ChangeSet, env: CliEnv, base: str, args: argparse.Namespace | None
) -> ChangeSet | int:
    """The part that `--accept` names (all without it), or exit code 2 after saying that there is no such part."""
    names = list(getattr(args, "accept", ()))
    if not names:
        return change_set
    chosen = _accepted(change_set, names, base)
    return env.error(chosen) if isinstance(chosen, Message) else chosen


def preview(change_set: ChangeSet, env: CliEnv, base: str) -> str:
    """`change_set` as a unified diff with the ids of its hunks, coloured on a terminal."""
    from memdir.core.diff import diff_files, unified

    files = diff_files(change_set, read_present)
    return unified(files, base=base, ids=True, colour=env.colour, escape=env.stdout.isatty())


def apply_or_report(
    change_set: ChangeSet, env: CliEnv, *, roots: Sequence[str], base: str, settings: Settings = DEFAULTS
) -> Applied | int:
    """Apply `change_set`; exit code 2 after explaining on stderr why nothing was written."""
    from memdir.store.apply import apply
    from memdir.store.errors import StoreError
    from memdir.store.journal import Limits

    try:
        return apply(
            change_set, roots=roots, state_dir=env.state_dir, now=env.now(), limits=Limits.of(settings)
        )
    except StoreError as error:
        return report_error(error, env, base)
    except OSError as error:
        return env.error(could_not_write(error))


def report_applied(applied: Applied, env: CliEnv, base: str) -> None:
    """Say per file what was done, and how to undo it."""
    if applied.id is None:
        env.out(env.text(msg("There is nothing to change.")))
        return
    lines = [
        *(msg("created {path}", path=shown(p, base)) for p in applied.created),
        *(msg("changed {path}", path=shown(p, base)) for p in applied.changed),
        *(msg("deleted {path}", path=shown(p, base)) for p in applied.deleted),
    ]
    for line in lines:
        env.out(env.text(line))
    env.out(env.text(msg("`memdir undo {id}` takes this back.", id=applied.id)))


def report_error(error: StoreError, env: CliEnv, base: str) -> int:
    """Explain on stderr why nothing was written; a clash with a three-way view. Gives exit code 2."""
    from memdir.store.errors import ConflictError

    if not isinstance(error, ConflictError):
        return env.error(error.message)
    for conflict in error.conflicts:
        env.error(conflict.message)
        env.stderr.write(three_way(conflict, env, base))
    return 2


def three_way(conflict: Conflict, env: CliEnv, base: str) -> str:
    """Both sides of a clash as diffs against their common base (against each other when the base is unknown)."""
    from memdir.core.changes import FileOutcome
    from memdir.core.diff import diff_outcomes, unified

    colour = env.colour and env.stderr.isatty()

    def diff(title: Message, old: bytes | None, new: bytes | None) -> str:
        if old == new:
            return ""
        text = unified(
            diff_outcomes((FileOutcome(conflict.path, old, new),)),
            base=base,
            colour=colour,
            escape=env.stderr.isatty(),
        )
        return env.text(title) + "\n" + text

    if conflict.base is None:
        wanted = conflict.mine if conflict.kind == "exists" else conflict.theirs
        return (
            ""
            if wanted == conflict.theirs
            else diff(msg("What this change wanted:"), conflict.theirs, wanted)
        )
    theirs = diff(msg("What was changed meanwhile:"), conflict.base, conflict.theirs)
    return theirs + diff(msg("What this change wanted:"), conflict.base, conflict.mine)


def read_present(path: str) -> bytes | None:
    """Present content of a file for a preview; None when there is none."""
    from memdir.store.files import read_file

    try:
        return read_file(path).content
    except (FileNotFoundError, NotADirectoryError):
        return None


def could_not_write(error: OSError) -> Message:
    """The sentence for an error of the operating system."""
    return msg(
        "{path} could not be written: {reason}.",
        path=str(error.filename or ""),
        reason=error.strerror or str(error),
    )


def shown(path: str, base: str) -> str:
    """`path` below `base`, else whole."""
    real = os.path.realpath(base)
    return os.path.relpath(path, real) if path.startswith(real.rstrip(os.sep) + os.sep) else path


def _accepted(change_set: ChangeSet, accept: Sequence[str], base: str) -> ChangeSet | Message:
    from memdir.core.diff import diff_files, select

    diffs = diff_files(change_set, read_present)
    ids = {h.id for f in diffs for h in f.hunks}
    hunks = [a for a in accept if a in ids]
    files = [os.path.join(base, a) for a in accept if a not in ids]
    try:
        return select(change_set, read_present, files=files, hunks=hunks)
    except ValueError:
        known = {p for f in diffs for p in (f.path, f.old_path)}
        wrong = next(f for f in files if f not in known)
        return msg("“{name}” is neither a file nor a hunk of this change.", name=shown(wrong, base))
