"""What the `memdir team` sub-commands share: the place, the settings, the transport, how results are printed."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING, Any

from memdir.cli.env import CliEnv
from memdir.cli.place import add_place_arguments, locate_for
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.core.settings import Settings
    from memdir.store.locate import Location
    from memdir.team.engine import TeamSync
    from memdir.team.setup import Off, Transport


def place_arguments(parser: argparse.ArgumentParser) -> None:
    """--cwd, --json and the client's own flags."""
    parser.add_argument(
        "--cwd", metavar="DIR", help=str(msg("Directory to ask about; the current one by default."))
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))
    add_place_arguments(parser)


def config_dir(env: CliEnv) -> str:
    """Memdir's own configuration directory."""
    from memdir.store.config import user_config_path

    return os.path.dirname(user_config_path(env.environ, env.home))


def settings_for(args: argparse.Namespace, env: CliEnv) -> tuple[Location, Settings, tuple[str, ...]]:
    """(where the memory is, the settings, keys of the project's file that do nothing for lack of trust)."""
    from memdir.store.config import load_configuration

    location = locate_for(env, args.cwd, args)
    configuration = load_configuration(location.owner, env.environ, env.home, top=location.top)
    return location, configuration.settings, configuration.withheld


def transport_for(args: argparse.Namespace, env: CliEnv) -> Transport | Off:
    """The transport of the directory asked about, or why there is none."""
    from memdir.team.setup import Off, open_team

    location, settings, withheld = settings_for(args, env)
    found = open_team(
        location,
        settings,
        environ=env.environ,
        state_dir=env.state_dir,
        config_dir=config_dir(env),
        now=env.now,
    )
    if isinstance(found, Off) and any(key.startswith("team") for key in withheld):
        return Off(untrusted(location, env), broken=True)
    return found


def untrusted(location: Location, env: CliEnv) -> Message:
    """What to say when the project's own file sets team memory up but is not trusted to."""
    from memdir.store.config import user_config_path

    return msg(
        "The project's file sets team memory up, but {owner} is not trusted. Add it to `trusted` in {path}.",
        owner=location.owner,
        path=user_config_path(env.environ, env.home),
    )


def service_for(args: argparse.Namespace, env: CliEnv) -> TeamSync:
    """The transport, when it is a service. TeamError otherwise."""
    from memdir.team.engine import TeamSync
    from memdir.team.errors import TeamError
    from memdir.team.setup import Off

    found = transport_for(args, env)
    if isinstance(found, Off):
        raise TeamError("git", found.why)
    if not isinstance(found, TeamSync):
        raise TeamError(
            "git",
            msg("This needs a team service; here team memory travels through git, whose own commands do it."),
        )
    return found


def print_json(env: CliEnv, data: Any) -> None:
    env.out(json.dumps(data, indent=2, ensure_ascii=False))


def texts(env: CliEnv, table: dict[str, Message]) -> dict[str, str]:
    """Messages by key, in the reader's language."""
    return {key: env.text(message) for key, message in table.items()}
