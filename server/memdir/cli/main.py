"""Entry point of the `memdir` command: finds the command's module and runs it.

Start-up is a feature: the table below holds what `--help` prints, so only the chosen command's module is imported.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from memdir.cli.env import CliEnv
from memdir.core.i18n import Message, msg

# name -> (module, help); the module has add_arguments(parser) and run(args, env)
COMMANDS: dict[str, tuple[str, Message]] = {
    "check": ("memdir.cli.check", msg("Check memory files and report problems.")),
    "where": ("memdir.cli.where", msg("Say where the memory of a directory is, and why.")),
    "index": ("memdir.cli.index", msg("Show what of MEMORY.md the agent loads and what it loses.")),
    "context": ("memdir.cli.context", msg("Show everything the agent loads for a directory, with sizes.")),
    "doctor": (
        "memdir.cli.doctor",
        msg("Find memory directories that were left behind, and move them home."),
    ),
    "rules": ("memdir.cli.rules", msg("List the rules, or explain one.")),
    "forget": (
        "memdir.cli.forget",
        msg("Delete a memory and what points to it; `memdir undo` brings it back."),
    ),
    "save": ("memdir.cli.save", msg("Save a memory: the file and its index line.")),
    "log": ("memdir.cli.log", msg("Append a line to today's log.")),
    "prompt": ("memdir.cli.prompt", msg("Print the memory section for an agent's system prompt.")),
    "recall": ("memdir.cli.recall", msg("Choose the memories that help with a query.")),
    "extract": (
        "memdir.cli.extract",
        msg("Look through a session for what should be remembered; proposals go to the inbox."),
    ),
    "inbox": ("memdir.cli.inbox", msg("List proposed memories; show, accept, edit or refuse them.")),
    "consolidate": (
        "memdir.cli.consolidate",
        msg("Bring memories in order: merge, correct, shorten; as a proposal to review."),
    ),
    "notes": ("memdir.cli.notes", msg("Show or update the notes of a session, or go on from them.")),
    "hook": (
        "memdir.cli.hook",
        msg("Give the agent's client memories for each prompt; install or remove that."),
    ),
    "team": ("memdir.cli.team", msg("Share team memory: pull, push, review, set up, run the service.")),
    "undo": ("memdir.cli.undo", msg("Undo a change that Memdir made, or list them.")),
    "serve": ("memdir.cli.serve", msg("Run the language server.")),
}


def build_parser(env: CliEnv, chosen: str | None) -> argparse.ArgumentParser:
    """The parser; only the command named `chosen` gets its arguments (and its module imported)."""
    from memdir import __version__

    parser = argparse.ArgumentParser(
        prog="memdir",
        description=env.text(msg("Keep the file memory of AI coding agents visible, correct and safe.")),
    )
    parser.add_argument("--version", action="version", version=f"memdir {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, help_text) in COMMANDS.items():
        sub = commands.add_parser(name, help=env.text(help_text), description=env.text(help_text))
        if name == chosen:
            importlib.import_module(module).add_arguments(sub)
            for action in sub._actions:
                if action.help and action.help is not argparse.SUPPRESS:  # commands give English templates
                    action.help = env.text(Message(action.help))
            _translate(sub, env)
    return parser


def _translate(parser: argparse.ArgumentParser, env: CliEnv) -> None:
    """Commands give help texts as `str(msg(...))`, which is the key of its own translation."""
    for action in parser._actions:  # argparse has no public list of them
        if action.help and action.help != argparse.SUPPRESS:
            action.help = env.text(Message(action.help))
        if isinstance(action, argparse._SubParsersAction):
            for listed in action._choices_actions:
                listed.help = env.text(Message(listed.help or ""))
            for sub in action.choices.values():
                sub.description = env.text(Message(sub.description or ""))
                _translate(sub, env)


def run(argv: Sequence[str], env: CliEnv) -> int:
    """Run one command line; gives the exit code (0 clean, 1 findings, 2 could not run)."""
    chosen = next((a for a in argv if not a.startswith("-")), None)
    parser = build_parser(env, chosen)
    try:
        args = parser.parse_args(list(argv))
    except SystemExit as stop:  # argparse has said why; its codes are ours (0 for --help, 2 for usage)
        return stop.code if isinstance(stop.code, int) else 2
    try:
        code: int = importlib.import_module(COMMANDS[args.command][0]).run(args, env)
        env.stdout.flush()
    except BrokenPipeError:  # `memdir check | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def main() -> None:
    """Console script."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a C locale must not turn a Chinese message into a crash
            reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:], CliEnv()))


if __name__ == "__main__":
    main()
