"""`memdir index [PATH] [--loaded|--lost] [--json]`: what of MEMORY.md the agent loads, and what it loses."""

from __future__ import annotations

import argparse
import json
import os

from memdir.cli.env import CliEnv
from memdir.cli.place import environment
from memdir.core.i18n import msg
from memdir.core.index import Entry, Loaded
from memdir.store.workspace import memory_root_of, open_workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "path",
        nargs="?",
        metavar="PATH",
        help=str(msg("A repository or memory directory; by default the current one.")),
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--loaded", action="store_true", help=str(msg("Print the loaded text only.")))
    which.add_argument("--lost", action="store_true", help=str(msg("List the lost entries only.")))
    parser.add_argument("--json", action="store_true", help=str(msg("Print one JSON object.")))


def run(args: argparse.Namespace, env: CliEnv) -> int:
    path = os.path.normpath(os.path.join(env.cwd, args.path or "."))
    if not os.path.exists(path):
        return env.error(msg("{path}: there is no such file or directory.", path=args.path))
    outside = environment(env, path)
    root = memory_root_of(path) if args.path else None
    workspace = open_workspace(
        path if os.path.isdir(path) else os.path.dirname(path), outside, memory_dir=root, agents=False
    )
    store = workspace.stores[0]
    store.refresh()
    index = store.directory.get("MEMORY.md")
    if index is None:
        return env.error(msg("{path} has no MEMORY.md; the agent loads nothing.", path=store.root))
    limits = workspace.settings.index_lines, workspace.settings.index_size
    loaded = store.directory.loaded(index, *limits)
    lost = [
        e
        for e in store.directory.entries(index)
        if loaded.lost_from is not None and e.span.start >= loaded.lost_from
    ]
    if args.json:
        env.out(json.dumps(_json(loaded, lost, limits), ensure_ascii=False, indent=1))
        return 0
    if args.loaded:
        env.stdout.write(loaded.text + "\n" if loaded.text else "")
        return 0
    if not args.lost:
        _print_budget(loaded, limits, env)
    _print_lost(loaded, lost, env)
    return 0


def _json(loaded: Loaded, lost: list[Entry], limits: tuple[int, int]) -> dict[str, object]:
    return {
        "text": loaded.text,
        "truncated": loaded.truncated,
        "lines": loaded.lines,
        "utf16": loaded.utf16,
        "bytes": loaded.bytes,
        "limits": {"lines": limits[0], "utf16": limits[1]},
        "lost": [
            {"line": e.line, "title": e.title, "target": e.targets[0].path if e.targets else None}
            for e in lost
        ],
    }


def _print_budget(loaded: Loaded, limits: tuple[int, int], env: CliEnv) -> None:
    env.out(
        env.text(
            msg(
                "{lines} of {max_lines} lines, {size} of {max_size} characters ({bytes} bytes).",
                lines=loaded.lines,
                max_lines=limits[0],
                size=loaded.utf16,
                max_size=limits[1],
                bytes=loaded.bytes,
            )
        )
    )


def _print_lost(loaded: Loaded, lost: list[Entry], env: CliEnv) -> None:
    if loaded.lost_from is None:
        env.out(env.text(msg("The agent loads all of it.")))
        return
    if not lost:
        env.out(env.text(msg("The end of the text is lost, but no entry.")))
        return
    env.out(env.text(msg("{n} entries are lost; the agent never sees them:", n=len(lost))))
    for entry in lost:
        target = f" ({entry.targets[0].path})" if entry.targets else ""
        env.out(f"{entry.line + 1:>5}  {entry.title}{target}")
