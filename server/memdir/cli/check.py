"""`memdir check [PATH...]`: report what is wrong with memory files, and mend it with `--fix`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, TextIO, cast

from memdir.cli.check_target import Target
from memdir.cli.env import CliEnv
from memdir.cli.place import environment
from memdir.core.i18n import Message, msg
from memdir.core.rules import NAMES
from memdir.store.snapshot import read_bytes, scan
from memdir.store.workspace import Workspace, memory_root_of, open_workspace, owner_of

if TYPE_CHECKING:
    from memdir.cli.reports import FileReport
    from memdir.core.settings import Problem

FORMS = ("text", "json", "sarif", "github")  # see memdir.cli.reports


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to check, what to report, what to mend."""
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        metavar="PATH",
        help=str(
            msg("Memory files, memory directories or repositories; by default the memory of the current one.")
        ),
    )
    add("--format", choices=FORMS, default="text", help=str(msg("Form of the report.")))
    add("--fix", action="store_true", help=str(msg("Apply the safe fixes; `memdir undo` takes them back.")))
    add("--unsafe-fixes", action="store_true", help=str(msg("With --fix: also fixes that want a look.")))
    add("--diff", action="store_true", help=str(msg("Show what --fix would change and write nothing.")))
    add(
        "--select",
        action="append",
        metavar="RULES",
        default=[],
        help=str(msg("Run only these rules (comma-separated).")),
    )
    add(
        "--ignore",
        action="append",
        metavar="RULES",
        default=[],
        help=str(msg("Don't run these rules (comma-separated).")),
    )
    add("--now", metavar="ISO", help=str(msg("Judge ages and deadlines as of this date.")))
    add(
        "--all-projects", action="store_true", help=str(msg("Check every memory directory of this computer."))
    )
    add(
        "--no-cache",
        action="store_true",
        help=str(msg("Check every file, even when nothing has changed since the last run.")),
    )
    add("--exit-zero", action="store_true", help=str(msg("Exit with 0 also when there are findings.")))


class UsageError(Exception):
    """The command line asks for something that is not there; carries the sentence for the person."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


@dataclass(slots=True)
class Plan:
    """Everything one run looks at."""

    targets: list[Target] = field(default_factory=list)
    problems: dict[tuple[str, int, str], Problem] = field(default_factory=dict)

    def add_misplaced(self, workspace: Workspace) -> None:
        """Agent memory below sub-directories: found by walking the repository, so only when a repository is asked for."""
        if workspace.location.is_repository and workspace.settings.runs("agent-memory-misplaced"):
            from memdir.store.misplaced import misplaced_problems

            for problem in misplaced_problems(workspace.location.top):
                self.problems[(problem.path, 0, problem.rule)] = problem

    def add_workspace(self, workspace: Workspace, only: dict[str, set[str]] | None = None) -> None:
        for problem in workspace.problems:
            self.problems[(problem.path, problem.span.start, problem.rule)] = problem
        for store in workspace.stores:
            known = next((t for t in self.targets if t.store.root == store.root), None)
            wanted = only.get(store.root) if only else None
            if known is None:
                self.targets.append(Target(workspace, store, scan(store.root), wanted))
            elif wanted is None or known.only is None:
                known.only = None
            else:
                known.only |= wanted


def run(args: argparse.Namespace, env: CliEnv) -> int:
    try:
        now = _moment(args.now, env)
        flags = _flags(args)
        plan = _plan(args, env, flags)
    except UsageError as error:
        return env.error(error.message)
    fixed: Message | None = None
    if args.diff or args.fix:
        from memdir.cli.check_fix import fix_targets

        for target in plan.targets:
            target.read()
        done = fix_targets(plan.targets, now, env, unsafe=args.unsafe_fixes, diff=args.diff)
        if isinstance(done, int):
            return done
        fixed = done
        if args.diff:
            changes = fixed is not None
            return 1 if changes and not args.exit_zero else 0
    found = _check(args, plan, now, env)
    if fixed is not None and args.format == "text":
        env.out(env.text(fixed))
    return 1 if found and not args.exit_zero else 0


def _check(args: argparse.Namespace, plan: Plan, now: datetime, env: CliEnv) -> bool:
    """Print what is found, or what was found last time when nothing has changed; True when there is something."""
    problems = list(_problem_reports(plan))
    question = None
    if not (args.no_cache or args.fix):
        from memdir.cli import check_cache

        question = check_cache.ask(plan.targets, problems, now, args.format, env)
        known = check_cache.repeat(question, plan.targets, env) if question else None
        if known is not None:
            return known
    from memdir.cli.check_run import check_targets
    from memdir.cli.reports import make_form

    draft = check_cache.draft(question, env) if question else None
    if question is None or draft is None:
        return check_targets(plan.targets, problems, now, make_form(args.format, env)).tally.count > 0
    plain = env.stdout
    env.stdout = cast(TextIO, check_cache.Copied(plain, draft))
    try:
        outcome = check_targets(plan.targets, problems, now, make_form(args.format, env), record=True)
    except BaseException:
        draft.drop()
        raise
    finally:
        env.stdout = plain
    found = outcome.tally.count > 0
    check_cache.keep(question, draft, found, outcome.dependencies)
    return found


def _moment(text: str | None, env: CliEnv) -> datetime:
    if text is None:
        return env.now()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            msg("--now wants an ISO date such as 2026-03-11, not “{text}”.", text=text)
        ) from error
    return moment if moment.tzinfo else moment.astimezone()


def _flags(args: argparse.Namespace) -> dict[str, object]:
    values: dict[str, object] = {}
    for key in ("select", "ignore"):
        names = tuple(n.strip() for chunk in getattr(args, key) for n in chunk.split(",") if n.strip())
        for name in names:
            if name not in NAMES:
                from memdir.core.fixing import nearest

                close = nearest(name, NAMES)
                if close:
                    raise UsageError(
                        msg("There is no rule “{name}”. Did you mean {other}?", name=name, other=close)
                    )
                raise UsageError(msg("There is no rule “{name}”; `memdir rules` lists them.", name=name))
        if names:
            values[key] = names
    return values


def _plan(args: argparse.Namespace, env: CliEnv, flags: dict[str, object]) -> Plan:
    outside = environment(env, env.cwd)
    plan = Plan()
    if args.all_projects:
        from memdir.store.memory_dirs import all_memory_directories

        for found in all_memory_directories(outside, env.cwd):
            owner = found.owner if found.owner and found.owner_exists else found.path
            plan.add_workspace(open_workspace(owner, outside, flags=flags, memory_dir=found.path))
        return plan
    if not args.paths:
        workspace = open_workspace(env.cwd, outside, flags=flags)
        plan.add_workspace(workspace)
        plan.add_misplaced(workspace)
        return plan
    for given in args.paths:
        path = os.path.normpath(os.path.join(env.cwd, given))
        if not os.path.exists(path):
            raise UsageError(msg("{path}: there is no such file or directory.", path=given))
        root = memory_root_of(path)
        if root is None and os.path.isdir(path):
            workspace = open_workspace(path, outside, flags=flags)
            plan.add_workspace(workspace)
            plan.add_misplaced(workspace)
            continue
        if root is None or not (os.path.isdir(path) or path.endswith(".md")):
            raise UsageError(
                msg(
                    "{path} is no memory file: name a .md file of a memory directory, or a repository.",
                    path=given,
                )
            )
        workspace = open_workspace(owner_of(root, env.cwd, outside), outside, flags=flags, memory_dir=root)
        only: dict[str, set[str]] | None = None
        if path != root:
            rel = path[len(root) + 1 :].replace(os.sep, "/")
            files = scan(root).files
            chosen = {rel} if rel in files else {r for r in files if r.startswith(rel + "/")}
            only = {workspace.stores[0].root: chosen}
        plan.add_workspace(workspace, only)
    return plan


def _problem_reports(plan: Plan) -> Iterable[FileReport]:
    if not plan.problems:
        return
    from memdir.core.model import Diagnostic, Severity
    from memdir.core.rules import TABLE
    from memdir.core.text import LineIndex, decode

    by_path: dict[str, list[Problem]] = {}
    settings = plan.targets[0].workspace.settings if plan.targets else None
    for problem in plan.problems.values():
        by_path.setdefault(problem.path, []).append(problem)
    for path, problems in by_path.items():
        try:
            text, _ = decode(read_bytes(path)) if path else ("", False)
        except OSError:
            text = ""
        found = []
        for p in sorted(problems, key=lambda p: p.span):
            severity = TABLE[p.rule].severity if p.rule in TABLE else Severity.WARNING
            chosen = settings.severity_of(p.rule, severity) if settings else severity
            if chosen is not None:
                found.append(Diagnostic(p.rule, chosen, path, p.span, p.message, p.fixes))
        if found:
            from memdir.cli.reports import FileReport

            yield FileReport(path, text, LineIndex(text), tuple(found))
