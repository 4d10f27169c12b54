"""`memdir team init`, `login` and `logout`."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.cli.team_open import config_dir, place_arguments, settings_for, untrusted
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.store.locate import Location


def init_arguments(parser: argparse.ArgumentParser) -> None:
    """--url, --repository, or --git with --remote or --folder."""
    parser.add_argument("--url", metavar="URL", help=str(msg("Address of the team service.")))
    parser.add_argument(
        "--repository",
        metavar="NAME",
        help=str(msg("Name of this repository at the service; by default host and path of the git remote.")),
    )
    parser.add_argument(
        "--git", action="store_true", help=str(msg("Travel through git instead of a service."))
    )
    parser.add_argument(
        "--remote", metavar="URL", help=str(msg("With --git: a repository for team memory alone."))
    )
    parser.add_argument(
        "--folder", metavar="PATH", help=str(msg("With --git: a folder of this project's repository."))
    )
    place_arguments(parser)


def init(args: argparse.Namespace, env: CliEnv) -> int:
    """0: set up, 2: could not."""
    from memdir.team.failures import check_url
    from memdir.team.protocol import REPOSITORY
    from memdir.team.setup import repository_name, team_root

    location, settings, _ = settings_for(args, env)
    if not location.enabled:
        return env.error(
            msg("Memory is off here ({source}), so team memory is off too.", source=location.enabled_by)
        )
    if (
        bool(args.url) == bool(args.git)
        or (args.remote and args.folder)
        or ((args.remote or args.folder) and not args.git)
    ):
        return env.error(msg("Give --url for a service, or --git with at most one of --remote and --folder."))
    if args.git:
        from memdir.team.gitsetup import init_git

        problem = init_git(team_root(location), location.top, args.remote, args.folder, env.environ)
        if problem is not None:
            return env.error(problem)
        values = {"transport": "git"}
    else:
        url = check_url(args.url)
        name = args.repository or repository_name(location, settings)
        if name is None or not REPOSITORY.fullmatch(name):
            return env.error(msg("The repository has no remote to take its name from; give --repository."))
        values = {"transport": "service", "url": url, "repository": name}
    problem = _write_settings(location, values)
    if problem is not None:
        return env.error(problem)
    env.out(
        env.text(msg("Team memory is set up in {path}.", path=os.path.join(location.owner, "memdir.toml")))
    )
    _, _, withheld = settings_for(args, env)
    if any(key.startswith("team") for key in withheld):
        env.out(env.text(untrusted(location, env)))
    if not args.git:
        env.out(
            env.text(
                msg("Next: `memdir team login --url {url}`, then `memdir team pull`.", url=values["url"])
            )
        )
    return 0


def _write_settings(location: Location, values: dict[str, str]) -> Message | None:
    """Add a [team] table to the project's memdir.toml; a message when there is one already that says something else."""
    import json
    import tomllib

    from memdir.store.files import atomic_write

    path = os.path.join(location.owner, "memdir.toml")
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
        present = tomllib.loads(text).get("team")
    except FileNotFoundError:
        text, present = "", None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return msg("{path} is not valid TOML; mend it first.", path=path)
    if present is not None:
        same = isinstance(present, dict) and all(present.get(k) == v for k, v in values.items())
        return None if same else msg("{path} has a [team] table already; change it there.", path=path)
    lead = "" if not text else text if text.endswith("\n") else text + "\n"
    table = "[team]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    atomic_write(path, (lead + ("\n" if lead else "") + table).encode())
    return None


def login_arguments(parser: argparse.ArgumentParser) -> None:
    """--url."""
    parser.add_argument(
        "--url", metavar="URL", help=str(msg("Address of the team service; by default the one set here."))
    )
    place_arguments(parser)


logout_arguments = login_arguments


def login(args: argparse.Namespace, env: CliEnv) -> int:
    """0: kept, 2: could not. The token is read from the standard input, never from an argument (others could see it)."""
    from memdir.team.credentials import person_store

    url = _url(args, env)
    if isinstance(url, Message):
        return env.error(url)
    if env.stdin.isatty():
        import getpass

        token = getpass.getpass(env.text(msg("Token for {url}: ", url=url)), stream=env.stderr).strip()
    else:
        token = env.stdin.readline().strip()
    if not token or not token.isascii() or " " in token:
        return env.error(msg("The token for {url} is no usable token.", url=url))
    person_store(config_dir(env)).set(url, token)
    env.out(env.text(msg("The token for {url} is kept.", url=url)))
    return 0


def logout(args: argparse.Namespace, env: CliEnv) -> int:
    """0: forgotten, 2: could not."""
    from memdir.team.credentials import FileTokens, person_store

    url = _url(args, env)
    if isinstance(url, Message):
        return env.error(url)
    for store in (person_store(config_dir(env)), FileTokens(config_dir(env))):
        if store.get(url) is not None:
            store.set(url, None)
    env.out(env.text(msg("The token for {url} is forgotten.", url=url)))
    return 0


def _url(args: argparse.Namespace, env: CliEnv) -> str | Message:
    from memdir.team.failures import check_url

    given = args.url or settings_for(args, env)[1].team.url
    return check_url(given) if given else msg("The address of the team service is not set (team.url).")
