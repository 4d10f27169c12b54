"""`memdir team log`, `restore` and `prune`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.cli.team_open import place_arguments, print_json, service_for, transport_for
from memdir.cli.team_sync import report_json, report_lines
from memdir.core.i18n import msg

if TYPE_CHECKING:
    from memdir.team.wire import Past


def log_arguments(parser: argparse.ArgumentParser) -> None:
    """KEY, --limit, --show."""
    parser.add_argument(
        "key", nargs="?", metavar="KEY", help=str(msg("Only this memory, such as project_auth.md."))
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=20,
        metavar="N",
        help=str(msg("At most this many versions (200 at the service).")),
    )
    parser.add_argument(
        "--show", type=int, metavar="VERSION", help=str(msg("Print the text of this version of KEY."))
    )
    place_arguments(parser)


def log(args: argparse.Namespace, env: CliEnv) -> int:
    """0: printed, 2: could not."""
    from memdir.team.gitsync import GitTeam
    from memdir.team.setup import Off

    found = transport_for(args, env)
    if isinstance(found, Off):
        return env.error(found.why)
    if isinstance(found, GitTeam):
        rows = found.log(args.key, max(1, args.limit))
        if args.json:
            print_json(env, rows)
        for row in () if args.json else rows:
            env.out(f"{row['commit'][:12]}  {row['time']}  {row['author']}  {row['subject']}")
        return 0
    client = service_for(args, env).client
    if args.show is not None:
        if not args.key:
            return env.error(msg("--show needs the KEY of a memory."))
        past = client.version(args.key, args.show)
        env.stdout.write((past.content or b"").decode("utf-8", "replace"))
        return 0
    versions = client.history(args.key, limit=max(1, min(args.limit, 200)))
    if args.json:
        print_json(env, [_row(v) for v in versions])
        return 0
    for v in versions:
        what = env.text(msg("removed")) if v.removed else v.sha256[:12]
        env.out(f"{v.version:>6}  {v.time}  {v.author}  {what}  {v.key}")
    return 0


def _row(v: Past) -> dict[str, object]:
    return {
        "version": v.version,
        "key": v.key,
        "time": v.time,
        "author": v.author,
        "sha256": v.sha256,
        "removed": v.removed,
    }


def restore_arguments(parser: argparse.ArgumentParser) -> None:
    """KEY and VERSION."""
    parser.add_argument("key", metavar="KEY", help=str(msg("The memory.")))
    parser.add_argument(
        "version",
        type=int,
        metavar="VERSION",
        help=str(msg("Number of the version, as `memdir team log` prints it.")),
    )
    place_arguments(parser)


def restore(args: argparse.Namespace, env: CliEnv) -> int:
    """0: restored at the team and pulled here."""
    team = service_for(args, env)
    tag, _ = team.client.checksums()
    team.client.restore(args.key, args.version, tag)
    report = team.pull()
    if args.json:
        print_json(env, report_json(report, env))
        return 0
    for line in report_lines(report):
        env.out(env.text(line))
    return 0


def prune_arguments(parser: argparse.ArgumentParser) -> None:
    """KEY..."""
    parser.add_argument("keys", nargs="+", metavar="KEY", help=str(msg("Memories to remove from the team.")))
    place_arguments(parser)


def prune(args: argparse.Namespace, env: CliEnv) -> int:
    """0: all removed, 1: some had changed at the team and stay, 2: could not."""
    report = service_for(args, env).prune(args.keys)
    if args.json:
        print_json(env, report_json(report, env))
    if report.outcome != "ok":
        return env.error(report.message) if report.message and not args.json else 2
    for key in args.keys if not args.json else ():
        done = key in report.pushed
        env.out(
            env.text(
                msg("removed from the team: {key}", key=key)
                if done
                else msg("stays at the team: {key} (not there, or changed since your last pull)", key=key)
            )
        )
    return 0 if set(args.keys) <= set(report.pushed) else 1
