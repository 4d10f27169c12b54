"""`memdir team review` and `resolve`: what waits for a person."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.cli.team_open import place_arguments, print_json, transport_for
from memdir.core.i18n import msg

if TYPE_CHECKING:
    from memdir.team.report import ConflictView


def review_arguments(parser: argparse.ArgumentParser) -> None:
    """KEY, --accept, --reject."""
    parser.add_argument(
        "key", nargs="?", metavar="KEY", help=str(msg("A file in quarantine; without it all are listed."))
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--accept", action="store_true", help=str(msg("Let this version through and pull it."))
    )
    choice.add_argument("--reject", action="store_true", help=str(msg("Turn this version down.")))
    place_arguments(parser)


def review(args: argparse.Namespace, env: CliEnv) -> int:
    """0: nothing waits (any more), 1: files wait, 2: could not."""
    from memdir.team.setup import Off

    found = transport_for(args, env)
    if isinstance(found, Off):
        return env.error(found.why)
    with found.open() as (state, box):
        if args.key is None:
            waiting = {k: h.why for k, h in state.held.items()}
            if args.json:
                print_json(env, {k: [env.text(m) for m in why] for k, why in waiting.items()})
            for key, why in () if args.json else waiting.items():
                for message in why:
                    env.out(env.text(msg("{key}: {why}", key=key, why=message)))
            return 1 if waiting else 0
        text = box.held_text(args.key)
        if args.key not in state.held or text is None:
            return env.error(msg("{key} is not in quarantine.", key=args.key))
        if not args.accept and not args.reject:
            held = state.held[args.key]
            if args.json:
                print_json(
                    env,
                    {
                        "key": args.key,
                        "author": held.author,
                        "time": held.time,
                        "why": [env.text(m) for m in held.why],
                        "text": text,
                    },
                )
                return 1
            for message in held.why:
                env.out(env.text(msg("{key}: {why}", key=args.key, why=message)))
            env.out(_visible(text))
            return 1
        box.judge(args.key, args.accept)
    if args.accept:
        report = found.pull()
        if report.message is not None and report.outcome != "ok":
            return env.error(report.message)
    return 0


def _visible(text: str) -> str:
    """A doubtful text for a terminal: controls and invisible characters as code points, so that it can't act on the screen."""
    return "".join(c if c.isprintable() or c in "\n\t" else f"<U+{ord(c):04X}>" for c in text)


def resolve_arguments(parser: argparse.ArgumentParser) -> None:
    """KEY, --mine, --theirs."""
    parser.add_argument(
        "key", nargs="?", metavar="KEY", help=str(msg("A file in conflict; without it all are listed."))
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--mine", action="store_true", help=str(msg("Put your text back; the next push sends it."))
    )
    choice.add_argument(
        "--theirs", action="store_true", help=str(msg("Keep the team's text, which is in place."))
    )
    place_arguments(parser)


def resolve(args: argparse.Namespace, env: CliEnv) -> int:
    """0: no conflict (any more), 1: there are some, 2: could not."""
    from memdir.team.setup import Off

    found = transport_for(args, env)
    if isinstance(found, Off):
        return env.error(found.why)
    with found.open() as (state, box):
        if args.key is None:
            if args.json:
                print_json(env, sorted(state.conflicts))
            for key in () if args.json else sorted(state.conflicts):
                env.out(key)
            return 1 if state.conflicts else 0
        view = box.conflict(args.key)
        if view is None:
            return env.error(msg("There is no conflict about {key}.", key=args.key))
        if not args.mine and not args.theirs:
            _show(view, args, env)
            return 1
        problem = box.resolve(args.key, "mine" if args.mine else "theirs")
    return env.error(problem) if problem is not None else 0


def _show(view: ConflictView, args: argparse.Namespace, env: CliEnv) -> None:
    if args.json:
        print_json(
            env,
            {
                "key": view.key,
                "mine": view.mine,
                "theirs": view.theirs,
                "author": view.author,
                "time": view.time,
                "journal": view.entry,
            },
        )
        return
    import difflib

    theirs, mine = (view.theirs or "").splitlines(keepends=True), (view.mine or "").splitlines(keepends=True)
    labels = (
        env.text(msg("{key} (the team's, by {author})", key=view.key, author=view.author or "?")),
        env.text(msg("{key} (yours)", key=view.key)),
    )
    for line in difflib.unified_diff(theirs, mine, *labels):
        env.out(_visible(line.rstrip("\n")))
