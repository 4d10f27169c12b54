"""`memdir forget`: delete a memory together with everything that points to it."""

from __future__ import annotations

import argparse
import os

from memdir.cli.apply_flow import add_change_arguments, carry_out
from memdir.cli.env import CliEnv
from memdir.cli.place import add_place_arguments
from memdir.cli.project import open_project
from memdir.core.i18n import msg

NAME = "forget"
HELP = msg("Delete a memory and what points to it; `memdir undo` brings it back.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """NAME."""
    parser.add_argument("name", metavar="NAME", help=str(msg("Path, file name or name of the memory.")))
    add_change_arguments(parser)
    add_place_arguments(parser)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: deleted (or shown), 1: several memories may be meant, 2: there is none, or it changed meanwhile."""
    from memdir.core.forget import plan_forget

    workspace = open_project(args, env)
    store = workspace.stores[0]
    store.refresh()
    plan = plan_forget(store.directory, _inside(args.name, store.root, env))
    if not plan.change_set and not plan.matches:
        return env.error(msg("There is no memory “{name}” in {path}.", name=args.name, path=store.root))
    if not plan.change_set:
        env.stderr.write(env.text(msg("Which one is meant? Give its path:")) + "\n")
        for document in plan.matches:
            env.out(f"{document.rel}: {document.description}")
        return 1
    return carry_out(
        plan.change_set, env, roots=[store.root], base=store.root, settings=workspace.settings, args=args
    )


def _inside(name: str, root: str, env: CliEnv) -> str:
    """A path as the shell gives it (absolute, or from the current directory) as the path inside `root`; else `name`."""
    path = os.path.join(env.cwd, name)
    if not os.path.isabs(name) and not os.path.isfile(path):
        return name
    for place, base in ((os.path.normpath(path), root), (os.path.realpath(path), os.path.realpath(root))):
        if place.startswith(base.rstrip(os.sep) + os.sep):
            return os.path.relpath(place, base).replace(os.sep, "/")
    return name
