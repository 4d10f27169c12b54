"""`memdir prompt`: the memory section for an agent's system prompt."""

from __future__ import annotations

import argparse
import os

from memdir.cli.env import CliEnv
from memdir.cli.place import add_place_arguments, locate_for
from memdir.core.i18n import msg

NAME = "prompt"
HELP = msg("Print the memory section for an agent's system prompt.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--team, --log-mode, --size."""
    parser.add_argument(
        "--team", action="store_true", help=str(msg("With the directory that the team shares."))
    )
    parser.add_argument(
        "--log-mode",
        action="store_true",
        help=str(msg("For long-lived sessions: append to daily logs instead of editing memories.")),
    )
    parser.add_argument("--size", action="store_true", help=str(msg("Print its size instead of the text.")))
    add_place_arguments(parser)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: printed (and the directories it names exist), 1: memory is off, so nothing is printed, 2: failed."""
    from memdir.agent.memory_prompt import memory_section
    from memdir.cli.apply_flow import could_not_write

    location = locate_for(env, None, args)
    if not location.enabled:
        why = next(s for s in location.switches if s.used)
        message = msg(
            "Memory is off, so there is no prompt. Decided by {source}: {why}.",
            source=why.source,
            why=why.why,
        )
        env.stderr.write(env.text(message) + "\n")
        return 1
    team = os.path.join(location.memory_dir, "team") if args.team else None
    text = memory_section(location.memory_dir, team_dir=team, log_mode=args.log_mode)
    if args.size:
        from memdir.core.tokens import estimate_tokens

        env.out(
            env.text(
                msg(
                    "{characters} characters, about {tokens} tokens (estimated)",
                    characters=len(text),
                    tokens=estimate_tokens(text),
                )
            )
        )
        return 0
    try:
        os.makedirs(team or location.memory_dir, exist_ok=True)  # the prompt says that they exist
    except OSError as error:
        return env.error(could_not_write(error))
    env.stdout.write(text)
    return 0
