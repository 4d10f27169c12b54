"""`memdir where`: where the memory of a directory is, which setting decided, and why the others did not."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from memdir.cli.env import CliEnv
from memdir.cli.place import absolute, add_place_arguments, environment
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.store.locate import Considered, Location

NAME = "where"
HELP = msg("Say where the memory of a directory is, and why.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATH, --json and the client's flags."""
    parser.add_argument(
        "path",
        nargs="?",
        metavar="PATH",
        help=str(msg("Directory to ask about; the current one by default.")),
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print one JSON object.")))
    add_place_arguments(parser)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """Print the answer; 2 when the directory does not exist."""
    from memdir.store.locate import locate

    cwd = absolute(env, args.path)
    if not os.path.exists(cwd):
        return env.error(msg("{path} does not exist; give the directory of a project.", path=cwd))
    location = locate(cwd, environment(env, cwd, args))
    if args.json:
        import json

        env.out(json.dumps(as_json(location, env), indent=2, ensure_ascii=False))
        return 0
    for line in sentences(location):
        env.out(env.text(line))
    for problem in location.problems:
        env.out(env.text(_problem_line(problem.path, problem.span.start, problem.message, env)))
    return 0


def as_json(location: Location, env: CliEnv) -> dict[str, Any]:
    """The answer as plain values; `why` is a sentence in the locale of the run."""
    return {
        "path": location.path,
        "owner": location.owner,
        "slug": location.slug,
        "memory_dir": location.memory_dir,
        "exists": location.exists,
        "enabled": location.enabled,
        "enabled_by": location.enabled_by,
        "source": location.source,
        "considered": [
            {"source": c.source, "value": c.value, "used": c.used, "why": env.text(c.why)}
            for c in location.considered
        ],
        "transcript_dirs": list(location.transcript_dirs),
    }


def sentences(location: Location) -> list[Message]:
    """The answer in sentences: the place, the owner, what decided, what did not, on or off, the sessions."""
    used = next(c for c in location.considered if c.used)
    if location.exists:
        lines = [
            msg("The memory of {path} is in {directory}.", path=location.path, directory=location.memory_dir)
        ]
    else:
        lines = [
            msg(
                "The memory of {path} belongs in {directory}, which does not exist yet.",
                path=location.path,
                directory=location.memory_dir,
            )
        ]
    lines += [_owner(location), msg("Decided by {source}: {why}.", source=used.source, why=used.why)]
    lines += [_rejected(c) for c in location.considered if not c.used]
    switch = next(s for s in location.switches if s.used)
    state = msg("Memory is on") if location.enabled else msg("Memory is off")
    lines.append(
        msg("{state}, decided by {source}: {why}.", state=state, source=switch.source, why=switch.why)
    )
    lines += [_rejected(c) for c in location.switches if not c.used and c.source != "default"]
    found = location.transcript_dirs
    if not found:
        lines.append(
            msg("No sessions of this project were found in {directory}.", directory=location.projects_dir)
        )
    else:
        lines.append(msg("Its sessions are in:"))
        lines += [Message("  " + path.replace("{", "{{").replace("}", "}}")) for path in found]
    return lines


def _owner(location: Location) -> Message:
    if location.is_worktree:
        return msg(
            "It belongs to {owner}, the main checkout of the worktree {top}.",
            owner=location.owner,
            top=location.top,
        )
    if location.is_repository:
        return msg("It belongs to the repository {owner}.", owner=location.owner)
    return msg(
        "It belongs to {owner} itself, as no directory above it is a git repository.", owner=location.owner
    )


def _rejected(item: Considered) -> Message:
    if item.value:
        return msg(
            "Not used: {source} = {value}, because {why}.", source=item.source, value=item.value, why=item.why
        )
    return msg("Not used: {source}, because {why}.", source=item.source, why=item.why)


def _problem_line(path: str, offset: int, message: Message, env: CliEnv) -> Message:
    if not path:
        return msg("Problem in the given settings: {message}", message=message)
    from memdir.core.text import LineIndex, decode
    from memdir.store.errors import StoreError
    from memdir.store.files import read_file

    try:
        line = LineIndex(decode(read_file(path).content)[0]).line_of(offset) + 1
    except (OSError, StoreError):  # the file can't be read, which is what the problem says
        line = 1
    return msg("Problem in {path}, line {line}: {message}", path=path, line=line, message=message)
