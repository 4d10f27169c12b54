"""`memdir serve`: the language server over standard input and output, or over a loopback connection."""

from __future__ import annotations

import argparse
import sys

from memdir.cli.env import CliEnv
from memdir.core.i18n import msg

NAME = "serve"
HELP = msg("Run the language server.")
LEVELS = ("debug", "info", "warning", "error")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stdio", action="store_true", help=str(msg("Talk over standard input and output (the default)."))
    )
    parser.add_argument(
        "--tcp",
        metavar="HOST:PORT",
        help=str(msg("Listen for one client on an address of this machine; port 0 takes any.")),
    )
    parser.add_argument(
        "--log-level", choices=LEVELS, default="warning", help=str(msg("What is logged to standard error."))
    )


def run(args: argparse.Namespace, env: CliEnv) -> int:
    address: tuple[str, int] | None = None
    if args.tcp:
        host, colon, port = args.tcp.rpartition(":")
        if not colon or not port.isdigit() or int(port) > 65535:
            return env.error(
                msg("--tcp wants HOST:PORT such as 127.0.0.1:2087, not “{value}”.", value=args.tcp)
            )
        address = (host.strip("[]") or "127.0.0.1", int(port))
        from memdir.lsp.transport import is_loopback

        try:
            local = is_loopback(address[0])
        except OSError as error:
            return env.error(msg("{host} is unknown: {reason}.", host=address[0], reason=str(error)))
        if not local:
            return env.error(
                msg(
                    "The server listens on this machine only: {host} would let others read and change memory. Use "
                    "127.0.0.1 or a tunnel.",
                    host=address[0],
                )
            )
    from memdir.lsp.startup import import_protocol

    import_protocol()
    from memdir.lsp import logs
    from memdir.lsp.run import run_stdio, run_tcp
    from memdir.lsp.server import create_server
    from memdir.lsp.world import World

    logs.set_up(args.log_level)
    server = create_server(World(env.environ, env.home, env.now, env.system_root))
    if address is None:
        return run_stdio(server)

    def announce(host: str, port: int) -> None:
        print(env.text(msg("Listening on {host}:{port}.", host=host, port=port)), file=sys.stderr, flush=True)

    return run_tcp(server, *address, announce)
