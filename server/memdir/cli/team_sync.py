"""`memdir team status`, `pull` and `push`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from memdir.cli.env import CliEnv
from memdir.cli.team_open import place_arguments, print_json, texts, transport_for
from memdir.core.i18n import Message, msg

if TYPE_CHECKING:
    from memdir.team.report import Report, Status

status_arguments = pull_arguments = push_arguments = place_arguments


def pull(args: argparse.Namespace, env: CliEnv) -> int:
    """0: up to date, 1: something waits for a person, 2: could not."""
    return _run(args, env, "pull")


def push(args: argparse.Namespace, env: CliEnv) -> int:
    """As `pull`."""
    return _run(args, env, "push")


def _run(args: argparse.Namespace, env: CliEnv, what: str) -> int:
    from memdir.team.setup import Off

    found = transport_for(args, env)
    if isinstance(found, Off):
        return env.error(found.why)
    report: Report = found.pull() if what == "pull" else found.push()
    blocked = found.status().blocked
    if args.json:
        print_json(env, report_json(report, env) | {"blocked": texts(env, blocked)})
    else:
        for line in report_lines(report):
            env.out(env.text(line))
        if what == "push":
            for key, why in blocked.items():
                env.out(env.text(msg("stays here: {key}: {why}", key=key, why=why)))
    if report.outcome != "ok":
        return env.error(report.message) if report.message and not args.json else 2
    return 1 if report.conflicts or report.held or report.missed or (what == "push" and blocked) else 0


def report_lines(report: Report) -> list[Message]:
    """What a run did, a line each."""
    lines = [msg("pulled {key}", key=k) for k in report.pulled if k not in report.returned]
    lines += [
        msg(
            "brought back {key}: deletions don't travel, the team still has it (`memdir team prune` removes it for all)",
            key=k,
        )
        for k in report.returned
    ]
    lines += [msg("pushed {key}", key=k) for k in report.pushed]
    lines += [msg("removed from the team: {key}", key=k) for k in report.pruned]
    lines += [msg("joined the entries of both sides in {key}", key=k) for k in report.merged]
    lines += [
        msg(
            "{key} was changed on both sides: the team's text is in place, yours is kept (`memdir team resolve {key}`)",
            key=k,
        )
        for k in report.conflicts
    ]
    lines += [msg("{key} waits in quarantine (`memdir team review {key}`)", key=k) for k in report.held]
    lines += [msg("not written: {key}: {why}", key=k, why=why) for k, why in report.missed.items()]
    if report.outcome == "ok" and report.message is not None:
        lines.append(report.message)
    if not lines and report.outcome == "ok":
        lines.append(msg("Team memory is up to date."))
    return lines


def report_json(report: Report, env: CliEnv) -> dict[str, Any]:
    """The same as plain values."""
    return {
        "outcome": report.outcome, "message": env.text(report.message) if report.message else None, "retry_in": round(report.wait, 1),
        "pulled": report.pulled, "pushed": report.pushed,
        "pruned": report.pruned, "returned": report.returned, "merged": report.merged,
        "conflicts": report.conflicts, "held": report.held, "missed": texts(env, report.missed),
    }  # fmt: skip


def status(args: argparse.Namespace, env: CliEnv) -> int:
    """0: nothing to do, 1: something waits for a person, 2: wanted but not working, or off."""
    from memdir.team.setup import Off

    found = transport_for(args, env)
    if isinstance(found, Off):
        if args.json:
            print_json(env, {"transport": "off", "why": env.text(found.why), "broken": found.broken})
            return 2 if found.broken else 0
        if found.broken:
            return env.error(found.why)
        env.out(env.text(found.why))
        return 0
    state = found.status()
    if args.json:
        print_json(env, status_json(state, env))
    else:
        for line in status_lines(state):
            env.out(env.text(line))
    if state.failure is not None:
        return 2
    return 1 if state.conflicts or state.blocked or state.held or state.refused or state.notes else 0


def status_json(state: Status, env: CliEnv) -> dict[str, Any]:
    """The status as plain values."""
    return {
        "transport": state.transport, "url": state.url, "repository": state.repository, "root": state.root,
        "last_pull": state.last_pull or None, "last_push": state.last_push or None, "pending": list(state.pending),
        "conflicts": list(state.conflicts), "blocked": texts(env, state.blocked), "refused": texts(env, state.refused),
        "held": {k: [env.text(m) for m in why] for k, why in state.held.items()}, "removed": list(state.removed), "returned": list(state.returned),
        "failure": env.text(state.failure) if state.failure else None, "not_before": state.not_before or None, "suppressed": state.suppressed,
        "notes": [env.text(m) for m in state.notes],
    }  # fmt: skip


def status_lines(state: Status) -> list[Message]:
    """The status in sentences."""
    where = (
        msg("{url}, repository {name}", url=state.url, name=state.repository)
        if state.transport == "service"
        else msg("git {url}", url=state.url or "-")
    )
    lines = [
        msg("Team memory of {root} travels through {where}.", root=state.root, where=where),
        msg(
            "Last pull: {pull}. Last push: {push}.",
            pull=state.last_pull or msg("never"),
            push=state.last_push or msg("never"),
        ),
    ]
    if state.failure is not None:
        lines.append(msg("Not working: {why}", why=state.failure))
        if state.suppressed:
            lines.append(
                msg(
                    "Nothing is tried by itself until token, settings or files change; `memdir team pull` tries at once."
                )
            )
        elif state.not_before:
            lines.append(msg("Tried again by itself after {time}.", time=state.not_before))
    lines += list(state.notes)
    lines += [msg("waits to be pushed: {key}", key=k) for k in state.pending]
    lines += [msg("conflict: {key} (`memdir team resolve {key}`)", key=k) for k in state.conflicts]
    lines += [msg("stays here: {key}: {why}", key=k, why=why) for k, why in state.blocked.items()]
    lines += [
        msg("in quarantine: {key}: {why}", key=k, why=why[0] if why else msg("doubtful"))
        for k, why in state.held.items()
    ]
    lines += [msg("not taken from the team: {why}", why=why) for why in state.refused.values()]
    lines += [msg("removed at the team, kept here: {key}", key=k) for k in state.removed]
    return lines
