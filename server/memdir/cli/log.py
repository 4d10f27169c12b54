"""`memdir log`: append a line to today's log of this repository's memory."""

from __future__ import annotations

import argparse
import os

from memdir.cli.env import CliEnv
from memdir.cli.place import add_place_arguments, locate_for
from memdir.core.i18n import msg

NAME = "log"
HELP = msg("Append a line to today's log.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """TEXT, or --accept."""
    parser.add_argument(
        "text", nargs="*", metavar="TEXT", help=str(msg("What happened; - reads it from the standard input."))
    )
    parser.add_argument(
        "--accept",
        metavar="PATH",
        help=str(msg("Take this rewritten log as it is now, so that it is no longer reported.")),
    )
    add_place_arguments(parser)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: appended (the path and entry are printed), 2: no text, or it could not be written."""
    from memdir.cli.apply_flow import could_not_write
    from memdir.store.errors import StoreError

    location = locate_for(env, None, args)
    try:
        if args.accept:
            return _accept(args.accept, location.memory_dir, env)
        return _append(args.text, location.memory_dir, env)
    except StoreError as error:
        return env.error(error.message)
    except OSError as error:
        return env.error(could_not_write(error))


def _append(words: list[str], memory: str, env: CliEnv) -> int:
    from memdir.store.logs import append_entry

    text = env.stdin.read() if words == ["-"] else " ".join(words)
    try:
        path, entry = append_entry(memory, text, now=env.now(), state_dir=env.state_dir)
    except ValueError:
        return env.error(
            msg("There is nothing to log: give the text, or - to read it from the standard input.")
        )
    env.out(path)
    env.out(entry.rstrip("\n"))
    return 0


def _accept(given: str, memory: str, env: CliEnv) -> int:
    from memdir.store.files import read_file, resolve_inside
    from memdir.store.logs import History

    at = (
        os.path.join(memory, given)
        if os.path.exists(os.path.join(memory, given))
        else os.path.join(env.cwd, given)
    )
    root, path = resolve_inside(at, [memory])
    rel = os.path.relpath(path, root).replace(os.sep, "/")
    History(env.state_dir, memory).accept(rel, read_file(path).content)
    env.out(env.text(msg("{path} is taken as it is now.", path=rel)))
    return 0
