"""What every command needs to find a memory: its arguments, the directory asked about, the environment."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.core.i18n import msg

if TYPE_CHECKING:
    from memdir.store.locate import Environment, Location


TRUSTED = "MEMDIR_TRUSTED"
ALLOWED = "MEMDIR_ALLOW_PROJECT_DIRECTORY"


def add_place_arguments(parser: argparse.ArgumentParser) -> None:
    """The client's own flags that move memory or switch it off."""
    parser.add_argument(
        "--settings",
        metavar="JSON|FILE",
        help=str(msg("Settings as the agent's client gets them with --settings.")),
    )
    parser.add_argument("--bare", action="store_true", help=str(msg("Answer as for the client's --bare.")))
    parser.add_argument(
        "--safe-mode", action="store_true", help=str(msg("Answer as for the client's --safe-mode."))
    )


def absolute(env: CliEnv, path: str | None) -> str:
    """`path` (or the current directory) as an absolute path."""
    return os.path.normpath(os.path.join(env.cwd, path)) if path else env.cwd


def environment(env: CliEnv, cwd: str, args: argparse.Namespace | None = None) -> Environment:
    """The environment to locate the memory of `cwd` with; `args` may carry `add_place_arguments`.

    An editor that runs a command says with `TRUSTED` and `ALLOWED` (1 or 0) what it knows of the workspace, so that both
    mean the same directory.
    """
    from memdir.store.config import make_environment

    found = make_environment(
        env.environ,
        env.home,
        cwd,
        system_root=env.system_root,
        flag_settings=getattr(args, "settings", None),
        trusted=_said(env, TRUSTED),
        bare=getattr(args, "bare", False),
        safe_mode=getattr(args, "safe_mode", False),
    )
    allowed = _said(env, ALLOWED)
    return found if allowed is None else replace(found, allow_project_directory=allowed)


def _said(env: CliEnv, variable: str) -> bool | None:
    return {"1": True, "0": False}.get(env.environ.get(variable, ""))


def locate_for(env: CliEnv, path: str | None, args: argparse.Namespace | None = None) -> Location:
    """Where the memory of `path` (default: the current directory) is."""
    from memdir.store.locate import locate

    cwd = absolute(env, path)
    return locate(cwd, environment(env, cwd, args))
