"""`memdir team`: share the team's memories; the sub-commands live in `cli.team_*`."""

from __future__ import annotations

import argparse
import importlib

from memdir.cli.env import CliEnv
from memdir.core.i18n import msg

NAME = "team"
HELP = msg("Share team memory: pull, push, review, set up, run the service.")

# sub-command -> (module, help); the module has <name>_arguments(parser) and <name>(args, env)
SUBCOMMANDS = {
    "status": ("team_sync", msg("Say how team memory stands here.")),
    "pull": ("team_sync", msg("Bring the team directory up to the team's state.")),
    "push": ("team_sync", msg("Send what is new in the team directory.")),
    "log": ("team_history", msg("Show the history of team memory.")),
    "restore": ("team_history", msg("Make an old version of a team memory current again.")),
    "prune": ("team_history", msg("Remove memories from the team; copies and history stay.")),
    "review": ("team_review", msg("Look at files from the team that wait in quarantine.")),
    "resolve": ("team_review", msg("Look at a conflict, or end it.")),
    "init": ("team_setup", msg("Set team memory up for this repository.")),
    "login": ("team_setup", msg("Keep a token for a team service (read from the standard input).")),
    "logout": ("team_setup", msg("Forget the token for a team service.")),
    "serve": ("team_serve", msg("Run the team service.")),
    "token": ("team_admin", msg("Create, list and revoke tokens of a team service.")),
    "member": ("team_admin", msg("Add, remove and list the members of a repository.")),
    "restored": ("team_admin", msg("Tell a service that its database came back from a backup.")),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One parser per sub-command; their modules are light."""
    commands = parser.add_subparsers(dest="team_command", metavar="ACTION", required=True)
    for name, (module, text) in SUBCOMMANDS.items():
        sub = commands.add_parser(name, help=str(text), description=str(text))
        getattr(importlib.import_module(f"memdir.cli.{module}"), f"{name}_arguments")(sub)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: done, 1: something needs a person, 2: could not run."""
    from memdir.store.errors import StoreError
    from memdir.team.errors import TeamError

    module, _ = SUBCOMMANDS[args.team_command]
    try:
        code: int = getattr(importlib.import_module(f"memdir.cli.{module}"), args.team_command)(args, env)
    except (StoreError, TeamError) as error:
        return env.error(error.message)
    except OSError as error:
        return env.error(
            msg("Team memory can't be synchronised now ({error}).", error=error.strerror or str(error))
        )
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in (
            "httpx",
            "starlette",
            "uvicorn",
            "sqlalchemy",
            "joserfc",
            "psycopg",
        ):
            return env.error(
                msg("{module} is not installed; `pip install memdir[team]` brings it.", module=error.name)
            )
        raise
    return code
