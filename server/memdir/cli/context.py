"""`memdir context [--json] [--cwd DIR]`: everything the agent's client loads for a directory, in order, with sizes."""

from __future__ import annotations

import argparse
import json
import os

from memdir.cli.env import CliEnv
from memdir.cli.place import absolute, add_place_arguments, environment
from memdir.cli.reports.text_report import shown_path, width
from memdir.core.context_layers import ContextLayer, find_repeats
from memdir.core.context_words import KINDS, REASONS, STATES
from memdir.core.i18n import msg


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "--cwd",
        metavar="DIR",
        help=str(msg("The working directory of the agent; by default the current one.")),
    )
    parser.add_argument("--json", action="store_true", help=str(msg("Print one JSON object.")))
    parser.add_argument("--text", action="store_true", help=str(msg("Print the loaded text itself.")))
    add_place_arguments(parser)


def run(args: argparse.Namespace, env: CliEnv) -> int:
    from memdir.store.config import load_configuration
    from memdir.store.context import context_layers
    from memdir.store.locate import locate

    cwd = absolute(env, args.cwd)
    if not os.path.isdir(cwd):
        return env.error(msg("{path} does not exist; give the directory of a project.", path=cwd))
    outside = environment(env, cwd, args)
    location = locate(cwd, outside)
    settings = load_configuration(
        location.owner, env.environ, env.home, top=location.top, trusted=outside.trusted
    ).settings
    layers = context_layers(location, outside, settings)
    if args.json:
        env.out(json.dumps(to_json(location.path, layers, env), ensure_ascii=False, indent=1))
        return 0
    if args.text:
        for layer in layers:
            if layer.state in ("loaded", "cut"):
                env.out(f"<!-- {shown_path(layer.path, env)} -->\n{layer.text}\n")
        return 0
    _print(layers, env)
    return 0


def to_json(cwd: str, layers: list[ContextLayer], env: CliEnv) -> dict[str, object]:
    """The preview as plain data: layers in order, totals, repeated lines."""
    loaded = [x for x in layers if x.state in ("loaded", "cut")]
    return {
        "cwd": cwd,
        "layers": [
            {
                "kind": x.kind,
                "label": env.text(KINDS[x.kind]),
                "path": x.path,
                "state": x.state,
                "state_label": env.text(STATES[x.state]),
                "why": env.text(REASONS[x.why]) if x.why else None,
                "characters": x.characters,
                "size": x.size,
                "tokens": x.tokens,
                "globs": list(x.globs),
                "chain": list(x.chain),
            }
            for x in layers
        ],
        "total": {"characters": sum(x.characters for x in loaded), "tokens": sum(x.tokens for x in loaded)},
        "repeats": [{"text": r.text, "paths": list(r.paths)} for r in find_repeats(layers)],
    }


def _print(layers: list[ContextLayer], env: CliEnv) -> None:
    if not layers:
        env.out(env.text(msg("Nothing: no instructions and no memory apply to this directory.")))
        return
    rows = [
        (env.text(KINDS[x.kind]), f"{x.characters:,}", f"~{x.tokens:,}", _note(x, env), x) for x in layers
    ]
    kind = max(width(r[0]) for r in rows)
    size, tokens = max(len(r[1]) for r in rows), max(len(r[2]) for r in rows)
    for name, characters, estimated, note, layer in rows:
        pad = " " * (kind - width(name))
        indent = "  " * len(layer.chain)
        env.out(
            f"{name}{pad}  {characters:>{size}}  {estimated:>{tokens}}  {indent}{shown_path(layer.path, env)}{note}"
        )
    loaded = [x for x in layers if x.state in ("loaded", "cut")]
    env.out()
    env.out(
        env.text(
            msg(
                "Loaded at the start: {characters} characters, about {tokens} tokens.",
                characters=f"{sum(x.characters for x in loaded):,}",
                tokens=f"{sum(x.tokens for x in loaded):,}",
            )
        )
    )
    repeats = find_repeats(layers)
    if repeats:
        env.out()
        env.out(env.text(msg("Said more than once:")))
        for repeat in repeats[:20]:
            env.out(f"  “{repeat.text[:100]}”  " + ", ".join(shown_path(p, env) for p in repeat.paths))


def _note(layer: ContextLayer, env: CliEnv) -> str:
    if layer.state == "loaded":
        return ""
    parts = [env.text(STATES[layer.state])]
    if layer.why:
        parts.append(env.text(REASONS[layer.why]))
    if layer.globs:
        parts.append(", ".join(layer.globs))
    return "  (" + ": ".join(parts) + ")"
