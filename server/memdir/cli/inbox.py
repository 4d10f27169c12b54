"""`memdir inbox`: proposals of background jobs, with the words they rest on; accept, edit or refuse them."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from memdir.cli.env import CliEnv
from memdir.cli.memory_arguments import add_memory_arguments
from memdir.cli.place import add_place_arguments
from memdir.cli.project import open_project
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.agent.inbox import Inbox
    from memdir.agent.inbox_items import Item
    from memdir.store.workspace import Workspace

NAME = "inbox"
HELP = msg("List proposed memories; show, accept, edit or refuse them.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Without a sub-command: the list."""
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))
    add_place_arguments(parser)
    commands = parser.add_subparsers(dest="inbox", metavar="ACTION")
    show = commands.add_parser(
        "show", help=str(msg("Show a proposal: its change, and the words it rests on."))
    )
    show.add_argument("id", metavar="ID", help=str(msg("Number of the proposal.")))
    accept = commands.add_parser("accept", help=str(msg("Make the proposed change.")))
    accept.add_argument("id", metavar="ID", nargs="+", help=str(msg("Number of the proposal.")))
    accept.add_argument(
        "--dry-run", action="store_true", help=str(msg("Show the change as a diff and write nothing."))
    )
    accept.add_argument("--force", action="store_true", help=str(msg("Save although there are questions.")))
    accept.add_argument(
        "--consent",
        action="append",
        default=[],
        metavar="FILE",
        help=str(msg("Agree that this file is deleted or shrinks (all: every one); may be repeated.")),
    )
    accept.add_argument(
        "--accept",
        action="append",
        metavar="FILE|HUNK",
        default=[],
        help=str(msg("Take only this file or hunk (by the id that --dry-run shows); may be repeated.")),
    )
    add_memory_arguments(accept, private=False)
    edit = commands.add_parser("edit", help=str(msg("Replace the text of a proposed memory.")))
    edit.add_argument("id", metavar="ID", help=str(msg("Number of the proposal.")))
    edit.add_argument(
        "file",
        metavar="FILE",
        help=str(msg("The whole new text, with its header; - reads it from the standard input.")),
    )
    refuse = commands.add_parser("refuse", help=str(msg("Drop a proposal; it will not come back.")))
    refuse.add_argument("id", metavar="ID", nargs="+", help=str(msg("Number of the proposal.")))


def run(args: argparse.Namespace, env: CliEnv) -> int:
    """0: done; 1: there are questions and nothing was saved; 2: there is no such proposal, or it can't be accepted."""
    from memdir.agent.inbox import Inbox
    from memdir.cli.apply_flow import could_not_write, report_error
    from memdir.core.save import SaveError
    from memdir.store.errors import StoreError

    workspace = open_project(args, env)
    inbox = Inbox(env.state_dir, workspace.stores[0].root)
    try:
        if args.inbox == "show":
            return _show(args, env, workspace, inbox)
        if args.inbox == "accept":
            return _accept(args, env, workspace, inbox)
        if args.inbox == "edit":
            return _edit(args, env, inbox)
        if args.inbox == "refuse":
            return _refuse(args, env, workspace, inbox)
        return _list(args, env, inbox)
    except SaveError as error:
        return env.error(error.message)
    except StoreError as error:
        return report_error(error, env, workspace.stores[0].root)
    except OSError as error:
        return env.error(could_not_write(error))


def line_of(item: Item, env: CliEnv) -> str:
    """One line for a list."""
    what = env.text(item.title)
    if item.kind == "signal" and item.evidence:
        what += ": " + " ".join(item.evidence[0].quote.split())[:120]
    elif item.kind == "consolidation":
        what += " (" + env.text(msg("files: {count}", count=len(item.files))) + ")"
    kind = f" [{item.type}]" if item.type else ""
    return f"{item.id:>4}  {what}{kind}"


def item_json(item: Item, env: CliEnv) -> dict[str, Any]:
    """One item for programs."""
    return {
        "id": item.id,
        "kind": item.kind,
        "title": env.text(item.title),
        "created": item.created.isoformat(),
        "type": item.type,
        "signal": item.signal,
        "files": [
            {
                "path": f.rel,
                "before": _text(f.before),
                "after": _text(f.after),
                "reasons": [env.text(r) for r in f.reasons],
            }
            for f in item.files
        ],
        "evidence": [
            {"quote": e.quote, "who": e.who, "path": e.path, "line": e.line, "uuid": e.uuid}
            for e in item.evidence
        ],
    }


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "replace")


def _list(args: argparse.Namespace, env: CliEnv, inbox: Inbox) -> int:
    items = inbox.items()
    if args.json:
        import json

        env.out(json.dumps([item_json(i, env) for i in items], indent=2, ensure_ascii=False))
        return 0
    if not items:
        env.out(env.text(msg("The inbox is empty.")))
    for item in items:
        env.out(line_of(item, env))
    return 0


def _show(args: argparse.Namespace, env: CliEnv, workspace: Workspace, inbox: Inbox) -> int:
    from memdir.cli.apply_flow import preview

    item = inbox.get(args.id)
    if args.json:
        import json

        env.out(json.dumps(item_json(item, env), indent=2, ensure_ascii=False))
        return 0
    env.out(line_of(item, env))
    for evidence in item.evidence:
        who = env.text(msg("the person") if evidence.who == "person" else msg("the agent"))
        env.out(f"  “{' '.join(evidence.quote.split())}”")
        env.out(f"    {who}, {evidence.path}:{evidence.line}")
    if not item.files:
        return 0
    store = workspace.stores[0]
    store.refresh()
    env.stdout.write(preview(_plan(args, env, workspace, item).change_set, env, store.root))
    if item.kind == "consolidation":
        from memdir.agent.inbox_accept import proposal_of
        from memdir.cli.consolidate import tell

        tell(proposal_of(item, workspace.context(store, env.now())), env, store.root)
    return 0


def _plan(args: argparse.Namespace, env: CliEnv, workspace: Workspace, item: Item) -> Any:
    """How to accept an item now, with what the arguments say."""
    from memdir.agent.inbox_accept import plan_accept
    from memdir.cli.consolidate import agreed_paths
    from memdir.core.save import SaveRequest

    store = workspace.stores[0]
    team = os.path.isdir(os.path.join(store.root, "team"))
    request = None
    if getattr(args, "name", "") or getattr(args, "description", ""):
        quote = item.evidence[0].quote if item.evidence else ""
        body = env.stdin.read() if args.body == "-" else args.body or quote
        request = SaveRequest(args.type or item.type, args.name, args.description, body, args.scope)
    agreed = agreed_paths(args.consent, store.root) if hasattr(args, "consent") else None
    return plan_accept(item, workspace.context(store, env.now()), team=team, request=request, agreed=agreed)


def _accept(args: argparse.Namespace, env: CliEnv, workspace: Workspace, inbox: Inbox) -> int:
    from memdir.agent.consolidate_job import decide_logs
    from memdir.cli.apply_flow import accepted, preview, report_applied
    from memdir.store.apply import apply

    store = workspace.stores[0]
    for number in args.id:
        item = inbox.get(number)
        store.refresh()
        plan = _plan(args, env, workspace, item)
        chosen = accepted(plan.change_set, env, store.root, args)
        if isinstance(chosen, int):
            return chosen
        if args.dry_run:
            env.stdout.write(preview(chosen, env, store.root))
            continue
        if plan.questions and not args.force:
            for question in plan.questions:
                env.stderr.write(env.text(question.message) + "\n")
            env.stderr.write(env.text(msg("Nothing was saved. --force saves it all the same.")) + "\n")
            return 1
        done = apply(chosen, roots=[store.root], state_dir=env.state_dir, now=env.now(), bases=plan.bases)
        report_applied(done, env, store.root)
        for advice in plan.advice:
            env.stderr.write(env.text(msg("Note: {advice}", advice=advice)) + "\n")
        if item.kind == "consolidation":
            decide_logs(store.root, env.state_dir, item.created)
            _keep_rest(item, env, workspace, inbox)
        else:
            inbox.remove([number])
    return 0


def _keep_rest(item: Item, env: CliEnv, workspace: Workspace, inbox: Inbox) -> None:
    """What of a consolidation was not taken goes on waiting, as far as it still fits."""
    from memdir.agent.inbox_accept import rest_of

    store = workspace.stores[0]
    store.refresh()
    rest = rest_of(item, workspace.context(store, env.now()))
    if rest is None:
        inbox.remove([item.id])
        return
    inbox.update(rest)
    env.out(env.text(msg("Files of the proposal that still wait: {count}.", count=len(rest.files))))


def _edit(args: argparse.Namespace, env: CliEnv, inbox: Inbox) -> int:
    from memdir.agent.inbox_accept import with_text

    item = inbox.get(args.id)
    if args.file == "-":
        text = env.stdin.read()
    else:
        with open(os.path.join(env.cwd, args.file), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    inbox.update(with_text(item, text))
    env.out(line_of(inbox.get(args.id), env))
    return 0


def _refuse(args: argparse.Namespace, env: CliEnv, workspace: Workspace, inbox: Inbox) -> int:
    from memdir.agent.consolidate_job import decide_logs

    for number in args.id:
        item = inbox.refuse(number, env.now())
        if item.kind == "consolidation":
            decide_logs(workspace.stores[0].root, env.state_dir, item.created)
        refused: Message = msg("Refused: {title}", title=item.title)
        env.out(env.text(refused))
    return 0
