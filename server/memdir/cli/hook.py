"""`memdir hook`: what the agent's client runs (`user-prompt`, `stop`), and putting that into its settings (`install`, `uninstall`).

The hooks themselves say nothing when anything goes wrong: an agent must not stumble over its memory. MEMDIR_DEBUG=1
prints the reason on stderr.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memdir.cli.apply_flow import add_change_arguments, carry_out, could_not_write
from memdir.cli.env import CliEnv
from memdir.core.i18n import msg

if TYPE_CHECKING:
    from memdir.agent.recall_types import Recall
    from memdir.agent.records import RecallRecords

NAME = "hook"
HELP = msg("Give the agent's client memories for each prompt; install or remove that.")
MARGIN_SECONDS = 2.0  # beside the model's own deadline: starting up, reading, verifying


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One subcommand each for the client, and for the person."""
    commands = parser.add_subparsers(dest="hook", metavar="HOOK", required=True)
    commands.add_parser(
        "user-prompt", help=str(msg("Answer the client's UserPromptSubmit event (JSON on stdin)."))
    )
    commands.add_parser(
        "stop",
        help=str(
            msg("Answer the client's Stop event (JSON on stdin): look through the turn in the background.")
        ),
    )
    install = commands.add_parser("install", help=str(msg("Add the hooks to your settings of the client.")))
    install.add_argument(
        "--program",
        metavar="COMMAND",
        help=str(msg("How the client should call memdir (default: this program).")),
    )
    add_change_arguments(install)
    uninstall = commands.add_parser("uninstall", help=str(msg("Take the hooks out of your settings again.")))
    add_change_arguments(uninstall)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """Hooks always give 0. install, uninstall: 0 done or nothing to do, 2 the settings can't be changed."""
    if args.hook == "user-prompt":
        return user_prompt(env)
    if args.hook == "stop":
        from memdir.cli.hook_stop import stop

        return stop(env)
    return _change(args, env)


@dataclass(slots=True)
class _Work:
    """What the worker has come to. `seconds` is how long it may take in all, which it says once it knows the settings."""

    seconds: float
    own: bool
    session: str = ""
    records: RecallRecords | None = None
    answer: Recall | None = None
    text: str = ""


def user_prompt(env: CliEnv) -> int:
    """Print the memories for the prompt on stdin, or nothing. Never longer than the deadline, never an error."""
    import threading
    import time

    seconds, own = _patience(env)
    work = _Work(seconds, own)

    def run_work() -> None:
        try:
            _answer(env, work)
        except Exception as error:  # whatever it is, the agent goes on without memories
            _debug(env, f"{type(error).__name__}: {error}")

    worker = threading.Thread(target=run_work, daemon=True)
    start = time.monotonic()
    worker.start()
    while worker.is_alive() and (left := start + work.seconds - time.monotonic()) > 0:
        worker.join(min(left, 0.25))
    if worker.is_alive():
        _debug(env, f"no answer within {work.seconds:.1f} s")
        if work.records is not None:
            work.records.late(now=env.now(), session=work.session)
        _leave(env)
        return 0
    if work.answer is not None:
        if work.text:
            env.out(work.text)
        if work.records is not None:
            work.records.add(work.answer, now=env.now(), session=work.session)
    return 0


def _answer(env: CliEnv, work: _Work) -> None:
    import asyncio

    from memdir.agent.hook import MAX_INPUT, hook_output, parse_input
    from memdir.agent.recall_service import recall_once, records_for
    from memdir.agent.recall_types import Question
    from memdir.cli.place import absolute, environment
    from memdir.store.workspace import open_workspace

    said = parse_input(env.stdin.read(MAX_INPUT))
    if said is None:
        return
    cwd = absolute(env, said.cwd)
    workspace = open_workspace(cwd, environment(env, cwd), agents=False)
    if not workspace.location.enabled:
        return
    settings = workspace.settings.recall
    if not work.own:
        work.seconds = settings.deadline_ms / 1000 + MARGIN_SECONDS
    records = records_for(workspace, env.state_dir)
    work.session = said.session
    work.records = records
    question = Question(said.prompt, records.shown(said.session), (), settings.limit)
    answer = asyncio.run(recall_once(workspace, question, environ=env.environ, now=env.now()))
    work.text = hook_output(answer.recall, answer.documents)
    work.answer = answer.recall


def _patience(env: CliEnv) -> tuple[float, bool]:
    """(seconds until the hook gives up, whether the person fixed them with MEMDIR_HOOK_SECONDS)."""
    from memdir.core.settings import DEFAULTS

    try:
        own = float(env.environ.get("MEMDIR_HOOK_SECONDS", ""))
    except ValueError:
        own = 0.0
    return (own, True) if 0 < own < 600 else (DEFAULTS.recall.deadline_ms / 1000 + MARGIN_SECONDS, False)


def _debug(env: CliEnv, text: str) -> None:
    if env.environ.get("MEMDIR_DEBUG"):
        print(f"memdir hook: {text}", file=env.stderr)


def _leave(env: CliEnv) -> None:
    """End the process at once when it is our own: threads that still wait must not keep the agent waiting."""
    if env.stdout is sys.__stdout__:
        env.stdout.flush()
        env.stderr.flush()
        os._exit(0)


def _change(args: argparse.Namespace, env: CliEnv) -> int:
    from memdir.agent.hook_install import SettingsError, install, uninstall
    from memdir.cli.apply_flow import read_present
    from memdir.cli.place import environment
    from memdir.store.environment import config_directory
    from memdir.store.errors import StoreError

    folder = config_directory(environment(env, env.cwd), env.cwd)
    path = os.path.realpath(os.path.join(folder, "settings.json"))  # a link into one's dotfiles is followed
    try:
        content = read_present(path)
        if args.hook == "install":
            change = install(path, content, args.program or program())
        else:
            change = uninstall(path, content)
    except SettingsError as error:
        return env.error(error.message)
    except StoreError as error:
        return env.error(error.message)
    except OSError as error:
        return env.error(could_not_write(error))
    if not change:
        done = (
            msg("The hooks are installed already.")
            if args.hook == "install"
            else msg("No hook of Memdir is installed.")
        )
        env.out(env.text(done))
        return 0
    return carry_out(change, env, roots=[os.path.dirname(path)], base=os.path.dirname(path), args=args)


def program() -> str:
    """How another program calls this one: the `memdir` that is running, else this Python with the module. Quoted."""
    import shlex

    started = os.path.abspath(sys.argv[0]) if sys.argv and sys.argv[0] else ""
    if os.path.basename(started).removesuffix(".exe") == "memdir" and os.access(started, os.X_OK):
        return _quoted(started)
    return f"{shlex.quote(sys.executable)} -m memdir.cli.main"


def _quoted(path: str) -> str:
    import shlex

    return f'"{path}"' if os.name == "nt" else shlex.quote(path)
