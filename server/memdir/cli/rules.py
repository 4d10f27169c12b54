"""`memdir rules [NAME] [--json]`: the rules, or one rule's page."""

from __future__ import annotations

import argparse
import json

from memdir.cli.env import CliEnv
from memdir.core.fixing import nearest
from memdir.core.i18n import msg
from memdir.core.model import Safety
from memdir.core.rule import Rule
from memdir.core.rules import RULES, TABLE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help=str(msg("Explain this rule; by default all are listed."))
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print JSON.")))


def _row(rule: Rule, env: CliEnv) -> dict[str, object]:
    return {
        "name": rule.name,
        "severity": rule.severity.label if rule.severity else "off",
        "fix": rule.fix.value if rule.fix else None,
        "summary": env.text(rule.summary),
        "rationale": env.text(rule.rationale),
        "examples": [{"file": e.rel, "bad": e.bad, "good": e.good} for e in rule.examples],
        "url": rule.url,
    }


def _fix_note(rule: Rule, env: CliEnv) -> str:
    if rule.fix is None:
        return ""
    return env.text(msg("fix") if rule.fix is Safety.SAFE else msg("fix (look at it first)"))


def run(args: argparse.Namespace, env: CliEnv) -> int:
    if args.name and args.name not in TABLE:
        close = nearest(args.name, TABLE)
        if close:
            return env.error(
                msg("There is no rule “{name}”. Did you mean {other}?", name=args.name, other=close)
            )
        return env.error(msg("There is no rule “{name}”; `memdir rules` lists them.", name=args.name))
    chosen = [TABLE[args.name]] if args.name else list(RULES)
    if args.json:
        rows = [_row(r, env) for r in chosen]
        env.out(json.dumps(rows[0] if args.name else rows, ensure_ascii=False, indent=1))
        return 0
    if args.name:
        _print_page(chosen[0], env)
        return 0
    wide = max(len(r.name) for r in chosen)
    for rule in chosen:
        severity = rule.severity.label if rule.severity else "off"
        env.out(f"{rule.name:<{wide}}  {severity:<11}  {env.text(rule.summary)}")
    return 0


def _print_page(rule: Rule, env: CliEnv) -> None:
    parts = [rule.severity.label if rule.severity else "off", _fix_note(rule, env)]
    env.out(f"{rule.name} ({', '.join(p for p in parts if p)})")
    env.out()
    env.out(env.text(rule.summary))
    env.out()
    env.out(env.text(rule.rationale))
    for example in rule.examples:
        for title, text in ((msg("Reported:"), example.bad), (msg("Fine:"), example.good)):
            env.out()
            env.out(f"{env.text(title)} {example.rel}")
            env.out()
            env.out("\n".join("    " + line for line in text.rstrip("\n").split("\n")))
    env.out()
    env.out(rule.url)
