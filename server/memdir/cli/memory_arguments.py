"""Arguments that say what a memory holds, for the commands that write one."""

from __future__ import annotations

import argparse

from memdir.core.i18n import msg


def add_memory_arguments(parser: argparse.ArgumentParser, *, private: bool) -> None:
    """--type, --name, --description, --body and --team, with `private` also --private; all but the scope default to ""."""
    parser.add_argument("--type", default="", help=str(msg("user, feedback, project or reference.")))
    parser.add_argument("--name", default="", help=str(msg("Title of the memory.")))
    parser.add_argument(
        "--description",
        default="",
        help=str(msg("One line that says what it holds, in words that a question would use.")),
    )
    parser.add_argument(
        "--body", default="", metavar="TEXT|-", help=str(msg("The text; - reads it from the standard input."))
    )
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument(
        "--team",
        dest="scope",
        action="store_const",
        const="team",
        help=str(msg("Into the directory that the team shares.")),
    )
    if private:
        scope.add_argument(
            "--private",
            dest="scope",
            action="store_const",
            const="private",
            help=str(msg("Into your own directory.")),
        )
