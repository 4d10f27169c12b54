"""`memdir recall`: which memories help with a query, and why; judging results (`--stats`: `recall_numbers.py`)."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from memdir.cli.env import CliEnv
from memdir.cli.place import absolute
from memdir.cli.project import add_project_arguments, open_project
from memdir.core.i18n import msg

if TYPE_CHECKING:
    from memdir.agent.recall_types import Recall
    from memdir.store.workspace import Workspace

NAME = "recall"
HELP = msg("Choose the memories that help with a query.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The query, what is in play, and how to answer."""
    parser.add_argument(
        "query", nargs="?", metavar="QUERY", help=str(msg("The request; - reads it from the standard input."))
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))
    parser.add_argument(
        "--explain", action="store_true", help=str(msg("Say also why the next ones were not chosen."))
    )
    parser.add_argument(
        "--limit", type=int, default=5, metavar="N", help=str(msg("At most N memories (5 at most)."))
    )
    parser.add_argument("--no-model", action="store_true", help=str(msg("Compare words, ask no model.")))
    parser.add_argument("--tool", action="append", default=[], metavar="NAME", help=str(msg("A tool in use: notes that merely explain it are left out; may be repeated.")))  # fmt: skip
    parser.add_argument(
        "--session",
        default="",
        metavar="ID",
        help=str(msg("What this session was shown already does not come again.")),
    )
    parser.add_argument("--stats", action="store_true", help=str(msg("Show how recall has done so far.")))
    judge = parser.add_mutually_exclusive_group()
    judge.add_argument(
        "--right",
        nargs=2,
        metavar=("ID", "FILE"),
        help=str(msg("Note that a result of an earlier recall was right.")),
    )
    judge.add_argument(
        "--wrong",
        nargs=2,
        metavar=("ID", "FILE"),
        help=str(msg("Note that a result of an earlier recall was wrong.")),
    )
    add_project_arguments(parser)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: answered (also with nothing), 2: no query, or the directory does not exist."""
    cwd = absolute(env, args.cwd)
    if not os.path.isdir(cwd):
        return env.error(msg("{path} does not exist; give the directory of a project.", path=cwd))
    workspace = open_project(args, env)
    if args.stats:
        from memdir.cli.recall_numbers import show_stats

        return show_stats(workspace, env, as_json=args.json)
    if args.right or args.wrong:
        return _mark(args, env, workspace)
    query = env.stdin.read() if args.query == "-" else args.query
    if not query or not query.strip():
        return env.error(msg("Nothing to look for: give a query, or --stats."))
    if args.limit < 1:
        return env.error(msg("--limit must be at least 1."))
    return _recall(args, env, workspace, query)


def _recall(args: argparse.Namespace, env: CliEnv, workspace: Workspace, query: str) -> int:
    import asyncio
    from dataclasses import replace

    from memdir.agent.recall_service import recall_once, records_for
    from memdir.agent.recall_types import Question

    records = records_for(workspace, env.state_dir)
    question = Question(query, records.shown(args.session), tuple(args.tool), args.limit)
    answer = recall_once(workspace, question, environ=env.environ, now=env.now(), no_model=args.no_model)
    found = asyncio.run(answer).recall
    found = replace(found, id=records.add(found, now=env.now(), session=args.session))
    if args.json:
        import json

        env.out(json.dumps(found.to_json(env.locale, explain=args.explain), ensure_ascii=False, indent=2))
        return 0
    _print(args, env, workspace, found)
    return 0


def _print(args: argparse.Namespace, env: CliEnv, workspace: Workspace, found: Recall) -> None:
    from memdir.cli.reports.text_report import printable
    from memdir.core.age import age_words

    if not workspace.location.enabled:
        env.stderr.write(
            env.text(
                msg("Memory is switched off here, so the agent sees none of this; `memdir where` says why.")
            )
            + "\n"
        )
    if found.fallback is not None:
        env.out(env.text(msg("By words, without a model: {reason}", reason=found.fallback)))
    if not found.selected:
        env.out(env.text(msg("No memory helps with this ({count} considered).", count=len(found.offered))))
    for n, choice in enumerate(found.selected, 1):
        kind = choice.type or env.text(msg("no type"))
        env.out(printable(f"{n}. {choice.name}  ({kind}, {env.text(age_words(choice.days))})"))
        env.out(printable(f"   {choice.path}"))
        env.out(printable(f"   {env.text(choice.reason)}"))
        if choice.caveat is not None:
            env.out(printable(f"   {env.text(choice.caveat)}"))
    if args.explain:
        _explain(env, workspace, found)


def _explain(env: CliEnv, workspace: Workspace, found: Recall) -> None:
    from memdir.cli.reports.text_report import printable

    if found.missed:
        env.out()
        env.out(env.text(msg("Not chosen:")))
        for one in found.missed:
            env.out(printable(f"   {one.name}  ({one.rel}): {env.text(one.reason)}"))
    env.out()
    method = msg("by a model") if found.method == "model" else msg("by words")
    took = f"{found.latency_ms:.0f}"
    env.out(
        env.text(
            msg("{count} considered, {method}, {ms} ms.", count=len(found.offered), method=method, ms=took)
        )
    )
    if found.usage is not None:
        from memdir.agent.client_types import describe_usage, parse_prices, price_of

        settings = workspace.settings
        price = price_of(settings.recall.model, parse_prices(settings.agent.prices))
        env.out(env.text(describe_usage(found.usage, price.cost(found.usage) if price else None)))
    if found.id:
        env.out(env.text(msg("Judge a result: memdir recall --right {id} FILE, or --wrong.", id=found.id)))


def _mark(args: argparse.Namespace, env: CliEnv, workspace: Workspace) -> int:
    from memdir.agent.recall_service import records_for

    records = records_for(workspace, env.state_dir)
    recall_id, file = args.right or args.wrong
    chosen = next(
        (r["chosen"] for r in records.read() if r["kind"] == "recall" and r.get("id") == recall_id), None
    )
    if chosen is None:
        return env.error(
            msg(
                "There is no recall {id} here; `memdir recall QUERY --explain` shows the number.",
                id=recall_id,
            )
        )
    if file not in chosen:
        return env.error(
            msg(
                "{file} is no result of that recall; it gave: {results}.",
                file=file,
                results=", ".join(chosen) or "-",
            )
        )
    if not records.mark(recall_id, file, right=bool(args.right), now=env.now()):
        return env.error(
            msg(
                "The records can't be written; see the setting recall.records and the state directory {path}.",
                path=env.state_dir,
            )
        )
    return 0
